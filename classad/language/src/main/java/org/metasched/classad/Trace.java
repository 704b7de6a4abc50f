package org.metasched.classad;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The explanation why an expression is ERROR or UNDEFINED: a tree of its parts with their values, down to the parts that are the cause.
 * The part of a reference is the expression to which it is bound. Operands that are neither ERROR nor UNDEFINED have no parts of their own.
 * Left out are operands that are not evaluated, and constants other than UNDEFINED and ERROR.
 *
 * @param expression the traced expression, or a part of it
 * @param value its value in the scope where it was found
 * @param reason the cause of the value, if the parts do not show it; else empty
 * @param parts the parts in the order of evaluation
 */
public record Trace(Expr expression, Value value, String reason, List<Trace> parts) {

    /** The most parts. */
    private static final int MOST_PARTS = 1_000;

    /** The largest depth of references. */
    private static final int DEEPEST = 100;

    /** Traces an expression in a scope. Its parts, at most 1,000, are evaluated within the limits of one evaluation. */
    public static Trace of(Expr expr, Scope scope) {
        return new Walk(scope).trace(expr, scope, expr.evaluate(scope), true);
    }

    /** The making of one trace. */
    private static final class Walk {

        private final EvaluationClock clock;

        /** The attributes that are being traced, each referred to by the one before it. */
        private final Deque<BuiltInAttributes.Found> visits = new ArrayDeque<>();

        private final EvaluationBudget.SharedBudget budget;
        private int partsLeft = MOST_PARTS;

        Walk(Scope scope) {
            EvaluationClock given = scope.clock();
            clock = given == null ? new EvaluationClock(null) : given;
            budget = new EvaluationBudget.SharedBudget(
                    scope.limits().evaluationSteps(), scope.limits().evaluationBytes());
        }

        private Value value(Expr expr, Scope s) {
            return Evaluation.evaluate(expr, s, budget);
        }

        /** The trace of an expression in a scope; see the other method of this name. */
        private Trace trace(Expr expr, Scope s, boolean withParts) {
            Value value = value(expr, s);
            return budget.isSpent() && !(expr.bare() instanceof Literal)
                    ? new Trace(expr, Value.ERROR, "not evaluated: this trace has reached its limits", List.of())
                    : trace(expr, s, value, withParts);
        }

        /** The trace of an expression with this value, with its parts if the value is ERROR or UNDEFINED, or if the caller wants them. */
        Trace trace(Expr expr, Scope s, Value value, boolean withParts) {
            var parts = new ArrayList<Trace>();
            if (expr.bare() instanceof Literal || !withParts && !value.isExceptional()) {
                return new Trace(expr, value, "", List.of());
            }
            if (--partsLeft < 0 || visits.size() > DEEPEST) {
                return new Trace(expr, value, "not taken apart: this trace is long", List.of());
            }
            String reason = reason(expr.bare(), s, parts);
            if (reason.isEmpty()
                    && value.isExceptional()
                    && parts.stream().noneMatch(part -> part.value().isExceptional())) {
                reason = "not defined for these values, or a limit was reached";
            }
            return new Trace(expr, value, reason, List.copyOf(parts));
        }

        /** Adds the parts of an expression; returns the cause of its value if they do not show it, else an empty text. */
        private String reason(Expr expr, Scope s, List<Trace> parts) {
            if (expr instanceof AttributeRef ref) {
                return follow(
                        BuiltInAttributes.find(ref, s, clock), "no attribute of this name is seen from here", parts);
            }
            if (expr instanceof Selection selection && value(selection.base(), s) instanceof Value.Record record) {
                BuiltInAttributes.Found found = BuiltInAttributes.find(selection.key(), record.scope(), clock);
                return follow(found, "the ad has no such attribute", parts);
            }
            if (!(expr instanceof RecordExpr || expr instanceof ListExpr)) {
                for (Expr part : evaluated(expr, s)) {
                    if (!(part.bare() instanceof Literal literal
                            && !literal.value().isExceptional())) {
                        parts.add(trace(part, s, false));
                    }
                }
            }
            return expr instanceof Call call ? FunctionTable.complaint(call).orElse("") : "";
        }

        /**
         * Adds the expression to which a reference is bound. If that is missing or circular, adds nothing and returns the cause, which is
         * {@code missing} for a missing one; else an empty text.
         */
        private String follow(BuiltInAttributes.@Nullable Found found, String missing, List<Trace> parts) {
            if (found == null || found.expr() instanceof Scope.Ref label && label.value() == Value.UNDEFINED) {
                return missing;
            }
            if (visits.stream().anyMatch(found::isAlso)) {
                return "it needs itself";
            }
            if (found.isAttribute() && !(found.expr() instanceof Scope.Ref)) {
                visits.push(found);
                parts.add(trace(found.expr(), found.scope(), true));
                visits.pop();
            }
            return "";
        }

        /**
         * The parts that are evaluated in the scope of the expression: without an operand that the value of another one makes superfluous,
         * and without an argument that a function evaluates elsewhere or not at all.
         */
        private List<Expr> evaluated(Expr expr, Scope s) {
            List<Expr> parts = expr instanceof Call call ? FunctionTable.evaluated(call) : expr.children();
            if (expr instanceof Conditional
                    || expr instanceof Call call && parts.size() == 3 && call.isNamed("ifThenElse")) {
                int truth = CompiledExpr.truthOf(value(parts.get(0), s));
                return truth > CompiledExpr.TRUE
                        ? parts.subList(0, 1)
                        : List.of(parts.get(0), parts.get(truth == CompiledExpr.TRUE ? 1 : 2));
            }
            if (expr instanceof Binary binary) {
                Value first = value(binary.left(), s);
                boolean enough = binary.operator() == BinaryOperator.ELVIS
                        ? first != Value.UNDEFINED
                        : PartialEvaluator.decides(binary.operator(), first);
                return enough ? List.of(binary.left()) : parts;
            }
            return parts;
        }
    }
}
