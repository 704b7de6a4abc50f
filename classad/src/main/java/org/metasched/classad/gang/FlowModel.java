package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.match.Candidates;
import org.metasched.classad.match.Clause;
import org.metasched.classad.match.Grouping;
import org.metasched.classad.match.OfferSet;
import org.metasched.classad.match.Place;
import org.metasched.classad.match.Request;

/**
 * A cycle as a network: classes of roots that ask the same, the offers of one port, their kinds by what they allow at the other
 * port, and bins of that other port's offers which the same kinds allow.
 *
 * <p>The network is exact if nobody's choice at the second port depends on the root, if no offer stands on both sides, and if
 * everything could be decided; otherwise it is a relaxation, whose optimum is a bound.
 */
final class FlowModel {

    /** For the one kind of offers behind which nothing more is needed. */
    private static final OfferSet NOTHING_MORE = OfferSet.none(0);

    /** What distinguishes roots: their requests, and the clauses and attributes that wait. */
    private record RootKey(List<Request> requests, List<Object> waiting, int ports) {}

    private final GangPool pool;
    private final boolean reversed;
    private final Map<RootKey, Integer> classOf = new HashMap<>();
    private final Map<Member, Integer> classOfForm = new IdentityHashMap<>();
    private final List<OfferSet> candidates = new ArrayList<>();
    private final Map<OfferSet, Integer> kindOf = new LinkedHashMap<>();
    private final List<OfferSet> membersOfKind = new ArrayList<>();
    private final List<OfferSet> bins = new ArrayList<>();
    private final int[] rootClass;
    private final int[] kind;
    private PriorityFlow.@Nullable Network network;
    private boolean exact = true;
    private long probes;
    private long evaluations;

    private FlowModel(int roots, GangPool pool, boolean reversed) {
        this.pool = pool;
        this.reversed = reversed;
        this.rootClass = new int[roots];
        this.kind = new int[pool.entries()];
        Arrays.fill(kind, -1);
    }

    /** Builds the network of a cycle, from the first port to the second or reversed. */
    static FlowModel of(List<PortedAd> roots, GangPool pool, boolean reversed) {
        var model = new FlowModel(roots.size(), pool, reversed);
        long before = pool.index().evaluations();
        for (int i = 0; i < roots.size(); i++) {
            model.rootClass[i] = model.classOf(roots.get(i));
        }
        model.finish();
        model.evaluations += pool.index().evaluations() - before;
        return model;
    }

    boolean isExact() {
        return exact;
    }

    Effort effort() {
        return new Effort(probes, evaluations, 0);
    }

    /** The offers of each bin; a bin of an empty pool stands for nothing more to bind. */
    List<OfferSet> bins() {
        return bins;
    }

    PriorityFlow.Network network() {
        PriorityFlow.Network built = network;
        if (built == null) {
            throw new IllegalStateException("The network is not finished.");
        }
        return built;
    }

    int firstPort(PortedAd root) {
        return reversed && root.ports().size() > 1 ? 1 : 0;
    }

    int secondPort(PortedAd root) {
        return reversed ? 0 : 1;
    }

    private int classOf(PortedAd ad) {
        Member root = new Member(ad, -1, -1);
        Integer sameForm = classOfForm.get(root);
        if (sameForm != null) {
            return sameForm;
        }
        exact &= ad.ports().size() <= 2 && ad.ports().stream().noneMatch(Port::isList);
        List<Ask> asks = root.slots().stream()
                .limit(2)
                .map(slots -> Ask.of(slots, List.of(), pool.index()))
                .toList();
        var key = new RootKey(
                asks.stream().map(Ask::request).toList(),
                waiting(root, asks),
                ad.ports().size());
        Integer known = classOf.get(key);
        if (known == null) {
            known = candidates.size();
            classOf.put(key, known);
            candidates.add(explore(root, asks));
        }
        classOfForm.put(root, known);
        return known;
    }

    /** What waits for a neighbour, in the root's own words: two roots of one class must wait for the same. */
    private List<Object> waiting(Member root, List<Ask> asks) {
        var waiting = new ArrayList<Object>();
        for (Ask ask : asks) {
            ask.shunted().forEach(conjunct -> waiting.add(conjunct.residual()));
            Place place = ask.slots().waiting();
            ask.request().undecidedAttributes().forEach(name -> waiting.add(place.residualOf(name)));
        }
        return waiting;
    }

    /** The offers that a class of roots may bind first, each assigned to the kind of what it allows then. */
    private OfferSet explore(Member root, List<Ask> asks) {
        if (asks.stream().anyMatch(Ask::hopeless)) {
            return OfferSet.none(pool.entries());
        }
        Ask first = asks.get(firstPort(root.ad()));
        OfferSet offers = sure(first, List.of());
        if (asks.size() == 1) {
            addToKind(NOTHING_MORE, offers);
            return offers;
        }
        Grouping alike = new Alike(pool, List.of(root), first, null).grouping();
        OfferSet unexplored = offers.copy();
        OfferSet useful = OfferSet.none(pool.entries());
        for (int entry = unexplored.next(0); entry >= 0; entry = unexplored.next(entry + 1)) {
            OfferSet group = OfferSet.none(pool.entries());
            if (alike == null) {
                group.add(entry);
            } else {
                group.become(unexplored, alike.members(alike.groupOf(entry)));
            }
            unexplored.removeAll(group);
            OfferSet then = seconds(root, first, entry);
            if (!then.isEmpty()) {
                addToKind(then, group);
                useful.addAll(group);
            }
        }
        return useful;
    }

    /** Candidates of a port that are still to be had; those that only a check of the whole docking tells apart are checked. */
    private OfferSet sure(Ask ask, List<Place.Conjunct> pending) {
        probes++;
        Candidates answer = pool.candidates(ask.request());
        OfferSet offers = answer.offers().copy();
        offers.retainAll(pool.free());
        exact &= !offers.intersects(pool.entriesWithMorePorts());
        OfferSet unsure = offers.copy();
        OfferSet open = answer.unsure().copy();
        open.addAll(answer.waiting());
        unsure.retainAll(open);
        for (int entry = unsure.next(0); entry >= 0; entry = unsure.next(entry + 1)) {
            if (!passes(ask, entry, pending)) {
                offers.remove(entry);
            }
        }
        return offers;
    }

    private boolean passes(Ask ask, int entry, List<Place.Conjunct> pending) {
        evaluations++;
        GangPool.Entry offer = pool.entry(entry);
        Place place = ask.slots().waiting();
        var member = new Member(offer.ad(), offer.number(), offer.dock());
        ask.slots().dock(member, member.dockPlace(), entry);
        var all = new ArrayList<>(pending);
        all.addAll(place.conjuncts());
        all.addAll(member.dockPlace().conjuncts());
        boolean passes = all.stream().noneMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET);
        ask.slots().undock();
        return passes;
    }

    /** The offers for the second port once an entry is bound to the first. */
    private OfferSet seconds(Member root, Ask first, int entry) {
        GangPool.Entry offer = pool.entry(entry);
        var member = new Member(offer.ad(), offer.number(), offer.dock());
        first.slots().dock(member, member.dockPlace(), entry);
        var pending = new ArrayList<>(first.shunted());
        for (Place.Conjunct conjunct : member.dockPlace().conjuncts()) {
            if (conjunct.read() != Clause.Decided.MET) {
                pending.add(conjunct);
            }
        }
        Ask second = Ask.of(root.slots().get(secondPort(root.ad())), pending, pool.index());
        exact &= second.shunted().isEmpty();
        OfferSet offers = second.hopeless() ? OfferSet.none(pool.entries()) : sure(second, pending);
        first.slots().undock();
        return offers;
    }

    private void addToKind(OfferSet then, OfferSet offers) {
        int number = kindOf.computeIfAbsent(then, key -> kindOf.size());
        if (number == membersOfKind.size()) {
            membersOfKind.add(OfferSet.none(pool.entries()));
        }
        OfferSet members = membersOfKind.get(number);
        if (number > 0 || membersOfKind.size() > 1) {
            OfferSet fresh = offers.copy();
            fresh.removeAll(members);
            members.addAll(fresh);
        } else {
            members.addAll(offers);
        }
    }

    private void finish() {
        var allowedBy = new ArrayList<>(kindOf.keySet());
        for (int k = 0; k < membersOfKind.size(); k++) {
            OfferSet members = membersOfKind.get(k);
            for (int offer = members.next(0); offer >= 0; offer = members.next(offer + 1)) {
                kind[offer] = kind[offer] < 0 ? k : merged(kind[offer], k, allowedBy);
            }
        }
        exact &= !standsOnBothSides(allowedBy);
        List<int[]> binsOfKind = sortIntoBins(allowedBy);
        int[] capacity = bins.stream()
                .mapToInt(bin -> bin == NOTHING_MORE ? Integer.MAX_VALUE : bin.count())
                .toArray();
        network = new PriorityFlow.Network(rootClass, candidates, kind, binsOfKind, capacity);
    }

    /** An offer that allows different things to different roots: allowing it all of them makes the network a relaxation. */
    private int merged(int one, int other, List<OfferSet> allowedBy) {
        exact = false;
        OfferSet a = allowedBy.get(one);
        OfferSet b = allowedBy.get(other);
        OfferSet both = a == NOTHING_MORE || b == NOTHING_MORE ? NOTHING_MORE : a.copy();
        if (both != NOTHING_MORE) {
            both.addAll(b);
        }
        Integer known = kindOf.get(both);
        if (known == null) {
            known = allowedBy.size();
            kindOf.put(both, known);
            allowedBy.add(both);
        }
        return known;
    }

    private boolean standsOnBothSides(List<OfferSet> allowedBy) {
        return allowedBy.stream()
                .filter(then -> then != NOTHING_MORE)
                .anyMatch(then -> membersOfKind.stream().anyMatch(then::intersects));
    }

    /** Offers of the second port that the same kinds allow go to one bin. */
    private List<int[]> sortIntoBins(List<OfferSet> allowedBy) {
        var kindsOf = new HashMap<Integer, List<Integer>>();
        for (int k = 0; k < allowedBy.size(); k++) {
            int number = k;
            allowedBy
                    .get(k)
                    .forEach(offer -> kindsOf.computeIfAbsent(offer, o -> new ArrayList<>(2))
                            .add(number));
        }
        var binOf = new LinkedHashMap<List<Integer>, Integer>();
        var kindBins = new ArrayList<List<Integer>>();
        allowedBy.forEach(then -> kindBins.add(new ArrayList<>()));
        int nothingMore = allowedBy.indexOf(NOTHING_MORE);
        if (nothingMore >= 0) {
            bins.add(NOTHING_MORE);
            kindBins.get(nothingMore).add(0);
        }
        kindsOf.keySet().stream().sorted().forEach(offer -> {
            List<Integer> kinds = kindsOf.getOrDefault(offer, List.of());
            Integer bin = binOf.get(kinds);
            if (bin == null) {
                bin = bins.size();
                binOf.put(kinds, bin);
                bins.add(OfferSet.none(pool.entries()));
                for (int k : kinds) {
                    kindBins.get(k).add(bin);
                }
            }
            bins.get(bin).add(offer);
        });
        return kindBins.stream()
                .map(list -> list.stream().mapToInt(Integer::intValue).sorted().toArray())
                .toList();
    }
}
