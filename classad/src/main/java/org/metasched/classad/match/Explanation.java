package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Mode;
import org.metasched.classad.Selection;
import org.metasched.classad.Value;

/** Takes the constraints of two ads apart and evaluates every conjunct by itself. */
final class Explanation {

    private static final int MOST_OPERANDS = 12;

    private Explanation() {}

    static Verdict of(ClassAd customer, ClassAd offer) {
        Place mine = Place.facing(Side.whole(customer), Side.whole(offer));
        Place theirs = mine.own().peer();
        if (theirs == null) {
            throw new IllegalStateException("Places that face each other are bound.");
        }
        var notes = new ArrayList<String>();
        notes.addAll(notes("The customer", mine));
        notes.addAll(notes("The offer", theirs));
        return new Verdict(
                customer,
                offer,
                mine.isSatisfied() && theirs.isSatisfied(),
                conjuncts(mine),
                conjuncts(theirs),
                mine.rank(),
                theirs.rank(),
                notes);
    }

    /** The conjuncts of a side's constraint with the values they have in its place. */
    static List<Verdict.Conjunct> conjuncts(Place place) {
        if (place.side().constraint() == null) {
            return List.of();
        }
        var result = new ArrayList<Verdict.Conjunct>();
        for (Place.Conjunct conjunct : place.conjuncts()) {
            Value value = conjunct.value();
            result.add(new Verdict.Conjunct(conjunct.expr().print(), value, value.satisfies(), operands(conjunct)));
        }
        return result;
    }

    private static Map<String, Value> operands(Place.Conjunct conjunct) {
        var operands = new LinkedHashMap<String, Value>();
        collect(conjunct.expr(), conjunct, operands);
        return operands;
    }

    private static void collect(Expr expr, Place.Conjunct conjunct, Map<String, Value> into) {
        Expr bare = expr.bare();
        if (into.size() >= MOST_OPERANDS) {
            return;
        }
        if (bare instanceof AttributeRef || bare instanceof Selection) {
            into.putIfAbsent(bare.print(), conjunct.place().evaluate(bare, conjunct.level()));
        } else {
            bare.children().forEach(child -> collect(child, conjunct, into));
        }
    }

    /** What is wrong with a side by itself. */
    static List<String> notes(String who, Place place) {
        var notes = new ArrayList<String>();
        Expr constraint = place.side().constraint();
        if (constraint == null) {
            notes.add(who + " has no Requirements, and an ad without them matches nothing.");
        } else if (constraint.references(place.side().holder(), Mode.OLD).circular()) {
            notes.add(who + " has attributes that refer to each other in a circle; they are UNDEFINED.");
        }
        if (constraint != null) {
            Value value = place.evaluate(constraint);
            boolean isTruthValue = value.isExceptional() || Comparisons.isNumeric(value);
            if (!isTruthValue) {
                notes.add(who + "'s Requirements are " + value.print() + ", which is neither true nor false.");
            }
        }
        return notes;
    }
}
