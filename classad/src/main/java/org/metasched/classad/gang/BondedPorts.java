package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Candidates;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Grouping;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Place;

/**
 * One root whose ports are filled by turns to find out who may come to them: for roots about whom numbers of offers do not say all.
 * Not thread-safe.
 */
final class BondedPorts {

    private final GangPool pool;
    private final Member root;
    private final List<Ask> asks;
    private boolean exact = true;
    private long probes;
    private long evaluations;

    BondedPorts(PortedAd ad, GangPool pool) {
        this.pool = pool;
        this.root = new Member(ad, -1, -1);
        this.asks = root.slots().stream()
                .limit(2)
                .map(slots -> Ask.of(slots, List.of(), pool.index()))
                .toList();
    }

    /** Whether everything could be decided so far. */
    boolean isExact() {
        return exact;
    }

    long probes() {
        return probes;
    }

    long evaluations() {
        return evaluations;
    }

    /** Who may come to a port while the other is open. */
    OfferSet candidates(int port) {
        return asks.stream().anyMatch(Ask::hopeless) ? OfferSet.none(pool.entries()) : sure(asks.get(port), List.of());
    }

    /** Neighbours of a port that the other cannot tell apart; null if it may tell apart any two. */
    @Nullable
    Grouping alike(int port) {
        return new Alike(pool, List.of(root), asks.get(port), null).grouping();
    }

    /** Candidates that are still to be had; those that only a check of the whole docking tells apart are checked. */
    private OfferSet sure(Ask ask, List<Place.Conjunct> pending) {
        probes++;
        Candidates answer = pool.candidates(ask.request());
        OfferSet offers = answer.offers().copy();
        offers.retainAll(pool.free());
        exact &= !offers.intersects(pool.entriesWithMorePorts());
        for (int entry = offers.next(0); entry >= 0; entry = offers.next(entry + 1)) {
            if (answer.mustCheck(entry) && !passes(ask, entry, pending)) {
                offers.remove(entry);
            }
        }
        return offers;
    }

    private boolean passes(Ask ask, int entry, List<Place.Conjunct> pending) {
        evaluations++;
        Place place = ask.slots().waiting();
        Member member = dock(ask, entry);
        var all = new ArrayList<>(pending);
        all.addAll(place.conjuncts());
        all.addAll(member.dockPlace().conjuncts());
        boolean passes = all.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET);
        ask.slots().undock();
        return passes;
    }

    private Member dock(Ask ask, int entry) {
        GangPool.Entry offer = pool.entry(entry);
        var member = new Member(offer.ad(), offer.number(), offer.dock());
        ask.slots().dock(member, member.dockPlace(), entry);
        return member;
    }

    /** The offers for a second port once an entry is bound to the first. */
    OfferSet beyond(int firstPort, int entry, int secondPort) {
        Ask first = asks.get(firstPort);
        Member member = dock(first, entry);
        var pending = new ArrayList<>(first.shunted());
        for (Place.Conjunct conjunct : member.dockPlace().conjuncts()) {
            if (conjunct.read() != Clause.Decided.MET) {
                pending.add(conjunct);
            }
        }
        Ask second = Ask.of(root.slots().get(secondPort), pending, pool.index());
        exact &= second.shunted().isEmpty();
        OfferSet offers = second.hopeless() ? OfferSet.none(pool.entries()) : sure(second, pending);
        first.slots().undock();
        return offers;
    }
}
