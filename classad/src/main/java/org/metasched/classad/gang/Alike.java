package org.metasched.classad.gang;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Grouping;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.Wanted;

/**
 * Which candidates of a port the rest of a gang cannot tell apart: those that agree in every attribute that other open ports, the
 * offers that may come there, and the preference among gangs look at, and whose own clauses that wait for others are the same. If
 * one of them has failed, so will the others. Belongs to one step of a search.
 */
final class Alike {

    private final GangPool pool;
    private final List<Member> members;
    private final Ask ask;
    private final @Nullable Expr gangRank;
    private boolean known;
    private @Nullable Grouping grouping;

    Alike(GangPool pool, List<Member> members, Ask ask, @Nullable Expr gangRank) {
        this.pool = pool;
        this.members = members;
        this.ask = ask;
        this.gangRank = gangRank;
    }

    /** Removes from a set what is like an entry. */
    void remove(int entry, OfferSet from) {
        // An offer with further ports may differ in them from all others.
        Grouping groups = grouping();
        if (groups != null && pool.entry(entry).ad().ports().size() == 1) {
            from.removeAll(groups.members(groups.groupOf(entry)));
        }
    }

    /** The groups, or null if every candidate may be different. */
    @Nullable
    Grouping grouping() {
        if (!known) {
            known = true;
            grouping = pool.index().grouping(significantAttributes(), demandedLater());
        }
        return grouping;
    }

    /** Attributes of the coming neighbour that something else in the gang depends on. */
    private Set<String> significantAttributes() {
        var wanted = new HashSet<Wanted>();
        Place here = ask.slots().waiting();
        for (Place.Conjunct conjunct : ask.shunted()) {
            wanted.addAll(missing(conjunct));
        }
        for (Member member : members) {
            for (Member.Slots slots : member.slots()) {
                if (slots.isOpen() && slots != ask.slots()) {
                    Place place = slots.waiting();
                    place.conjuncts().forEach(conjunct -> wanted.addAll(missing(conjunct)));
                    for (String attribute : pool.index().demandedAttributes()) {
                        wanted.addAll(place.attribute(attribute).missing());
                    }
                }
            }
        }
        if (gangRank != null) {
            wanted.addAll(members.get(0).overview().missingFor(gangRank));
        }
        var attributes = new HashSet<String>();
        wanted.stream().filter(w -> w.bond() == here.own()).forEach(w -> attributes.add(w.attribute()));
        return attributes;
    }

    private static Set<Wanted> missing(Place.Conjunct conjunct) {
        Clause clause = conjunct.read();
        return clause.missing();
    }

    /** Attributes of the asking port that are not known yet: what a candidate demands of them still counts. */
    private Set<String> demandedLater() {
        return ask.request().undecidedAttributes();
    }
}
