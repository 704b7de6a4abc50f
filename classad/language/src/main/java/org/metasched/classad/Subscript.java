package org.metasched.classad;

import java.util.List;

/** {@code base[index]}: an element of a list by number, or an attribute of an ad by string. */
public final class Subscript extends Expr.Evaluated {

    private final Expr base;
    private final Expr index;

    /**
     * @param base a list or an ad
     * @param index a position from 0 on, or a name
     */
    public Subscript(Expr base, Expr index) {
        super(above(base, index));
        this.base = base;
        this.index = index;
    }

    /** The expression before the brackets. */
    public Expr base() {
        return base;
    }

    /** The expression between the brackets. */
    public Expr index() {
        return index;
    }

    @Override
    public List<Expr> children() {
        return List.of(base, index);
    }
}
