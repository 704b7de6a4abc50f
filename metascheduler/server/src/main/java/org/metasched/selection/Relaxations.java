package org.metasched.selection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.Binary;
import org.metasched.classad.BinaryOperator;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.Scope;
import org.metasched.classad.Selection;
import org.metasched.classad.Value;

/**
 * Easier versions of a requirement: for each clause of a conjunction, the requirement with another value there that some ad has, the
 * nearest first, and at last without the clause.
 */
final class Relaxations {

    private final List<Expr> clauses;
    private final List<ClassAd> ads;

    private Relaxations(Expr wanted, List<ClassAd> ads) {
        this.clauses = wanted.conjuncts().stream()
                .filter(clause -> !(clause instanceof Literal))
                .toList();
        this.ads = ads;
    }

    static List<List<String>> of(Expr wanted, List<ClassAd> ads) {
        var all = new Relaxations(wanted, ads);
        return IntStream.range(0, all.clauses.size()).mapToObj(all::without).toList();
    }

    private List<String> without(int clause) {
        var easier = new ArrayList<String>();
        for (String other : easier(clauses.get(clause))) {
            easier.add(joined(clause, Optional.of(other)));
        }
        easier.add(joined(clause, Optional.empty()));
        return easier;
    }

    private String joined(int clause, Optional<String> instead) {
        var texts = new ArrayList<String>();
        for (int i = 0; i < clauses.size(); i++) {
            if (i != clause) {
                String text = clauses.get(i).print();
                texts.add(needsParentheses(clauses.get(i)) ? "(" + text + ")" : text);
            } else {
                instead.ifPresent(texts::add);
            }
        }
        return texts.isEmpty() ? "true" : String.join(" && ", texts);
    }

    private static boolean needsParentheses(Expr clause) {
        return !(clause instanceof Binary binary && binary.operator().isComparison());
    }

    /** The comparison of an attribute with a constant, with the values that the ads have instead. */
    private List<String> easier(Expr clause) {
        if (!(clause instanceof Binary comparison
                && comparison.operator().isComparison()
                && comparison.operator() != BinaryOperator.NOT_EQUAL
                && comparison.right() instanceof Literal limit)) {
            return List.of();
        }
        return attribute(comparison.left()).stream()
                .flatMap(name -> ads.stream().map(ad -> ad.evaluate(name, Scope.of(ad))))
                .filter(value -> isLike(value, limit.value()))
                .filter(value -> !value.print().equals(limit.value().print()))
                .sorted(Comparator.comparingDouble(
                        value -> Math.abs(value.rank() - limit.value().rank())))
                .map(value -> comparison.left().print() + " " + loosely(comparison.operator()) + " " + value.print())
                .distinct()
                .toList();
    }

    private static Optional<String> attribute(Expr side) {
        if (side instanceof AttributeRef attribute) {
            return Optional.of(attribute.name());
        }
        return side instanceof Selection selection && (selection.isFrom("TARGET") || selection.isFrom("other"))
                ? Optional.of(selection.name())
                : Optional.empty();
    }

    private static boolean isLike(Value value, Value limit) {
        return value instanceof Value.Text ? limit instanceof Value.Text : isNumber(value) && isNumber(limit);
    }

    private static boolean isNumber(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real;
    }

    private static String loosely(BinaryOperator operator) {
        return switch (operator) {
            case GREATER -> BinaryOperator.GREATER_OR_EQUAL.symbol();
            case LESS -> BinaryOperator.LESS_OR_EQUAL.symbol();
            default -> operator.symbol();
        };
    }
}
