package org.metasched.classad;

import org.jspecify.annotations.Nullable;

/** An expression other than a constant: it is compiled when it is first evaluated. */
abstract sealed class EvaluatedExpr extends Expr
        permits AttributeRef,
                Selection,
                Subscript,
                Unary,
                Binary,
                Conditional,
                Parenthesised,
                ListExpr,
                RecordExpr,
                Call,
                Scope.Ref {

    private final short height;
    private @Nullable CompiledExpr code;

    EvaluatedExpr(int height) {
        if (height > HIGHEST) {
            throw new IllegalArgumentException("The expression is nested more than %d levels deep.".formatted(HIGHEST));
        }
        this.height = (short) height;
    }

    @Override
    public final int height() {
        return height;
    }

    @Override
    final CompiledExpr code() {
        CompiledExpr compiled = code;
        if (compiled == null) {
            // Two threads may compile the same expression; either result serves, and code is safely published by its
            // final fields.
            compiled = LanguageServices.loaded().compile(this);
            code = compiled;
        }
        return compiled;
    }
}
