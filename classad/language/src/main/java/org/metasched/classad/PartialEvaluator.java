package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partial evaluator: {@link Expr#flatten}. It simplifies conjunctions, sums and products as libclassad does. Used for one
 * expression.
 */
final class PartialEvaluator {

    /** The depth of attributes that refer to each other beyond which references remain. */
    private static final int DEEPEST = 200;

    /** A partial evaluation may take the steps of an evaluation divided by this. */
    private static final int SHARE_OF_STEPS = 10;

    /** The attributes that are being evaluated, each referred to by the one before it. */
    private final List<Expr> running = new ArrayList<>();

    private final EvaluationClock clock;

    /** The rest of the steps; without any, expressions remain as they are. */
    private int steps;

    private PartialEvaluator(Scope scope) {
        EvaluationClock given = scope.clock();
        clock = given == null ? new EvaluationClock(null) : given;
        steps = scope.limits().evaluationSteps() / SHARE_OF_STEPS;
    }

    /** See {@link Expr#flatten}. */
    static Expr flatten(Expr expr, Scope scope) {
        return new PartialEvaluator(scope).flat(expr, scope);
    }

    /** An expression, partially evaluated. */
    private Expr flat(Expr expr, Scope s) {
        if (expr instanceof Literal || --steps < 0) {
            return expr;
        }
        if (expr instanceof AttributeRef ref) {
            return inlined(ref, BuiltInAttributes.find(ref, s, clock));
        }
        if (expr instanceof Binary binary) {
            return binary(binary, s);
        }
        if (expr instanceof Selection selection) {
            return selection(selection, s);
        }
        if (expr instanceof Parenthesised p) {
            Expr inner = flat(p.inner(), s);
            return isPrimary(inner) ? inner : new Parenthesised(inner);
        }
        if (expr instanceof Unary unary) {
            return evaluated(new Unary(unary.operator(), flat(unary.operand(), s)));
        }
        if (expr instanceof Conditional c) {
            return conditional(c, s);
        }
        return compound(expr, s);
    }

    /** A call, a list or a subscript, partially evaluated; any other expression as it is. */
    private Expr compound(Expr expr, Scope s) {
        if (expr instanceof Call call) {
            if (!FunctionTable.isPure(call)) {
                return call;
            }
            var arguments = new ArrayList<Expr>();
            for (Expr argument : call.arguments()) {
                arguments.add(
                        argument instanceof ListExpr list ? new ListExpr(flat(list.elements(), s)) : flat(argument, s));
            }
            return evaluated(call.with(arguments));
        }
        if (expr instanceof ListExpr list) {
            // A function evaluates the elements of an attribute's list in the scope of the call, not in that of the
            // attribute: the list remains.
            return running.isEmpty() ? new ListExpr(flat(list.elements(), s)) : list;
        }
        if (expr instanceof Subscript subscript) {
            return evaluated(new Subscript(flat(subscript.base(), s), flat(subscript.index(), s)));
        }
        return expr;
    }

    private List<Expr> flat(List<Expr> exprs, Scope s) {
        var flat = new ArrayList<Expr>(exprs.size());
        for (Expr expr : exprs) {
            flat.add(flat(expr, s));
        }
        return flat;
    }

    /** Whether an expression needs no parentheses around it. */
    private static boolean isPrimary(Expr expr) {
        return expr instanceof Literal || expr instanceof AttributeRef || expr instanceof Parenthesised;
    }

    /** Whether an expression is a literal, or a list or ad of such expressions. */
    private static boolean isConstant(Expr expr) {
        return expr instanceof Literal
                || (expr instanceof ListExpr || expr instanceof RecordExpr)
                        && expr.children().stream().allMatch(PartialEvaluator::isConstant);
    }

    /** The literal of the value of an expression whose parts are constant; any other expression as it is. */
    private static Expr evaluated(Expr expr) {
        for (Expr child : expr.children()) {
            if (!isConstant(child)) {
                return expr;
            }
        }
        return Literal.exactly(expr.evaluate(Scope.NOWHERE));
    }

    /**
     * The constant that a reference evaluates to, or the reference itself: what remains of one attribute is not copied into another.
     *
     * @param attribute the attribute that the reference is bound to; null for none
     */
    private Expr inlined(Expr reference, BuiltInAttributes.@Nullable Found attribute) {
        // An attribute that is missing here may exist where the result is evaluated, so the reference remains.
        if (attribute == null) {
            return reference;
        }
        Expr expr = attribute.expr();
        if (isRecord(expr)) {
            return reference;
        }
        if (running.contains(expr)) {
            return Literal.UNDEFINED;
        }
        if (running.size() > DEEPEST) {
            return reference;
        }
        running.add(expr);
        Expr flat = flat(expr, attribute.scope());
        running.remove(running.size() - 1);
        return flat instanceof Literal || flat instanceof ListExpr && isConstant(flat) ? flat : reference;
    }

    private static boolean isRecord(Expr expr) {
        return expr instanceof RecordExpr
                || expr instanceof Scope.Ref
                || expr instanceof Literal literal && literal.value() instanceof Value.Record;
    }

    private Expr selection(Selection selection, Scope s) {
        Value base = selection.base().evaluate(s);
        if (base instanceof Value.Record record) {
            return inlined(selection, BuiltInAttributes.find(selection.key(), record.scope(), clock));
        }
        Expr flat = flat(selection.base(), s);
        return isConstant(flat) ? Literal.of(new Selection(flat, selection.key()).evaluate(Scope.NOWHERE)) : selection;
    }

    private Expr conditional(Conditional c, Scope s) {
        Expr condition = flat(c.condition(), s);
        if (condition instanceof Literal literal) {
            int truth = CompiledExpr.truthOf(literal.value());
            return truth == CompiledExpr.TRUE
                    ? flat(c.whenTrue(), s)
                    : truth == CompiledExpr.FALSE ? flat(c.whenFalse(), s) : Literal.of(CompiledExpr.valueOf(truth));
        }
        return new Conditional(condition, flat(c.whenTrue(), s), flat(c.whenFalse(), s));
    }

    private Expr binary(Binary binary, Scope s) {
        BinaryOperator operator = binary.operator();
        Expr left = flat(binary.left(), s);
        if (operator == BinaryOperator.ELVIS && left instanceof Literal literal) {
            return literal.value() == Value.UNDEFINED ? flat(binary.right(), s) : left;
        }
        if (left instanceof Literal literal && decides(operator, literal.value())) {
            return Literal.of(CompiledExpr.valueOf(CompiledExpr.truthOf(literal.value())));
        }
        Expr right = flat(binary.right(), s);
        Expr flat = evaluated(new Binary(operator, left, right));
        if (flat instanceof Literal) {
            return flat;
        }
        boolean logical = operator == BinaryOperator.AND || operator == BinaryOperator.OR;
        if (logical && (isCollection(left, s) || left instanceof Literal && isCollection(right, s))) {
            return Literal.ERROR;
        }
        return switch (operator) {
            case AND -> conjunction(left, right);
            case OR -> isTruth(right, CompiledExpr.TRUE) ? Literal.TRUE : flat;
            case ADD, MULTIPLY -> constantFirst(operator, left, right);
            default -> flat;
        };
    }

    /** Whether an expression is a list or an ad, or the name of one, which is no truth value. */
    private boolean isCollection(Expr expr, Scope s) {
        var found = expr instanceof AttributeRef ref ? BuiltInAttributes.find(ref, s, clock) : null;
        Expr meant = found == null ? expr : found.expr();
        return meant instanceof ListExpr || isRecord(meant);
    }

    /** Whether the left operand alone decides {@code &&} or {@code ||}. */
    static boolean decides(BinaryOperator operator, Value left) {
        int truth = CompiledExpr.truthOf(left);
        return operator == BinaryOperator.AND && (truth == CompiledExpr.FALSE || truth == CompiledExpr.ERROR)
                || operator == BinaryOperator.OR && (truth == CompiledExpr.TRUE || truth == CompiledExpr.ERROR);
    }

    /** Whether an expression is a literal with this truth value. */
    private static boolean isTruth(Expr expr, int truth) {
        return expr instanceof Literal literal && CompiledExpr.truthOf(literal.value()) == truth;
    }

    /** {@code left && right} without an operand that is true; FALSE if the right operand is false. */
    private static Expr conjunction(Expr left, Expr right) {
        if (isTruth(left, CompiledExpr.TRUE)) {
            return right;
        }
        if (isTruth(right, CompiledExpr.TRUE)) {
            return left;
        }
        return isTruth(right, CompiledExpr.FALSE) ? Literal.FALSE : new Binary(BinaryOperator.AND, left, right);
    }

    /** A sum or product with its constant on the left; integers are combined: {@code 1 + a + 2} becomes {@code 3 + a}. */
    private static Expr constantFirst(BinaryOperator operator, Expr left, Expr right) {
        if (!(right instanceof Literal constant)) {
            return new Binary(operator, left, right);
        }
        if (left instanceof Binary inner
                && inner.operator() == operator
                && inner.left() instanceof Literal first
                && first.value() instanceof Value.Int
                && constant.value() instanceof Value.Int) {
            return new Binary(operator, evaluated(new Binary(operator, first, constant)), inner.right());
        }
        return new Binary(operator, constant, left);
    }
}
