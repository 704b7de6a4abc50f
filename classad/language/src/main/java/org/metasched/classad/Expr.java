package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An expression: the tree as it was written, parentheses included. Immutable, thread-safe; equal when the trees are the same up
 * to the case of names in identical spelling.
 *
 * <p>The first evaluation compiles it, once. A pool of ads whose policies differ only in numbers and texts compiles one policy, and
 * texts that come again are usually the same object.
 */
public abstract sealed class Expr permits Literal, Expr.Evaluated {

    /** No tree is higher, so that walking one needs a bounded stack. */
    public static final int HIGHEST = 3_000;

    /** Levels of nodes below this one; 0 for a node without parts. */
    public int height() {
        return 0;
    }

    static int above(Expr part) {
        return part.height() + 1;
    }

    static int above(Expr a, Expr b) {
        return Math.max(a.height(), b.height()) + 1;
    }

    static int above(List<Expr> parts) {
        int height = 0;
        for (Expr part : parts) {
            height = Math.max(height, part.height() + 1);
        }
        return height;
    }

    /** Parses an expression of the new syntax in the reference dialect; all of the text must be one expression. */
    public static Expr parse(String text) throws ClassAdSyntaxException {
        return parse(text, ReadOptions.NEW);
    }

    /**
     * An expression in the new syntax of a dialect.
     *
     * @throws ClassAdSyntaxException with the place of the first error
     */
    public static Expr parse(String text, Dialect dialect) throws ClassAdSyntaxException {
        return parse(text, ReadOptions.NEW.with(dialect));
    }

    /** Parses an expression; all of the text must be one. */
    public static Expr parse(String text, ReadOptions reading) throws ClassAdSyntaxException {
        return LanguageServices.loaded().expression(text, reading);
    }

    /** The value in a place. Never throws; what cannot be computed is ERROR. */
    public final Value evaluate(Scope scope) {
        Objects.requireNonNull(scope, "The scope of the evaluation is null.");
        if (this instanceof Literal literal) {
            return literal.value();
        }
        if (height() == 0) {
            Value known = code().known(scope);
            if (known != null) {
                return known;
            }
        }
        return Evaluation.evaluate(this, scope);
    }

    /** The text in the new syntax; parsing it gives this tree again. */
    public final String print() {
        return print(Syntax.NEW);
    }

    /** The text in the new or the old syntax. JSON and XML embed the new one. */
    public final String print(Syntax syntax) {
        return LanguageServices.loaded().print(this, syntax);
    }

    /**
     * The names that this expression needs and an ad cannot give, and those it can; through the ad's own attributes.
     * Empty sets if the ad's attributes refer to each other in a circle: see {@link References#circular()}.
     */
    public final References references(ClassAd ad, LookupMode mode) {
        return LanguageServices.loaded().references(this, ad, mode);
    }

    /** Names used as plain attribute references or as the base of selections, without looking through any ad. */
    public final Set<String> names() {
        return LanguageServices.loaded().names(this);
    }

    /**
     * Evaluates as far as the scope knows: names it lacks stay. The result is a {@link Literal} if all was known.
     * The residual has the same value as this expression in any scope that adds the missing names, and keeps the others.
     */
    public final Expr flatten(Scope scope) {
        return LanguageServices.loaded().flatten(this, scope);
    }

    /** The operands of {@code &&}, through parentheses, from left to right: just this expression if it is no conjunction. */
    public final List<Expr> conjuncts() {
        var operands = new ArrayList<Expr>();
        collect(operands);
        return operands;
    }

    private void collect(List<Expr> into) {
        Expr bare = bare();
        if (bare.isConjunction()) {
            bare.children().forEach(operand -> operand.collect(into));
        } else {
            into.add(this);
        }
    }

    /** Whether this is {@code a && b}. */
    boolean isConjunction() {
        return false;
    }

    /** Whether this is an ad, as written. */
    boolean isAd() {
        return false;
    }

    /** This expression without the parentheses around it. */
    public Expr bare() {
        return this;
    }

    /** The direct parts, from left to right; the expressions of an ad for a {@link RecordExpr}. */
    public abstract List<Expr> children();

    /** The code that evaluates this expression. */
    abstract CompiledExpr code();

    @Override
    public final String toString() {
        return print();
    }

    @Override
    public final boolean equals(Object other) {
        return this == other || other instanceof Expr expr && sameAs(expr);
    }

    /** Data that tells this node from others of its kind, besides its parts. */
    Object own() {
        return "";
    }

    boolean sameAs(Expr other) {
        return getClass() == other.getClass()
                && own().equals(other.own())
                && children().equals(other.children());
    }

    @Override
    public int hashCode() {
        return own().hashCode() * 31 + children().hashCode();
    }

    /** An expression other than a constant: it is compiled when it is first evaluated. */
    abstract static sealed class Evaluated extends Expr
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

        Evaluated(int height) {
            if (height > HIGHEST) {
                throw new IllegalArgumentException(
                        "The expression is nested more than %d levels deep.".formatted(HIGHEST));
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
                // Two threads may each compile it; either result serves, and its final fields publish it safely.
                compiled = LanguageServices.loaded().compile(this);
                code = compiled;
            }
            return compiled;
        }
    }
}
