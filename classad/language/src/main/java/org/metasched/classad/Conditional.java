package org.metasched.classad;

import java.util.List;

/** A conditional expression: {@code condition ? whenTrue : whenFalse}. */
public final class Conditional extends Expr.Evaluated {

    private final Expr condition;
    private final Expr whenTrue;
    private final Expr whenFalse;

    /** @param condition the expression that decides which of the other two is evaluated */
    public Conditional(Expr condition, Expr whenTrue, Expr whenFalse) {
        super(heightAbove(List.of(condition, whenTrue, whenFalse)));
        this.condition = condition;
        this.whenTrue = whenTrue;
        this.whenFalse = whenFalse;
    }

    /** The expression before the question mark. */
    public Expr condition() {
        return condition;
    }

    /** The expression between question mark and colon. */
    public Expr whenTrue() {
        return whenTrue;
    }

    /** The expression after the colon. */
    public Expr whenFalse() {
        return whenFalse;
    }

    @Override
    public List<Expr> children() {
        return List.of(condition, whenTrue, whenFalse);
    }
}
