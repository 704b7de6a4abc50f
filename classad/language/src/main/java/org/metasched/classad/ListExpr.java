package org.metasched.classad;

import java.util.List;

/** A list as it is written: {@code { a, b }}. */
public final class ListExpr extends Expr.Evaluated {

    private final List<Expr> elements;

    /** @param elements in their order; may be empty */
    public ListExpr(List<Expr> elements) {
        super(heightAbove(elements));
        this.elements = List.copyOf(elements);
    }

    /** The elements, unevaluated, in their order. */
    public List<Expr> elements() {
        return elements;
    }

    @Override
    public List<Expr> children() {
        return elements;
    }
}
