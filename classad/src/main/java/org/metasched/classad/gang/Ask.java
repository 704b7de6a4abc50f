package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.Request;

/**
 * What an open port asks at one moment of a search.
 *
 * @param slots the port
 * @param request its request to the index: its own clauses and those shunted here from other ports
 * @param shunted the clauses that wait for yet another port
 * @param hopeless whether some clause is false already, whoever comes
 */
record Ask(Member.Slots slots, Request request, List<Place.Conjunct> shunted, boolean hopeless) {

    static Ask of(Member.Slots slots, List<Place.Conjunct> pending, OfferIndex pool) {
        Place place = slots.waiting();
        var here = new ArrayList<Clause>();
        var shunted = new ArrayList<Place.Conjunct>();
        boolean possible = sort(place.conjuncts(), place, here, shunted) && sort(pending, place, here, shunted);
        return new Ask(slots, Request.of(place, here, pool), shunted, !possible);
    }

    private static boolean sort(
            List<Place.Conjunct> conjuncts, Place place, List<Clause> here, List<Place.Conjunct> shunted) {
        for (Place.Conjunct conjunct : conjuncts) {
            Clause clause = conjunct.read();
            if (clause == Clause.Decided.NOT_MET) {
                return false;
            }
            if (clause != Clause.Decided.MET) {
                if (clause.missing().stream().allMatch(wanted -> wanted.bond() == place.own())) {
                    here.add(clause);
                } else {
                    shunted.add(conjunct);
                }
            }
        }
        return true;
    }
}
