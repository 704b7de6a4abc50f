package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.match.Candidates;
import org.metasched.classad.match.Clause;
import org.metasched.classad.match.OfferSet;
import org.metasched.classad.match.Place;
import org.metasched.classad.match.Request;

/**
 * Why a root gets no gang from a pool.
 *
 * @param reasons one sentence each, port by port
 */
public record RootExplanation(List<String> reasons) {

    public RootExplanation {
        reasons = List.copyOf(reasons);
    }

    /** Looks at each port by itself, with its neighbours not chosen yet. */
    public static RootExplanation of(PortedAd root, GangPool pool) {
        var reasons = new ArrayList<String>();
        var member = new Member(root, -1, -1);
        boolean eachPortHasSome = true;
        for (Member.Slots slots : member.slots()) {
            laterLabels(root, slots.port, reasons);
            eachPortHasSome &= candidates(slots, pool, reasons) >= slots.port.least();
        }
        Gangmatcher.Marshalled alone = new DynamicGangmatcher().marshal(root, pool);
        if (alone.gang().isPresent()) {
            reasons.add("Alone it would get a gang: others before it took what it needs.");
        } else if (!alone.exhaustive()) {
            reasons.add("The search was given up at its limit.");
        } else if (eachPortHasSome) {
            reasons.add("Every port has candidates, but no choice of them fits together.");
        }
        return new RootExplanation(reasons);
    }

    private static int candidates(Member.Slots slots, GangPool pool, List<String> reasons) {
        Port port = slots.port;
        if (port.side().constraint() == null) {
            reasons.add("Port " + port.label() + " has no Constraint, and a port without one matches nothing.");
            return 0;
        }
        Ask ask = Ask.of(slots, List.of(), pool.index());
        if (ask.hopeless()) {
            for (Place.Conjunct conjunct : slots.waiting().conjuncts()) {
                if (conjunct.read() == Clause.Decided.NOT_MET) {
                    reasons.add("Port " + port.label() + ": " + conjunct.expr().print() + " is "
                            + conjunct.value().print() + " whoever docks.");
                }
            }
            return 0;
        }
        int all = free(pool.candidates(ask.request()), pool);
        reasons.add("Port " + port.label() + ": " + all + " of " + pool.size() + " offers may dock"
                + (ask.shunted().isEmpty() ? "." : ", before clauses that also need other ports."));
        if (all == 0) {
            whichClause(slots, pool, reasons);
        }
        return all;
    }

    private static void whichClause(Member.Slots slots, GangPool pool, List<String> reasons) {
        Place place = slots.waiting();
        for (Place.Conjunct conjunct : place.conjuncts()) {
            Clause clause = conjunct.read();
            boolean here = clause.missing().stream().allMatch(wanted -> wanted.bond() == place.own());
            if (here && !(clause instanceof Clause.Decided)) {
                OfferSet met = pool.index().meeting(place, clause);
                reasons.add("  " + conjunct.expr().print() + " is met by " + met.count()
                        + (met.isEmpty() ? ": nothing in the pool can ever satisfy it." : "."));
            }
        }
        int willing = free(pool.candidates(Request.of(place, List.of(), pool.index())), pool);
        reasons.add("  " + willing + " offers accept the root at this port.");
    }

    private static int free(Candidates candidates, GangPool pool) {
        return candidates.offers().countCommon(pool.free());
    }

    /** A label may be used from its own port on; before that it is UNDEFINED, which is seldom what was meant. */
    private static void laterLabels(PortedAd root, Port port, List<String> reasons) {
        ClassAd inner = port.side().port();
        if (inner == null) {
            return;
        }
        Set<String> used = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (Expr expr : inner.expressions()) {
            used.addAll(expr.names());
        }
        for (Port later : root.ports().subList(port.index() + 1, root.ports().size())) {
            boolean attribute = inner.has(later.label()) || root.ad().has(later.label());
            if (used.contains(later.label().toLowerCase(Locale.ROOT)) && !attribute) {
                reasons.add("Port " + port.label() + " refers to label " + later.label()
                        + ", which is declared later; there it is UNDEFINED.");
            }
        }
    }
}
