package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.OfferSet;

/**
 * A cycle as a network: classes of roots with equal domains, the offers of one port, their kinds by their support at the other
 * port, and bins of that other port's offers in the supports of the same kinds.
 *
 * <p>The network is exact if no support depends on the root, if no offer stands on both sides, and if everything was
 * decided; otherwise it is a relaxation, whose optimum is a bound.
 */
final class FlowModel {

    /** The support of the one kind of offers that complete a gang. */
    private static final OfferSet NOTHING_MORE = OfferSet.none(0);

    private final GangPool pool;
    private final int rotation;
    private final boolean someHaveMorePorts;
    private final Map<RootClass, Integer> classOf = new IdentityHashMap<>();
    private final List<OfferSet> candidates = new ArrayList<>();
    private final OfferSet needingNothingMore;

    /** By the class of the second port, or by the class of the root if that matters, too. */
    private final Map<Object, Supports> supportsByClass = new IdentityHashMap<>();

    private final List<Supports> allSupports = new ArrayList<>();
    private final Map<OfferSet, Integer> kindOf = new HashMap<>();
    private final Map<OfferSet, Integer> kindOfSet = new IdentityHashMap<>();
    private final List<OfferSet> supportOfKind = new ArrayList<>();
    private final List<OfferSet> bins = new ArrayList<>();
    private final int[] classOfRoot;
    private final int[] kind;
    private PriorityFlow.@Nullable Network network;
    private boolean exact = true;
    private boolean ranked;
    private long probes;
    private long evaluations;

    private FlowModel(int roots, GangPool pool, int rotation) {
        this.pool = pool;
        this.rotation = rotation;
        this.someHaveMorePorts = !pool.entriesWithMorePorts().isEmpty();
        this.classOfRoot = new int[roots];
        this.kind = new int[pool.entries()];
        this.needingNothingMore = OfferSet.none(pool.entries());
        Arrays.fill(kind, -1);
    }

    /**
     * Builds the network of a cycle.
     *
     * @param rotation the port of a root that it begins with; it leads to the port behind it, from the last one to the first
     */
    static FlowModel of(List<PortedAd> roots, GangPool pool, int rotation) {
        var model = new FlowModel(roots.size(), pool, rotation);
        long before = pool.index().evaluations();
        for (int i = 0; i < roots.size(); i++) {
            model.classOfRoot[i] = model.classOf(roots.get(i));
        }
        model.finish();
        model.evaluations += pool.index().evaluations() - before;
        return model;
    }

    boolean isExact() {
        return exact;
    }

    /** Whether a port of some root ranks its values. */
    boolean isRanked() {
        return ranked;
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
        return rotation % ports;
    }

    int secondPort(int ports) {
        return (rotation + 1) % ports;
    }

    private int classOf(PortedAd ad) {
        RootClass rootClass = pool.classOf(ad);
        Integer known = classOf.get(rootClass);
        if (known != null) {
            return known;
        }
        ranked |= rootClass.isRanked();
        boolean counted = ad.ports().stream().anyMatch(Port::isList);
        exact &= ad.ports().size() <= 2 && !counted;
        OfferSet offers = null;
        if (counted) {
            // What several neighbours come to is not known from one: the root needs one of all offers at least.
            offers = pool.free().copy();
            needingNothingMore.addAll(offers);
        } else if (rootClass.isIndexable()) {
            offers = exploreByIndex(rootClass);
        }
        if (offers == null) {
            offers = exploreByEvaluation(ad);
        } else {
            classOf.put(rootClass, candidates.size());
        }
        candidates.add(offers);
        return candidates.size() - 1;
    }

    /** The domain of the first port of a class of roots, or null if the indexes do not decide it. */
    private @Nullable OfferSet exploreByIndex(RootClass rootClass) {
        for (int port = 0; port < rootClass.size(); port++) {
            if (rootClass.port(port).unbound().isUnsatisfiable()) {
                return OfferSet.none(pool.entries());
            }
        }
        int first = firstPort(rootClass.size());
        PartialBinding binding = rootClass.port(first).unbound();
        Domain domain = pool.index().domainOnce(binding.residual().request());
        probes++;
        OfferSet offers = domain.offers();
        offers.retainAll(pool.free());
        if (offers.intersects(domain.undecided())) {
            return null;
        }
        exact &= !anyHasMorePorts(offers);
        if (rootClass.size() == 1) {
            return keepConsistent(offers, rootClass, first, new int[] {-1});
        }
        return keepSupported(
                offers,
                rootClass,
                domain.deferred().intersects(offers)
                        || !binding.residual().shunted().isEmpty()
                        || rootClass.size() > 2);
    }

    /** Keeps the offers with support at the second port; null if the indexes do not decide that. */
    private @Nullable OfferSet keepSupported(OfferSet offers, RootClass rootClass, boolean rootMatters) {
        int first = firstPort(rootClass.size());
        int second = secondPort(rootClass.size());
        Object key = rootMatters ? rootClass : rootClass.port(second);
        Supports supports = supportsByClass.computeIfAbsent(key, unseen -> {
            var made = new Supports(
                    pool.entries(),
                    rootMatters
                            ? rootClass.interchangeable(first)
                            : rootClass.port(second).interchangeableAt(first));
            allSupports.add(made);
            return made;
        });
        int computed = supports.keepSupported(offers, entry -> supportOf(rootClass, entry));
        probes += Math.max(0, computed);
        return computed < 0 ? null : offers;
    }

    private @Nullable OfferSet supportOf(RootClass rootClass, int entry) {
        int first = firstPort(rootClass.size());
        int second = secondPort(rootClass.size());
        var bound = new int[rootClass.size()];
        Arrays.fill(bound, -1);
        Propagation propagation =
                rootClass.port(first).propagation(rootClass.port(first).unbound(), entry, bound);
        bound[first] = entry;
        PartialBinding binding = rootClass.port(second).under(bound);
        if (propagation == Propagation.UNDECIDED || binding == null) {
            return null;
        }
        if (propagation == Propagation.INCONSISTENT || binding.isUnsatisfiable()) {
            return OfferSet.none(pool.entries());
        }
        OfferSet support = binding.domain().all().offers().copy();
        support.retainAll(pool.free());
        OfferSet limit = propagation.limit(second);
        if (limit != null) {
            support.retainAll(limit);
        }
        exact &= !anyHasMorePorts(support) && binding.residual().shunted().isEmpty();
        if (support.intersects(binding.domain().all().undecided())) {
            return null;
        }
        return keepConsistent(support, rootClass, second, bound);
    }

    private boolean anyHasMorePorts(OfferSet offers) {
        return someHaveMorePorts && offers.intersects(pool.entriesWithMorePorts());
    }

    /** Keeps the offers consistent with a partial binding; null if the indexes do not decide one of them. */
    private @Nullable OfferSet keepConsistent(OfferSet offers, RootClass rootClass, int port, int[] bound) {
        PartialBinding binding = rootClass.port(port).under(bound);
        if (binding == null) {
            return null;
        }
        OfferSet deferred = binding.domain().all().deferred();
        for (int entry = offers.firstCommon(deferred, 0); entry >= 0; entry = offers.firstCommon(deferred, entry + 1)) {
            Propagation propagation = rootClass.port(port).propagation(binding, entry, bound);
            if (propagation == Propagation.UNDECIDED) {
                return null;
            }
            if (propagation == Propagation.INCONSISTENT) {
                offers.remove(entry);
            }
        }
        if (rootClass.size() == 1) {
            needingNothingMore.addAll(offers);
        }
        return offers;
    }

    /** The domain of the first port of one root, by docking its values. */
    private OfferSet exploreByEvaluation(PortedAd ad) {
        var evaluated = new EvaluatedSupports(ad, pool);
        int first = firstPort(ad.ports().size());
        OfferSet offers = evaluated.domain(first);
        if (ad.ports().size() == 1) {
            needingNothingMore.addAll(offers);
        } else {
            var supports = new Supports(pool.entries(), evaluated.interchangeable(first));
            supports.keepSupported(
                    offers,
                    entry -> evaluated.support(
                            first, entry, secondPort(ad.ports().size())));
            allSupports.add(supports);
        }
        exact &= evaluated.isExact();
        probes += evaluated.probes();
        evaluations += evaluated.evaluations();
        return offers;
    }

    private void finish() {
        needingNothingMore.forEach(entry -> addToKind(NOTHING_MORE, entry));
        for (Supports supports : allSupports) {
            supports.forEach(this::addToKind);
        }
        exact &= !standsOnBothSides();
        List<int[]> binsOfKind = sortIntoBins();
        int[] capacity = bins.stream()
                .mapToInt(bin -> bin == NOTHING_MORE ? Integer.MAX_VALUE : bin.count())
                .toArray();
        network = new PriorityFlow.Network(classOfRoot, candidates, kind, binsOfKind, capacity);
    }

    private void addToKind(OfferSet support, int entry) {
        int number = kindOf(support);
        if (kind[entry] < 0) {
            kind[entry] = number;
        } else if (kind[entry] != number) {
            kind[entry] = merged(kind[entry], number);
        }
    }

    private int kindOf(OfferSet support) {
        return kindOfSet.computeIfAbsent(
                support,
                same -> kindOf.computeIfAbsent(same, equal -> {
                    supportOfKind.add(equal);
                    return supportOfKind.size() - 1;
                }));
    }

    /** The kind of an offer whose support differs between roots: the union of both makes the network a relaxation. */
    private int merged(int one, int other) {
        exact = false;
        OfferSet a = supportOfKind.get(one);
        OfferSet b = supportOfKind.get(other);
        if (a == NOTHING_MORE || b == NOTHING_MORE) {
            return kindOf(NOTHING_MORE);
        }
        OfferSet both = a.copy();
        both.addAll(b);
        return kindOf(both);
    }

    private boolean standsOnBothSides() {
        for (OfferSet support : supportOfKind) {
            for (int entry = support.next(0); entry >= 0; entry = support.next(entry + 1)) {
                if (kind[entry] >= 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Offers of the second port in the supports of the same kinds go to one bin; returns the bins of each kind. */
    private List<int[]> sortIntoBins() {
        if (kindOf.containsKey(NOTHING_MORE)) {
            bins.add(NOTHING_MORE);
        }
        var binOfClass = new HashMap<Integer, OfferSet>();
        int[] classOfEntry = classesByKinds();
        for (int entry = 0; entry < classOfEntry.length; entry++) {
            if (classOfEntry[entry] > 0) {
                binOfClass
                        .computeIfAbsent(classOfEntry[entry], unseen -> {
                            bins.add(OfferSet.none(pool.entries()));
                            return bins.get(bins.size() - 1);
                        })
                        .add(entry);
            }
        }
        return supportOfKind.stream()
                .map(support -> support == NOTHING_MORE ? new int[] {0} : binsWithin(support))
                .toList();
    }

    /** For each entry a number that it shares with the entries in the supports of the same kinds; 0 if it is in none. */
    private int[] classesByKinds() {
        int[] classOfEntry = new int[pool.entries()];
        int classes = 0;
        for (OfferSet support : supportOfKind) {
            var moved = new HashMap<Integer, Integer>();
            for (int entry = support.next(0); entry >= 0; entry = support.next(entry + 1)) {
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

    private int[] binsWithin(OfferSet support) {
        return IntStream.range(0, bins.size())
                .filter(bin -> bins.get(bin) != NOTHING_MORE && bins.get(bin).intersects(support))
                .toArray();
    }
}
