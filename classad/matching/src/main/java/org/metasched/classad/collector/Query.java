package org.metasched.classad.collector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.Mode;
import org.metasched.classad.Scope;

/**
 * A question to the collector.
 *
 * @param type only ads of this type, or of all
 * @param constraint evaluated in each ad on its own; ads for which it is not true are left out
 * @param projection attributes to answer with; none means all
 * @param limit how many ads at most
 */
public record Query(Optional<String> type, Expr constraint, List<String> projection, int limit) {

    public Query {
        projection = List.copyOf(projection);
        if (limit < 0) {
            throw new IllegalArgumentException("The limit (" + limit + ") must not be negative.");
        }
    }

    /** Every ad, whole. */
    public static Query all() {
        return new Query(Optional.empty(), Literal.of(true), List.of(), Integer.MAX_VALUE);
    }

    /** Every ad of a type, whole. */
    public static Query ofType(String type) {
        return new Query(Optional.of(type), Literal.of(true), List.of(), Integer.MAX_VALUE);
    }

    /** The same question with another condition in place of its own. */
    public Query where(Expr condition) {
        return new Query(type, condition, projection, limit);
    }

    /** The same question for these attributes only. */
    public Query selecting(List<String> attributes) {
        return new Query(type, constraint, attributes, limit);
    }

    /** Whether the constraint is true of an ad. */
    public boolean accepts(ClassAd ad) {
        return constraint.evaluate(Scope.of(ad, Mode.OLD)).satisfies();
    }

    /** The ad with the attributes asked for. */
    public ClassAd projected(ClassAd ad) {
        if (projection.isEmpty()) {
            return ad;
        }
        var names = new ArrayList<String>();
        var expressions = new ArrayList<Expr>();
        for (String attribute : projection) {
            ad.lookup(attribute).ifPresent(expression -> {
                names.add(attribute);
                expressions.add(expression);
            });
        }
        return ClassAd.of(names, expressions);
    }
}
