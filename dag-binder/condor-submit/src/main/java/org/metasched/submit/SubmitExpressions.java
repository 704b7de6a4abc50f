package org.metasched.submit;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Literal;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Scope;
import org.metasched.classad.Selection;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;

/** ClassAd expressions as a submit description writes them: parsed and printed in the old syntax. */
final class SubmitExpressions {

    private SubmitExpressions() {}

    /** The expression; empty if the text is none. */
    static Optional<Expr> parse(String text) {
        try {
            return Optional.of(Expr.parse(text, ReadOptions.OLD));
        } catch (ClassAdSyntaxException e) {
            return Optional.empty();
        }
    }

    static String print(Expr expr) {
        return expr.print(Syntax.OLD).strip();
    }

    /** A string literal of the old syntax: quotes escaped, backslashes as they are. */
    static String quote(String text) {
        return Literal.of(text).print(Syntax.OLD);
    }

    /** The value, if the text is a string expression. */
    static Optional<String> textValue(String text) {
        return parse(text)
                .map(expr -> expr.evaluate(Scope.NOWHERE))
                .filter(Value.Text.class::isInstance)
                .map(value -> ((Value.Text) value).text());
    }

    /** The value of any expression as text, strings without their quotes; empty if the text is no expression. */
    static Optional<String> value(String text) {
        return parse(text).map(expr -> {
            Value value = expr.evaluate(Scope.NOWHERE);
            return value instanceof Value.Text string ? string.text() : value.toString();
        });
    }

    /** The number that an expression evaluates to; a truth value counts as 1 or 0. */
    static Optional<Double> number(String text) {
        return parse(text)
                .map(expr -> expr.evaluate(Scope.NOWHERE))
                .filter(SubmitExpressions::isNumber)
                .map(Value::rank);
    }

    private static boolean isNumber(Value value) {
        return value instanceof Value.Int || value instanceof Value.Real || value instanceof Value.Bool;
    }

    static boolean isLiteral(Expr expr) {
        return expr.bare() instanceof Literal;
    }

    /** The number, if the expression is a numeric or boolean literal. */
    static Optional<Double> literalNumber(Expr expr) {
        return expr.bare() instanceof Literal literal && isNumber(literal.value())
                ? Optional.of(literal.value().rank())
                : Optional.empty();
    }

    /** The names that an expression may read from the machine, in lower case: unscoped ones, and those behind TARGET or other. */
    static Set<String> machineReferences(Expr expr) {
        Set<String> names = new TreeSet<>();
        collect(expr, names);
        return names;
    }

    private static void collect(Expr expr, Set<String> names) {
        if (expr instanceof AttributeRef reference) {
            names.add(reference.name().toLowerCase(Locale.ROOT));
            return;
        }
        if (expr instanceof Selection selection) {
            if (selection.isFrom("TARGET") || selection.isFrom("other")) {
                names.add(selection.name().toLowerCase(Locale.ROOT));
                return;
            }
            if (selection.isFrom("MY")) {
                return;
            }
        }
        for (Expr part : expr.children()) {
            collect(part, names);
        }
    }
}
