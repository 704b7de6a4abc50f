package org.metasched.classad;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/** Walks an expression, and through the attributes of an ad what they refer to. */
final class ReferenceFinder {

    private static final int DEEPEST = 400;

    /** Limits of evaluating the base of a selection, whose cost counts for the walk in part. */
    private static final Limits FEW_STEPS = Limits.DEFAULT.withEvaluationSteps(10_000);

    private static final int SELECTION_STEPS = 1_000;

    private final Set<String> external = names();
    private final Set<String> externalTop = names();
    private final Set<String> internal = names();
    private final Deque<BuiltInAttributes.Found> visits = new ArrayDeque<>();
    private final Scope root;
    private int steps = Limits.DEFAULT.evaluationSteps() / 10;
    private boolean refused;
    private final EvaluationClock present = new EvaluationClock(null);

    private ReferenceFinder(Scope root) {
        this.root = root;
    }

    private static Set<String> names() {
        return new TreeSet<>((a, b) -> Bytes.compareIgnoringCase(Bytes.encode(a), Bytes.encode(b)));
    }

    static References find(Expr expr, ClassAd ad, LookupMode mode) {
        Scope scope = Scope.of(ad, mode, FEW_STEPS);
        var finder = new ReferenceFinder(scope);
        finder.visit(expr, scope, true, true);
        return new References(
                Collections.unmodifiableSet(finder.external),
                Collections.unmodifiableSet(finder.externalTop),
                Collections.unmodifiableSet(finder.internal),
                finder.refused);
    }

    static Set<String> namesIn(Expr expr) {
        Set<String> found = names();
        collect(expr, found);
        return Collections.unmodifiableSet(found);
    }

    private static void collect(Expr expr, Set<String> found) {
        if (expr instanceof AttributeRef ref) {
            found.add(ref.name());
        }
        for (Expr child : expr.children()) {
            collect(child, found);
        }
    }

    /** Visits for external names with their selections ({@code full}), for the names alone, or for internal ones only. */
    private void visit(Expr expr, Scope scope, boolean full, boolean top) {
        if (--steps < 0) {
            refused = true;
        }
        if (refused) {
            return;
        }
        if (expr instanceof AttributeRef ref) {
            reference(ref.key(), ref.absolute() ? scope.root() : scope, full, top);
        } else if (expr instanceof Selection selection) {
            selection(selection, scope, full, top);
        } else {
            for (Expr child : expr.children()) {
                visit(child, scope, full, top);
            }
        }
    }

    private void reference(Name name, Scope from, boolean full, boolean top) {
        BuiltInAttributes.Found found = BuiltInAttributes.find(name, from, present);
        if (found == null || !found.isAttribute() && found.expr() == Literal.UNDEFINED) {
            addExternal(name.text(), full, top);
        } else {
            follow(name, found, full, top);
        }
    }

    private void addExternal(String name, boolean full, boolean top) {
        if (full) {
            external.add(name);
        }
        if (top) {
            externalTop.add(name);
        }
    }

    private void selection(Selection selection, Scope scope, boolean full, boolean top) {
        steps -= SELECTION_STEPS;
        Value base = selection.base().evaluate(scope);
        if (base == Value.UNDEFINED) {
            if (full) {
                external.add(selection.base().print() + "." + selection.name());
            }
            visit(selection.base(), scope, false, top);
        } else if (base instanceof Value.Record record) {
            visit(selection.base(), scope, false, false);
            reference(selection.key(), record.scope(), full, top);
        } else {
            refused = true;
        }
    }

    private void follow(Name name, BuiltInAttributes.Found found, boolean full, boolean top) {
        if (found.scope().ad() == root.ad() && found.isAttribute()) {
            internal.add(name.text());
        }
        if (!found.isAttribute()) {
            return;
        }
        if (visits.size() > DEEPEST || visits.stream().anyMatch(found::isAlso)) {
            refused = true;
            return;
        }
        visits.push(found);
        visit(found.expr(), found.scope(), full, top);
        visits.pop();
    }
}
