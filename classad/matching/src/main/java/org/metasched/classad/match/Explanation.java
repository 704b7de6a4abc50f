package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Selection;
import org.metasched.classad.Value;
import org.metasched.classad.index.Comparisons;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.MatchParty;

/** The explanation why two ads match or do not: every conjunct of their constraints is evaluated by itself. */
final class Explanation {

    /** The most operands of a conjunct that are shown. */
    private static final int MOST_OPERANDS = 12;

    private Explanation() {}

    /** The verdict on two ads that match as a whole. */
    static Verdict of(ClassAd customer, ClassAd offer) {
        var mine = new EvaluationSite(MatchParty.whole(customer));
        var theirs = new EvaluationSite(MatchParty.whole(offer));
        return mine.facing(theirs, () -> verdict(customer, offer, mine, theirs));
    }

    private static Verdict verdict(ClassAd customer, ClassAd offer, EvaluationSite mine, EvaluationSite theirs) {
        var notes = new ArrayList<>(notes("The customer", mine));
        notes.addAll(notes("The offer", theirs));
        boolean both = mine.isSatisfied() && theirs.isSatisfied();
        return new Verdict(
                customer, offer, both, conjuncts(mine), conjuncts(theirs), mine.rank(), theirs.rank(), notes);
    }

    /** The conjuncts of a side's constraint with their values at its evaluation site. */
    static List<Verdict.Conjunct> conjuncts(EvaluationSite site) {
        if (site.side().constraint() == null) {
            return List.of();
        }
        var result = new ArrayList<Verdict.Conjunct>();
        for (EvaluationSite.Conjunct conjunct : site.conjuncts()) {
            Value value = conjunct.value();
            var operands = new LinkedHashMap<String, Value>();
            operands(conjunct).forEach((operand, seen) -> operands.put(operand.print(), seen));
            result.add(new Verdict.Conjunct(conjunct.expr().print(), value, value.satisfies(), operands));
        }
        return result;
    }

    /** The operands of a conjunct and their values. */
    static Map<Expr, Value> operands(EvaluationSite.Conjunct conjunct) {
        var operands = new LinkedHashMap<Expr, Value>();
        collect(conjunct.expr(), conjunct, operands);
        return operands;
    }

    private static void collect(Expr expr, EvaluationSite.Conjunct conjunct, Map<Expr, Value> into) {
        Expr bare = expr.bare();
        if (into.size() >= MOST_OPERANDS) {
            return;
        }
        if (bare instanceof AttributeRef || bare instanceof Selection) {
            into.putIfAbsent(bare, conjunct.with(bare).value());
        } else {
            bare.children().forEach(child -> collect(child, conjunct, into));
        }
    }

    /** Problems of a side by itself. */
    static List<String> notes(String who, EvaluationSite site) {
        MatchParty side = site.side();
        Expr constraint = side.constraint();
        if (constraint == null) {
            return List.of(
                    side.isWhole()
                            ? who + " has no Requirements, and an ad without them matches nothing."
                            : who + " has no Constraint, and a port without one matches nothing.");
        }
        var notes = new ArrayList<String>();
        if (isCircular(constraint, side)) {
            notes.add(who
                    + " has attributes that refer to each other in a circle, or too far to be followed: no values.");
        }
        Value value = site.conjunct(constraint).value();
        boolean isTruthValue = value.isExceptional() || Comparisons.isNumeric(value);
        if (!isTruthValue) {
            notes.add(who + "'s " + (side.isWhole() ? "Requirements are " : "Constraint is ") + value.print()
                    + ", which is neither true nor false.");
        }
        return notes;
    }

    /** Whether a constraint needs attributes of its own ad that refer to each other in a circle. */
    static boolean isCircular(Expr constraint, MatchParty side) {
        ClassAd port = side.port();
        ClassAd seen = port == null ? side.holder() : side.holder().with(port);
        return constraint.references(seen, LookupMode.OLD).circular();
    }
}
