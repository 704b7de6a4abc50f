package org.metasched.classad;

import java.util.List;

/** An expression in parentheses, kept because printing keeps them. */
public final class Parenthesised extends Expr.Evaluated {

    private final Expr inner;

    /** @param inner what stands between the parentheses */
    public Parenthesised(Expr inner) {
        super(above(inner));
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
