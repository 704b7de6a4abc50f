package org.metasched.classad;

import java.util.List;

/** An expression in parentheses, which are a part of the tree because they are printed as they were written. */
public final class Parenthesised extends Expr.Evaluated {

    private final Expr inner;

    /** @param inner the expression between the parentheses */
    public Parenthesised(Expr inner) {
        super(heightAbove(inner));
        this.inner = inner;
    }

    /** The expression between the parentheses. */
    public Expr inner() {
        return inner;
    }

    @Override
    public Expr bare() {
        return inner.bare();
    }

    @Override
    public List<Expr> children() {
        return List.of(inner);
    }
}
