package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;
import org.metasched.classad.index.Candidates;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.Ranking;
import org.metasched.classad.index.Request;

/**
 * One depth-first search for a gang over indexes: choose an open port, bind a candidate, shunt the clauses that cannot be decided
 * yet to the port where they can, go on, and come back if some port is left without candidates.
 *
 * <p>A root with a {@code GangRank} is given the best of its gangs by that expression, in which all its labels may stand; the
 * search then looks at all gangs, up to a limit. Used once, not thread-safe.
 */
final class GangSearch {

    /** Larger gangs than this are not sought: the search recurses once per member. */
    private static final int MOST_MEMBERS = 1_000;

    private static final long MOST_BINDINGS = 5_000_000;
    private static final int MOST_COMPLETE_GANGS = 10_000;

    private final GangPool pool;
    private final PortChoice choice;
    private final boolean skipsEquals;
    private final List<Member> members = new ArrayList<>();
    private final List<Integer> taken = new ArrayList<>();
    private final @Nullable Expr gangRank;
    private final Probes probes;
    private long bindings;
    private long backtracks;
    private long evaluations;
    private int complete;
    private boolean givenUp;
    private Gang.@Nullable Member best;
    private double bestRank;

    /**
     * Prepares a search.
     *
     * @param skipsEquals whether, once a candidate has failed, others that nobody in this gang could tell apart from it are
     *     passed over: each distinct residual constraint is probed once
     */
    GangSearch(PortedAd root, GangPool pool, PortChoice choice, boolean skipsEquals) {
        this.pool = pool;
        this.choice = choice;
        this.skipsEquals = skipsEquals;
        this.probes = new Probes(pool, taken);
        this.gangRank = root.gangRank();
        members.add(new Member(root, -1, -1));
    }

    Gangmatcher.Marshalled run() {
        long before = pool.index().evaluations();
        extend(List.of());
        long byIndex = pool.index().evaluations() - before;
        Gang.Member found = best;
        return new Gangmatcher.Marshalled(
                found == null ? Optional.empty() : Optional.of(new Gang(found)),
                new Effort(probes.count(), evaluations + byIndex, backtracks),
                !givenUp);
    }

    /** Goes on from the members bound so far; true if the search is over. */
    private boolean extend(List<Place.Conjunct> pending) {
        List<Ask> asks = choice.asks(members, pending, pool);
        if (asks.isEmpty()) {
            return complete(pending);
        }
        PortChoice.Chosen chosen = choice.choose(asks, probes);
        if (chosen == null) {
            return false;
        }
        if (bindAny(chosen, pending)) {
            return true;
        }
        Member.Slots slots = chosen.ask().slots();
        if (!slots.mayClose()) {
            return false;
        }
        slots.close();
        boolean over = extend(pending);
        slots.reopen();
        return over;
    }

    private boolean bindAny(PortChoice.Chosen chosen, List<Place.Conjunct> pending) {
        Ask ask = chosen.ask();
        if (ask.hopeless()) {
            return false;
        }
        OfferSet untried = chosen.candidates().offers().copy();
        untried.retainAll(pool.free());
        taken.forEach(number -> pool.entriesOf(number, untried::remove));
        int last = ask.slots().lastEntry();
        Ranking ranking = Ranking.of(pool.index(), ask.slots().waiting());
        Alike alike = skipsEquals ? new Alike(pool, members, ask, gangRank) : null;
        if (ranking != null) {
            for (int entry : ranked(ranking, untried, last)) {
                if (untried.contains(entry) && tryOne(entry, chosen, pending, untried, alike)) {
                    return true;
                }
            }
            return false;
        }
        for (int entry = untried.next(last + 1); entry >= 0; entry = untried.next(entry + 1)) {
            if (tryOne(entry, chosen, pending, untried, alike)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The candidates in order of preference. Neighbours at one port are alike, so only those after the last one bound count, and
     * each set of them is tried once.
     */
    static int[] ranked(Ranking ranking, OfferSet untried, int last) {
        if (last < 0) {
            return ranking.sorted(untried);
        }
        OfferSet withLast = untried.copy();
        withLast.add(last);
        int[] sorted = ranking.sorted(withLast);
        int place = 0;
        while (sorted[place] != last) {
            place++;
        }
        return Arrays.copyOfRange(sorted, place + 1, sorted.length);
    }

    private boolean tryOne(
            int entry,
            PortChoice.Chosen chosen,
            List<Place.Conjunct> pending,
            OfferSet untried,
            @Nullable Alike alike) {
        if (givenUp || ++bindings > MOST_BINDINGS || members.size() >= MOST_MEMBERS) {
            givenUp = true;
            return true;
        }
        untried.remove(entry);
        Ask ask = chosen.ask();
        Place place = ask.slots().waiting();
        Member member = pool.memberOf(entry);
        member.slots().forEach(Member.Slots::forget);
        ask.slots().dock(member, member.dockPlace(), entry);
        List<Place.Conjunct> left =
                chosen.candidates().mustCheck(entry) ? check(place, member.dockPlace(), pending) : ask.shunted();
        long sharedBefore = probes.shared();
        boolean over = left != null && extendWith(member, left);
        ask.slots().undock();
        if (over) {
            return true;
        }
        backtracks++;
        // Others that are alike share its fate only if it was the rest of the gang that failed, and not for want of
        // this very offer.
        if (alike != null && left != null && probes.shared() == sharedBefore) {
            alike.remove(entry, untried);
        }
        return false;
    }

    private boolean extendWith(Member member, List<Place.Conjunct> left) {
        members.add(member);
        taken.add(member.number());
        boolean over = extend(left);
        taken.remove(taken.size() - 1);
        members.remove(members.size() - 1);
        return over;
    }

    /** Checks a docking from both sides: null if it fails, else what cannot be decided yet. */
    private @Nullable List<Place.Conjunct> check(Place place, Place other, List<Place.Conjunct> pending) {
        evaluations++;
        var left = new ArrayList<Place.Conjunct>();
        return holds(pending, left) && holds(place.conjuncts(), left) && holds(other.conjuncts(), left) ? left : null;
    }

    /** Whether none of these is false; those that cannot be decided yet are added to what is left. */
    static boolean holds(List<Place.Conjunct> conjuncts, List<Place.Conjunct> left) {
        for (Place.Conjunct conjunct : conjuncts) {
            Clause clause = conjunct.read();
            if (clause == Clause.Decided.NOT_MET) {
                return false;
            }
            if (clause != Clause.Decided.MET) {
                left.add(conjunct);
            }
        }
        return true;
    }

    private boolean complete(List<Place.Conjunct> pending) {
        var left = new ArrayList<Place.Conjunct>();
        if (!holds(pending, left) || !left.isEmpty()) {
            return false;
        }
        Member top = members.get(0);
        if (gangRank == null) {
            best = top.toGang();
            return true;
        }
        double rank = top.overview().evaluate(gangRank).rank();
        if (best == null || rank > bestRank) {
            best = top.toGang();
            bestRank = rank;
        }
        givenUp = ++complete >= MOST_COMPLETE_GANGS;
        return givenUp;
    }

    /** Requests to the index, counted. */
    static final class Probes {
        private final GangPool pool;
        private final List<Integer> taken;
        private long count;
        private long shared;

        Probes(GangPool pool, List<Integer> taken) {
            this.pool = pool;
            this.taken = taken;
        }

        long count() {
            return count;
        }

        /** How often a member of this gang was missing from the candidates of another port. */
        long shared() {
            return shared;
        }

        /** Whether it is known that nobody answers a request any more in this cycle. */
        boolean isExhausted(Request request) {
            return pool.isExhausted(request);
        }

        /** The candidates of a port; what it asked last it is not asked again. */
        Candidates ask(Ask ask) {
            Candidates known = ask.slots().remembered(ask.request());
            if (known == null) {
                count++;
                known = pool.candidates(ask.request());
                ask.slots().remember(ask.request(), known);
            }
            return known;
        }

        /** How many of the candidates are still to be had; remembers requests that nobody answers any more. */
        int countFree(Request request, Candidates candidates) {
            int free = candidates.offers().countCommon(pool.free());
            if (free == 0) {
                pool.exhausted(request);
                return 0;
            }
            for (int number : taken) {
                int missing = pool.countEntries(number, candidates.offers());
                free -= missing;
                shared += missing;
            }
            return free;
        }
    }
}
