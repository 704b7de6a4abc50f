package org.metasched.classad;

import java.util.List;

/** A subscript, {@code base[index]}: the element of a list by its number, or the attribute of an ad by its name. */
public final class Subscript extends Expr.Evaluated {

    private final Expr base;
    private final Expr index;

    /**
     * @param base the expression that evaluates to a list or an ad
     * @param index the expression that evaluates to an integer from 0, or a string
     */
    public Subscript(Expr base, Expr index) {
        super(heightAbove(base, index));
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
