package org.metasched.classad.collector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Binary;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.Mode;
import org.metasched.classad.Parenthesised;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

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

    /** The same question about the ads of one name. */
    public Query named(String name) {
        return where(new Binary(BinaryOperator.EQUAL, AttributeRef.to("Name"), Literal.of(name)));
    }

    /**
     * The text that the attribute must have for the constraint to be true, if the constraint says so: as one of its terms, joined by
     * AND, that compares the attribute with a text.
     */
    public Optional<String> required(String attribute) {
        return required(constraint, attribute);
    }

    private static Optional<String> required(Expr expr, String attribute) {
        if (expr instanceof Parenthesised inner) {
            return required(inner.inner(), attribute);
        }
        if (!(expr instanceof Binary binary)) {
            return Optional.empty();
        }
        return switch (binary.operator()) {
            case AND -> required(binary.left(), attribute).or(() -> required(binary.right(), attribute));
            case EQUAL, IS ->
                compared(binary.left(), binary.right(), attribute)
                        .or(() -> compared(binary.right(), binary.left(), attribute));
            default -> Optional.empty();
        };
    }

    private static Optional<String> compared(Expr reference, Expr text, String attribute) {
        return reference instanceof AttributeRef named
                        && named.isNamed(attribute)
                        && !named.absolute()
                        && text instanceof Literal literal
                        && literal.value() instanceof Value.Text wanted
                ? Optional.of(wanted.text())
                : Optional.empty();
    }

    /** A question that at least the ads of this one answer, and that the collector answers without a look at all ads. */
    public Query onKeys() {
        var onType = new Query(type.or(() -> required("MyType")), Literal.of(true), List.of(), Integer.MAX_VALUE);
        return required("Name").map(onType::named).orElse(onType);
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
