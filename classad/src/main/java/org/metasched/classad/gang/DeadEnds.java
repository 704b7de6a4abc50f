package org.metasched.classad.gang;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.metasched.classad.index.Candidates;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Place;
import org.metasched.classad.match.PoolExplanation;
import org.metasched.classad.match.PoolVerdict;

/**
 * Follows the choices of a root that gets no gang, fewest candidates first as the dynamic matcher does, and notes at which port each
 * of them came to an end. Bounded: it explains, it does not decide. Used once, not thread-safe.
 */
final class DeadEnds {

    static final int MOST_CHOICES = 1_000;
    /** What open ports ask; more than this a hostile root with many ports would have. */
    private static final int MOST_ASKS = 20_000;

    private static final int MOST_ENDS = 5;
    private static final int MOST_MEMBERS = 100;

    /** Ends at one port with the same other ports bound. */
    private static final class Tally {
        final String port;
        final List<RootExplanation.Bound> given;
        final PoolVerdict verdict;
        int times;

        Tally(String port, List<RootExplanation.Bound> given, PoolVerdict verdict) {
            this.port = port;
            this.given = given;
            this.verdict = verdict;
        }
    }

    /** An open port, what it asks and who could come. */
    private record Open(Member.Slots slots, List<Place.Conjunct> pending, Candidates candidates, OfferSet free) {}

    private final GangPool pool;
    private final OfferSet available;
    private final List<Member> members = new ArrayList<>();
    private final Deque<RootExplanation.Bound> path = new ArrayDeque<>();
    private final Map<List<String>, Tally> ends = new LinkedHashMap<>();
    private int choices;
    private int asks;
    private boolean givenUp;

    DeadEnds(PortedAd root, GangPool pool) {
        this.pool = pool;
        this.available = pool.free().copy();
        members.add(new Member(root, -1, -1));
        extend(List.of());
    }

    /** Whether all choices were followed. */
    boolean exhaustive() {
        return !givenUp;
    }

    List<RootExplanation.DeadEnd> mostFrequentFirst() {
        return ends.values().stream()
                .sorted(Comparator.<Tally>comparingInt(tally -> tally.times).reversed())
                .limit(MOST_ENDS)
                .map(tally -> new RootExplanation.DeadEnd(tally.port, tally.given, tally.times, tally.verdict))
                .toList();
    }

    static String list(List<RootExplanation.Bound> given) {
        return given.isEmpty()
                ? "nobody yet"
                : given.stream().map(bound -> bound.port() + " = " + bound.ad()).collect(Collectors.joining(", "));
    }

    private void extend(List<Place.Conjunct> pending) {
        Open fewest = null;
        for (Member member : members) {
            for (Member.Slots slots : member.slots()) {
                if (slots.isOpen()) {
                    Open open = open(slots, pending);
                    if (open.free().isEmpty() && !slots.mayClose()) {
                        end(open);
                        return;
                    }
                    if (fewest == null || open.free().count() < fewest.free().count()) {
                        fewest = open;
                    }
                }
            }
        }
        if (fewest != null) {
            bind(fewest, pending);
        }
    }

    private Open open(Member.Slots slots, List<Place.Conjunct> pending) {
        givenUp |= ++asks > MOST_ASKS;
        Ask ask = Ask.of(slots, pending, pool.index());
        Candidates candidates = pool.candidates(ask.request());
        OfferSet free = ask.hopeless()
                ? OfferSet.none(pool.entries())
                : candidates.offers().copy();
        free.retainAll(available);
        return new Open(slots, pending, candidates, free);
    }

    private void bind(Open open, List<Place.Conjunct> pending) {
        Member.Slots slots = open.slots();
        boolean any = false;
        int last = slots.lastEntry();
        for (int entry = open.free().next(last + 1);
                entry >= 0 && !givenUp;
                entry = open.free().next(entry + 1)) {
            givenUp |= ++choices > MOST_CHOICES || members.size() >= MOST_MEMBERS;
            any |= !givenUp && tryOne(open, entry, pending);
        }
        if (!any && !slots.mayClose() && !givenUp) {
            end(open);
        }
        if (slots.mayClose() && !givenUp) {
            slots.close();
            extend(pending);
            slots.reopen();
        }
    }

    /** Whether an offer may dock; then goes on from there. */
    private boolean tryOne(Open open, int entry, List<Place.Conjunct> pending) {
        Member.Slots slots = open.slots();
        GangPool.Entry offer = pool.entry(entry);
        var member = new Member(offer.ad(), offer.number(), offer.dock());
        String port = name(slots);
        Place place = slots.waiting();
        slots.dock(member, member.dockPlace(), entry);
        var left = new ArrayList<Place.Conjunct>();
        boolean docks = GangSearch.holds(pending, left)
                && GangSearch.holds(place.conjuncts(), left)
                && GangSearch.holds(member.dockPlace().conjuncts(), left);
        if (docks) {
            members.add(member);
            pool.entriesOf(offer.number(), available::remove);
            path.addLast(new RootExplanation.Bound(port, pool.nameOf(offer.number())));
            extend(left);
            path.removeLast();
            pool.entriesOf(offer.number(), available::add);
            members.remove(members.size() - 1);
        }
        slots.undock();
        return docks;
    }

    private void end(Open open) {
        var key = new ArrayList<String>();
        key.add(name(open.slots()));
        path.forEach(bound -> key.add(bound.port()));
        ends.computeIfAbsent(key, k -> tally(open)).times++;
    }

    private Tally tally(Open open) {
        var explanation =
                PoolExplanation.of(open.slots().waiting(), open.pending(), pool.index(), available, pool::adOf);
        return new Tally(name(open.slots()), List.copyOf(path), explanation.verdict());
    }

    private String name(Member.Slots slots) {
        Member member = slots.member();
        return member.number() < 0 ? slots.port.label() : slots.port.label() + " of " + pool.nameOf(member.number());
    }
}
