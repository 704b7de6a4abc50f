package org.metasched.classad;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a label is bound to: a place that can be exchanged. Stands only in the ads that contexts make, never in a parsed one. */
final class ScopeRef extends Expr {

    private @Nullable Scope target;

    ScopeRef(@Nullable Scope target) {
        super(0);
        this.target = target;
    }

    void bind(@Nullable Scope scope) {
        target = scope;
    }

    @Nullable
    Scope target() {
        return target;
    }

    Value value() {
        return target == null ? Value.UNDEFINED : target.record();
    }

    @Override
    public List<Expr> children() {
        return List.of();
    }

    @Override
    boolean sameAs(Expr other) {
        return false;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
