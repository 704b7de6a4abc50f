package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.gang.Question.Consequence;
import org.metasched.classad.index.OfferSet;

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

    private final GangPool pool;
    private final boolean reversed;
    private final boolean someHaveMorePorts;
    private final Map<RootForm, Integer> classOf = new IdentityHashMap<>();
    private final List<OfferSet> candidates = new ArrayList<>();
    private final OfferSet needingNothingMore;

    /** By the form of the second port, or by the root form if it matters, too. */
    private final Map<Object, Passage> passages = new IdentityHashMap<>();

    private final List<Passage> ways = new ArrayList<>();
    private final Map<OfferSet, Integer> kindOf = new HashMap<>();
    private final Map<OfferSet, Integer> kindOfSet = new IdentityHashMap<>();
    private final List<OfferSet> allowedBy = new ArrayList<>();
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
        this.someHaveMorePorts = !pool.entriesWithMorePorts().isEmpty();
        this.rootClass = new int[roots];
        this.kind = new int[pool.entries()];
        this.needingNothingMore = OfferSet.none(pool.entries());
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

    /** Which port of a root with so many is the first of the network. */
    int firstPort(int ports) {
        return reversed && ports > 1 ? 1 : 0;
    }

    int secondPort() {
        return reversed ? 0 : 1;
    }

    private int classOf(PortedAd ad) {
        RootForm form = pool.formOf(ad);
        Integer known = classOf.get(form);
        if (known != null) {
            return known;
        }
        exact &= ad.ports().size() <= 2 && ad.ports().stream().noneMatch(Port::isList);
        OfferSet offers = form.isTold() ? exploreByForm(form) : null;
        if (offers == null) {
            offers = exploreByBonds(ad);
        } else {
            classOf.put(form, candidates.size());
        }
        candidates.add(offers);
        return candidates.size() - 1;
    }

    /** The offers that roots of a form may bind first, or null if only evaluation tells. */
    private @Nullable OfferSet exploreByForm(RootForm form) {
        for (int port = 0; port < Math.min(2, form.size()); port++) {
            if (form.port(port).first().isHopeless()) {
                return OfferSet.none(pool.entries());
            }
        }
        int first = firstPort(form.size());
        Question question = form.port(first).first();
        var candidates = pool.index().candidatesOnce(question.ask().request());
        probes++;
        OfferSet offers = candidates.offers();
        offers.retainAll(pool.free());
        if (offers.intersects(candidates.unsure())) {
            return null;
        }
        exact &= !anyHasMorePorts(offers);
        if (form.size() == 1) {
            return keepFitting(offers, form, first, new int[] {-1});
        }
        return keepLeading(
                offers,
                form,
                candidates.waiting().intersects(offers)
                        || !question.ask().shunted().isEmpty());
    }

    /** Keeps the offers behind which there is somebody for the second port; null if that cannot be told. */
    private @Nullable OfferSet keepLeading(OfferSet offers, RootForm form, boolean firstMatters) {
        int first = firstPort(form.size());
        Object key = firstMatters ? form : form.port(secondPort());
        Passage passage = passages.get(key);
        if (passage == null) {
            passage = new Passage(
                    pool.entries(),
                    firstMatters ? form.alike(first) : form.port(secondPort()).groupsLookedAt(first));
            passages.put(key, passage);
            ways.add(passage);
        }
        int asked = passage.keepLeading(offers, entry -> beyond(form, entry));
        probes += Math.max(0, asked);
        return asked < 0 ? null : offers;
    }

    private @Nullable OfferSet beyond(RootForm form, int entry) {
        int first = firstPort(form.size());
        int second = secondPort();
        var bound = new int[form.size()];
        Arrays.fill(bound, -1);
        Consequence consequence = form.port(first).consequence(form.port(first).first(), entry, bound);
        bound[first] = entry;
        Question question = form.port(second).given(bound);
        if (consequence == Consequence.UNTOLD || question == null) {
            return null;
        }
        if (consequence == Consequence.MISFIT || question.isHopeless()) {
            return OfferSet.none(pool.entries());
        }
        OfferSet there = question.shortlist().candidates().offers().copy();
        there.retainAll(pool.free());
        OfferSet limit = consequence.limit(second);
        if (limit != null) {
            there.retainAll(limit);
        }
        exact &= !anyHasMorePorts(there) && question.ask().shunted().isEmpty();
        if (there.intersects(question.shortlist().candidates().unsure())) {
            return null;
        }
        return keepFitting(there, form, second, bound);
    }

    private boolean anyHasMorePorts(OfferSet offers) {
        return someHaveMorePorts && offers.intersects(pool.entriesWithMorePorts());
    }

    /** Keeps the offers that fit now that it is known who else there is; null if that cannot be told of one. */
    private @Nullable OfferSet keepFitting(OfferSet offers, RootForm form, int port, int[] bound) {
        Question question = form.port(port).given(bound);
        if (question == null) {
            return null;
        }
        OfferSet waiting = question.shortlist().candidates().waiting();
        for (int entry = offers.firstCommon(waiting, 0); entry >= 0; entry = offers.firstCommon(waiting, entry + 1)) {
            Consequence consequence = form.port(port).consequence(question, entry, bound);
            if (consequence == Consequence.UNTOLD) {
                return null;
            }
            if (consequence == Consequence.MISFIT) {
                offers.remove(entry);
            }
        }
        if (form.size() == 1) {
            needingNothingMore.addAll(offers);
        }
        return offers;
    }

    /** The offers that one root may bind first, by putting it together with them. */
    private OfferSet exploreByBonds(PortedAd ad) {
        var bonds = new BondedPorts(ad, pool);
        int first = firstPort(ad.ports().size());
        OfferSet offers = bonds.candidates(first);
        if (ad.ports().size() == 1) {
            needingNothingMore.addAll(offers);
        } else {
            var passage = new Passage(pool.entries(), bonds.alike(first));
            passage.keepLeading(offers, entry -> bonds.beyond(first, entry, secondPort()));
            ways.add(passage);
        }
        exact &= bonds.isExact();
        probes += bonds.probes();
        evaluations += bonds.evaluations();
        return offers;
    }

    private void finish() {
        needingNothingMore.forEach(entry -> addToKind(NOTHING_MORE, entry));
        for (Passage way : ways) {
            way.forEach(this::addToKind);
        }
        exact &= !standsOnBothSides();
        List<int[]> binsOfKind = sortIntoBins();
        int[] capacity = bins.stream()
                .mapToInt(bin -> bin == NOTHING_MORE ? Integer.MAX_VALUE : bin.count())
                .toArray();
        network = new PriorityFlow.Network(rootClass, candidates, kind, binsOfKind, capacity);
    }

    private void addToKind(OfferSet there, int entry) {
        int number = kindOf(there);
        if (kind[entry] < 0) {
            kind[entry] = number;
        } else if (kind[entry] != number) {
            kind[entry] = merged(kind[entry], number);
        }
    }

    private int kindOf(OfferSet there) {
        Integer sameSet = kindOfSet.get(there);
        if (sameSet != null) {
            return sameSet;
        }
        Integer known = kindOf.get(there);
        if (known == null) {
            known = allowedBy.size();
            allowedBy.add(there);
            kindOf.put(there, known);
        }
        kindOfSet.put(there, known);
        return known;
    }

    /** An offer that allows different things to different roots: allowing it all of them makes the network a relaxation. */
    private int merged(int one, int other) {
        exact = false;
        OfferSet a = allowedBy.get(one);
        OfferSet b = allowedBy.get(other);
        if (a == NOTHING_MORE || b == NOTHING_MORE) {
            return kindOf(NOTHING_MORE);
        }
        OfferSet both = a.copy();
        both.addAll(b);
        return kindOf(both);
    }

    private boolean standsOnBothSides() {
        for (OfferSet there : allowedBy) {
            for (int entry = there.next(0); entry >= 0; entry = there.next(entry + 1)) {
                if (kind[entry] >= 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Offers of the second port that the same kinds allow go to one bin; returns the bins of each kind. */
    private List<int[]> sortIntoBins() {
        if (kindOf.containsKey(NOTHING_MORE)) {
            bins.add(NOTHING_MORE);
        }
        var binOfClass = new HashMap<Integer, OfferSet>();
        int[] classOfEntry = classesByKinds();
        for (int entry = 0; entry < classOfEntry.length; entry++) {
            if (classOfEntry[entry] > 0) {
                OfferSet bin = binOfClass.get(classOfEntry[entry]);
                if (bin == null) {
                    bin = OfferSet.none(pool.entries());
                    binOfClass.put(classOfEntry[entry], bin);
                    bins.add(bin);
                }
                bin.add(entry);
            }
        }
        return allowedBy.stream()
                .map(there -> there == NOTHING_MORE ? new int[] {0} : binsWithin(there))
                .toList();
    }

    /** For each entry a number that it shares with those that the same kinds allow; 0 if none does. */
    private int[] classesByKinds() {
        int[] classOfEntry = new int[pool.entries()];
        int classes = 0;
        for (OfferSet there : allowedBy) {
            var moved = new HashMap<Integer, Integer>();
            for (int entry = there.next(0); entry >= 0; entry = there.next(entry + 1)) {
                Integer to = moved.get(classOfEntry[entry]);
                if (to == null) {
                    to = ++classes;
                    moved.put(classOfEntry[entry], to);
                }
                classOfEntry[entry] = to;
            }
        }
        return classOfEntry;
    }

    private int[] binsWithin(OfferSet there) {
        return IntStream.range(0, bins.size())
                .filter(bin -> bins.get(bin) != NOTHING_MORE && bins.get(bin).intersects(there))
                .toArray();
    }
}
