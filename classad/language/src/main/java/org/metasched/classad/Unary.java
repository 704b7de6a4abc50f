package org.metasched.classad;

import java.util.List;

/** A prefix operator and its operand: {@code !a}. */
public final class Unary extends Expr.Evaluated {

    private final UnaryOperator operator;
    private final Expr operand;

    /** @param operand the expression after the operator */
    public Unary(UnaryOperator operator, Expr operand) {
        super(heightAbove(operand));
        this.operator = operator;
        this.operand = operand;
    }

    /** The operator. */
    public UnaryOperator operator() {
        return operator;
    }

    /** The expression after the operator. */
    public Expr operand() {
        return operand;
    }

    @Override
    public List<Expr> children() {
        return List.of(operand);
    }

    @Override
    Object trait() {
        return operator.symbol();
    }
}
