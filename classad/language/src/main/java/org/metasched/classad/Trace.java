package org.metasched.classad;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why an expression is ERROR or UNDEFINED: its parts, each with its own value, down to the first that has no part to blame. A
 * reference has the expression that it is bound to as its part. Parts with a value of their own are not taken apart, operands that
 * are not evaluated are left out, and so are constants.
 *
 * @param expression a part, as it stands where it was found
 * @param value what it evaluates to there
 * @param reason what its parts do not tell; empty if they do, or if the value needs no reason
 * @param parts in the order of evaluation
 */
public record Trace(Expr expression, Value value, String reason, List<Trace> parts) {

    private static final int MOST_PARTS = 1_000;

    private static final int DEEPEST = 100;

    /** Traces an expression in a place. Its at most 1,000 parts are evaluated within the limits of one evaluation. */
    public static Trace of(Expr expr, Scope scope) {
        return new Walk(scope).trace(expr, scope, expr.evaluate(scope), true);
    }

    private static final class Walk {

        private final EvaluationClock present;
        private final Deque<BuiltInAttributes.Found> visits = new ArrayDeque<>();
        private final EvaluationBudget.EvaluationTotal total;
        private int left = MOST_PARTS;

        Walk(Scope scope) {
            EvaluationClock given = scope.present();
            present = given == null ? new EvaluationClock(null) : given;
            total = new EvaluationBudget.EvaluationTotal(
                    scope.limits().evaluationSteps(), scope.limits().evaluationBytes());
        }

        private Value value(Expr expr, Scope s) {
            return Evaluation.evaluate(expr, s, total);
        }

        private Trace trace(Expr expr, Scope s, boolean wished) {
            Value value = value(expr, s);
            return total.isSpent() && !(expr.bare() instanceof Literal)
                    ? new Trace(expr, Value.ERROR, "not evaluated: this trace has reached its limits", List.of())
                    : trace(expr, s, value, wished);
        }

        /** Takes the expression apart if it has no value, or if that is wished. */
        Trace trace(Expr expr, Scope s, Value value, boolean wished) {
            var parts = new ArrayList<Trace>();
            if (expr.bare() instanceof Literal || !wished && !value.isExceptional()) {
                return new Trace(expr, value, "", List.of());
            }
            if (--left < 0 || visits.size() > DEEPEST) {
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

        private String reason(Expr expr, Scope s, List<Trace> parts) {
            if (expr instanceof AttributeRef ref) {
                return follow(
                        BuiltInAttributes.find(ref, s, present), "no attribute of this name is seen from here", parts);
            }
            if (expr instanceof Selection selection && value(selection.base(), s) instanceof Value.Record record) {
                BuiltInAttributes.Found found = BuiltInAttributes.find(selection.key(), record.scope(), present);
                return follow(found, "the ad has no such attribute", parts);
            }
            if (!(expr instanceof RecordExpr)) {
                for (Expr part : evaluated(expr, s)) {
                    if (!(part instanceof Literal literal) || literal.value().isExceptional()) {
                        parts.add(trace(part, s, false));
                    }
                }
            }
            return expr instanceof Call call ? FunctionTable.complaint(call).orElse("") : "";
        }

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

        /** The parts that count: not the operand that another one makes superfluous. */
        private List<Expr> evaluated(Expr expr, Scope s) {
            if (expr instanceof Conditional c) {
                int truth = CompiledExpr.truthOf(value(c.condition(), s));
                return truth > CompiledExpr.TRUE
                        ? List.of(c.condition())
                        : List.of(c.condition(), truth == CompiledExpr.TRUE ? c.whenTrue() : c.whenFalse());
            }
            if (expr instanceof Binary binary) {
                Value first = value(binary.left(), s);
                boolean enough = binary.operator() == BinaryOperator.ELVIS
                        ? first != Value.UNDEFINED
                        : PartialEvaluator.decides(binary.operator(), first);
                return enough ? List.of(binary.left()) : expr.children();
            }
            return expr.children();
        }
    }
}
