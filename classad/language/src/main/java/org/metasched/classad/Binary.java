package org.metasched.classad;

import java.util.List;

/** An operator between two operands: {@code a + b}. */
public final class Binary extends Expr.Evaluated {

    private final BinaryOperator operator;
    private final Expr left;
    private final Expr right;

    /**
     * @param left the operand before the operator
     * @param right the operand after the operator
     */
    public Binary(BinaryOperator operator, Expr left, Expr right) {
        super(heightAbove(left, right));
        this.operator = operator;
        this.left = left;
        this.right = right;
    }

    /** The operator between the operands. */
    public BinaryOperator operator() {
        return operator;
    }

    /** The operand before the operator. */
    public Expr left() {
        return left;
    }

    /** The operand after the operator. */
    public Expr right() {
        return right;
    }

    @Override
    public List<Expr> children() {
        return List.of(left, right);
    }

    @Override
    boolean isConjunction() {
        return operator == BinaryOperator.AND;
    }

    @Override
    Object trait() {
        return operator.symbol();
    }
}
