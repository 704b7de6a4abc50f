package org.metasched.classad.collector;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Binary;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Parenthesised;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;
import org.metasched.classad.index.Comparisons;

/**
 * A query of the collector.
 *
 * @param type type of the ads; empty for all types
 * @param constraint condition, evaluated in each ad on its own; ads for which it is not true are left out
 * @param projection attributes in the answer; empty for all
 * @param limit largest number of ads
 */
public record CollectorQuery(Optional<String> type, Expr constraint, List<String> projection, int limit) {

    public CollectorQuery {
        projection = List.copyOf(projection);
        if (limit < 0) {
            throw new IllegalArgumentException("The limit (" + limit + ") must not be negative.");
        }
    }

    /** Every ad, whole. */
    public static CollectorQuery all() {
        return new CollectorQuery(Optional.empty(), Literal.of(true), List.of(), Integer.MAX_VALUE);
    }

    /** Every ad of a type, whole. */
    public static CollectorQuery ofType(String type) {
        return new CollectorQuery(Optional.of(type), Literal.of(true), List.of(), Integer.MAX_VALUE);
    }

    /** The same query with another constraint. */
    public CollectorQuery where(Expr condition) {
        return new CollectorQuery(type, condition, projection, limit);
    }

    /** The same query for these attributes only. */
    public CollectorQuery selecting(List<String> attributes) {
        return new CollectorQuery(type, constraint, attributes, limit);
    }

    /** The same query for the ads of one name, in place of its constraint. */
    public CollectorQuery named(String name) {
        return where(new Binary(BinaryOperator.EQUAL, AttributeRef.to("Name"), Literal.of(name)));
    }

    /** A comparison of an attribute with a literal. */
    record Term(String attribute, BinaryOperator operator, Value value) {}

    /** The conjuncts of the constraint that compare an attribute with a literal: all are true of each ad that is found. */
    List<Term> terms() {
        var terms = new ArrayList<Term>();
        collect(constraint, terms);
        return terms;
    }

    private static void collect(Expr expr, List<Term> into) {
        if (expr instanceof Parenthesised inner) {
            collect(inner.inner(), into);
        } else if (expr instanceof Binary binary && binary.operator() == BinaryOperator.AND) {
            collect(binary.left(), into);
            collect(binary.right(), into);
        } else if (expr instanceof Binary binary && Comparisons.isComparison(binary.operator())) {
            boolean isMirrored = binary.left() instanceof Literal;
            if ((isMirrored ? binary.right() : binary.left()) instanceof AttributeRef named
                    && !named.absolute()
                    && (isMirrored ? binary.left() : binary.right()) instanceof Literal literal) {
                BinaryOperator operator = isMirrored ? binary.operator().mirrored() : binary.operator();
                into.add(new Term(named.name(), operator, literal.value()));
            }
        }
    }

    /**
     * The text that an attribute must have for the constraint to be true, ignoring case unless the comparison is {@code is}. If the
     * constraint demands several, the first.
     */
    public Optional<String> required(String attribute) {
        return terms().stream()
                .filter(term -> term.attribute().equalsIgnoreCase(attribute))
                .filter(term -> term.operator() == BinaryOperator.EQUAL || term.operator() == BinaryOperator.IS)
                .flatMap(term -> term.value() instanceof Value.Text wanted ? Stream.of(wanted.text()) : Stream.empty())
                .findFirst();
    }

    /**
     * A query by the comparisons of other attributes with literals alone, for whole ads and without a limit. It finds a superset of the ads
     * that this one finds.
     */
    public CollectorQuery supersetWithout(String attribute) {
        Expr rest = terms().stream()
                .filter(term -> !term.attribute().equalsIgnoreCase(attribute))
                .<Expr>map(term ->
                        new Binary(term.operator(), AttributeRef.to(term.attribute()), Literal.of(term.value())))
                .reduce((left, right) -> new Binary(BinaryOperator.AND, left, right))
                .orElse(Literal.of(true));
        return new CollectorQuery(type, rest, List.of(), Integer.MAX_VALUE);
    }

    /** Whether the constraint is true of an ad. */
    public boolean accepts(ClassAd ad) {
        return constraint.evaluate(Scope.of(ad, LookupMode.OLD)).satisfies();
    }

    /** The ad with the attributes asked for. */
    public ClassAd projected(ClassAd ad) {
        if (projection.isEmpty()) {
            return ad;
        }
        var names = projection.stream().filter(ad::has).toList();
        return ClassAd.of(
                names, names.stream().map(name -> ad.lookup(name).orElseThrow()).toList());
    }
}
