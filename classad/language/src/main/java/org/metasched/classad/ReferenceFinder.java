package org.metasched.classad;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.classad.text.Bytes;
import org.metasched.classad.text.Name;

/** The finder of the names that an expression refers to, directly and through attributes of an ad: {@link Expr#references}. */
final class ReferenceFinder {

    /** The depth of attributes that refer to each other beyond which the result is incomplete. */
    private static final int DEEPEST = 400;

    /** The limits of evaluating the base of a selection. */
    private static final Limits FEW_STEPS = Limits.DEFAULT.withEvaluationSteps(10_000);

    /** The steps for which the evaluation of a selection's base counts: a tenth of its limit, as most bases take few. */
    private static final int SELECTION_STEPS = 1_000;

    private final Set<String> external = names();
    private final Set<String> externalTop = names();
    private final Set<String> internal = names();

    /** The attributes that are being visited, each referred to by the one visited before it. */
    private final Deque<BuiltInAttributes.Found> visits = new ArrayDeque<>();

    private final Scope root;

    /** The steps that are left to this search; at first a tenth of an evaluation's. */
    private int steps = Limits.DEFAULT.evaluationSteps() / 10;

    /** Whether the search was given up, so that the sets are incomplete; see {@link References#circular}. */
    private boolean refused;

    private final EvaluationClock clock = new EvaluationClock(null);

    private ReferenceFinder(Scope root) {
        this.root = root;
    }

    /** A new set of names in alphabetical order, without regard to case. */
    private static Set<String> names() {
        return new TreeSet<>((a, b) -> Bytes.compareIgnoringCase(Bytes.encode(a), Bytes.encode(b)));
    }

    /** The references of an expression in an ad. */
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

    /** The names of all attribute references in an expression itself. */
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

    /**
     * Visits an expression.
     *
     * @param full whether names that the ad lacks are added to {@link #external}
     * @param top whether names that the ad lacks are added to {@link #externalTop}
     */
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

    /** Visits a name that is looked up from a scope outward. */
    private void reference(Name name, Scope from, boolean full, boolean top) {
        BuiltInAttributes.Found found = BuiltInAttributes.find(name, from, clock);
        // The parent of an ad that stands in no other is as if it were missing.
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

    /** Visits a selection; gives up if its base is neither an ad nor UNDEFINED. */
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

    /** Notes and visits the attribute that a name is bound to; a built-in one refers to nothing. */
    private void follow(Name name, BuiltInAttributes.Found found, boolean full, boolean top) {
        if (!found.isAttribute()) {
            return;
        }
        if (found.scope().ad() == root.ad()) {
            internal.add(name.text());
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
