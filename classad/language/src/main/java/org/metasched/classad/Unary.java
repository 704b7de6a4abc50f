package org.metasched.classad;

import java.util.List;
import java.util.Objects;

/** A prefix operator and its operand. */
public final class Unary extends Expr {

    private final UnaryOperator operator;
    private final Expr operand;

    /** @param operand what the operator is applied to */
    public Unary(UnaryOperator operator, Expr operand) {
        super(above(operand));
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
    boolean sameAs(Expr other) {
        return other instanceof Unary unary && operator == unary.operator && operand.equals(unary.operand);
    }

    @Override
    public int hashCode() {
        return Objects.hash(operator.ordinal(), operand);
    }
}
