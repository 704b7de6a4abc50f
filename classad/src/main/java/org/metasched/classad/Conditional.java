package org.metasched.classad;

import java.util.List;
import java.util.Objects;

/** {@code condition ? whenTrue : whenFalse}. */
public final class Conditional extends Expr {

    private final Expr condition;
    private final Expr whenTrue;
    private final Expr whenFalse;

    public Conditional(Expr condition, Expr whenTrue, Expr whenFalse) {
        super(above(List.of(condition, whenTrue, whenFalse)));
        this.condition = condition;
        this.whenTrue = whenTrue;
        this.whenFalse = whenFalse;
    }

    public Expr condition() {
        return condition;
    }

    public Expr whenTrue() {
        return whenTrue;
    }

    public Expr whenFalse() {
        return whenFalse;
    }

    @Override
    public List<Expr> children() {
        return List.of(condition, whenTrue, whenFalse);
    }

    @Override
    boolean sameAs(Expr other) {
        return other instanceof Conditional conditional && children().equals(conditional.children());
    }

    @Override
    public int hashCode() {
        return Objects.hash(condition, whenTrue, whenFalse);
    }
}
