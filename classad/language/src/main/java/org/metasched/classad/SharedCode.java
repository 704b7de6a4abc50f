package org.metasched.classad;

import java.util.ArrayList;
import java.util.List;
import org.metasched.classad.text.BoundedCache;

/**
 * Code of all expressions that differ only in numbers and texts, which are its parameters. The machines of a pool whose policies
 * differ in thresholds so have one code, which stays in the processor's caches. Immutable, thread-safe.
 *
 * @param example one of the expressions
 */
record SharedCode(int hash, Expr example, CompiledExpr code) {

    private static final BoundedCache<SharedCode> CACHE =
            new BoundedCache<>(1 << 12, shared -> 256 + 160L * shared.code.size());

    /** The code of an expression. {@code O(n)} in its nodes; compiles nothing while code of one alike is kept. */
    static CompiledExpr of(Expr expr) {
        var parameters = new ArrayList<Literal>();
        int hash = collect(expr, parameters);
        SharedCode shared = CACHE.get(hash);
        if (shared == null || !alike(shared.example, expr)) {
            shared = new SharedCode(hash, expr, Compiler.parametrised(expr));
            CACHE.put(hash, shared);
        }
        return parameters.isEmpty()
                ? shared.code
                : new CompiledExpr.Parametrised(shared.code, parameters.toArray(Literal[]::new));
    }

    /** Collects the parameters from left to right. Returns a hash of the rest. */
    private static int collect(Expr written, List<Literal> parameters) {
        Expr expr = written.bare();
        if (isParameter(expr)) {
            parameters.add((Literal) expr);
            return ((Literal) expr).isNumber() ? 1 : 2;
        }
        if (isWhole(expr)) {
            return expr.hashCode();
        }
        int hash = expr.getClass().getName().hashCode() * 31 + expr.own().hashCode();
        for (Expr part : expr.children()) {
            hash = hash * 31 + collect(part, parameters);
        }
        return hash;
    }

    /** Whether two expressions differ only in parameters. */
    private static boolean alike(Expr writtenA, Expr writtenB) {
        Expr a = writtenA.bare();
        Expr b = writtenB.bare();
        if (isParameter(a) && isParameter(b)) {
            return ((Literal) a).isNumber() == ((Literal) b).isNumber();
        }
        if (isWhole(a) || isWhole(b)) {
            return a.equals(b);
        }
        List<Expr> parts = a.children();
        List<Expr> others = b.children();
        boolean same = a.getClass() == b.getClass() && a.own().equals(b.own()) && parts.size() == others.size();
        for (int i = 0; same && i < parts.size(); i++) {
            same = alike(parts.get(i), others.get(i));
        }
        return same;
    }

    /** Whether the code takes this literal from the expression: a number or a text. */
    static boolean isParameter(Expr expr) {
        return expr instanceof Literal literal
                && !literal.isRelativeTime()
                && (literal.isNumber() || literal.value() instanceof Value.Text);
    }

    /** Whether code belongs to this very expression: a function may look at its call, and what is constant is computed ahead. */
    static boolean isWhole(Expr expr) {
        if (expr instanceof Call call) {
            return !call.isNamed("ifThenElse");
        }
        boolean operator = expr instanceof Binary || expr instanceof Unary;
        return !operator
                        && !(expr instanceof AttributeRef
                                || expr instanceof Selection
                                || expr instanceof Subscript
                                || expr instanceof Conditional)
                || operator && expr.children().stream().allMatch(part -> part.bare() instanceof Literal);
    }
}
