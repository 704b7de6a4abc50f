package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An expression: the tree as it was written, parentheses included. Immutable, thread-safe. Equal expressions are the same tree with
 * names in the same case; only the attribute names of nested ads are compared ignoring case.
 *
 * <p>The first evaluation compiles the expression. Expressions that differ only in numbers and texts share compiled code, and equal
 * texts usually parse to the same object.
 */
public abstract sealed class Expr permits Literal, Expr.Evaluated {

    /** The greatest height of an expression, so that recursion over any tree needs a bounded stack. */
    public static final int HIGHEST = 3_000;

    /** The number of levels of nodes below this one; 0 for a node without parts. */
    public int height() {
        return 0;
    }

    /** The height of a node above one part; the other methods of this name do the same for more parts. */
    static int heightAbove(Expr part) {
        return part.height() + 1;
    }

    static int heightAbove(Expr a, Expr b) {
        return Math.max(a.height(), b.height()) + 1;
    }

    static int heightAbove(List<Expr> parts) {
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
     * Parses an expression of the new syntax in a dialect; all of the text must be one expression.
     *
     * @throws ClassAdSyntaxException with the place of the first error
     */
    public static Expr parse(String text, Dialect dialect) throws ClassAdSyntaxException {
        return parse(text, ReadOptions.NEW.with(dialect));
    }

    /** Parses an expression; all of the text must be one expression. */
    public static Expr parse(String text, ReadOptions reading) throws ClassAdSyntaxException {
        return LanguageServices.loaded().expression(text, reading);
    }

    /** The value of the expression in a scope. Throws nothing: an evaluation that fails or exceeds the limits is ERROR. */
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

    /**
     * The text of the expression in the new syntax. It parses to an equal tree; a few constants become other expressions of the same
     * value: {@code - 5} becomes {@code -5}, and an infinite real becomes a call.
     */
    public final String print() {
        return print(Syntax.NEW);
    }

    /** The text of the expression in the old syntax, or for all other forms in the new one, which JSON and XML embed. */
    public final String print(Syntax syntax) {
        return LanguageServices.loaded().print(this, syntax);
    }

    /**
     * The names that this expression uses, directly or through attributes of an ad: those that the ad has and those that it lacks.
     * Incomplete if the attributes refer to each other in a circle: see {@link References#circular()}.
     */
    public final References references(ClassAd ad, LookupMode mode) {
        return LanguageServices.loaded().references(this, ad, mode);
    }

    /** The names of attribute references in this expression, bases of selections included; none is looked up in an ad. */
    public final Set<String> names() {
        return LanguageServices.loaded().names(this);
    }

    /**
     * This expression, partially evaluated in a scope: names that the scope lacks remain. A {@link Literal} if no name remains. In any scope
     * that adds the missing names to this scope's, the result has the same value as this expression.
     */
    public final Expr flatten(Scope scope) {
        return LanguageServices.loaded().flatten(this, scope);
    }

    /**
     * The operands of {@code &&}, nested ones and those in parentheses included, from left to right; this expression alone if it is
     * no {@code &&}.
     */
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

    /** Whether this is an ad that is written in an expression, {@link RecordExpr}. */
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

    /** The operator, name or other trait by which this node differs from others of its class with the same parts. */
    Object trait() {
        return "";
    }

    /** Whether another expression, not this object, is equal to this one. */
    boolean sameAs(Expr other) {
        return getClass() == other.getClass()
                && trait().equals(other.trait())
                && children().equals(other.children());
    }

    @Override
    public int hashCode() {
        return trait().hashCode() * 31 + children().hashCode();
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
                // Two threads may each compile it: the results are equivalent, and their final fields publish them
                // safely.
                compiled = LanguageServices.loaded().compile(this);
                code = compiled;
            }
            return compiled;
        }
    }
}
