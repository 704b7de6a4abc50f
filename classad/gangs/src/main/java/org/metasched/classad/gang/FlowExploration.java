package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.OfferSet;

/** Finds out the domains and supports of a cycle's roots for a {@link FlowModel}. For one use, by one thread. */
final class FlowExploration {

    private final GangPool pool;
    private final FlowModel.Rotation rotation;
    private final Map<RootClass, Integer> classOf = new IdentityHashMap<>();
    private final List<OfferSet> candidates = new ArrayList<>();
    private final OfferSet needingNothingMore;

    /** By the class of the second port, or by the class of the root if that matters, too. */
    private final Map<Object, Supports> supportsByClass = new IdentityHashMap<>();

    private final List<Supports> allSupports = new ArrayList<>();
    private boolean exact = true;
    private boolean ranked;
    private long probes;
    private SearchEffort effort = SearchEffort.NONE;

    private FlowExploration(GangPool pool, int turns) {
        this.pool = pool;
        this.rotation = new FlowModel.Rotation(turns);
        this.needingNothingMore = OfferSet.none(pool.entries());
    }

    /**
     * The network of a cycle.
     *
     * @param turns the port of a root that it begins with
     */
    static FlowModel model(List<PortedAd> roots, GangPool pool, int turns) {
        return new FlowExploration(pool, turns).model(roots);
    }

    private FlowModel model(List<PortedAd> roots) {
        long before = pool.index().evaluations();
        int[] classOfRoot = roots.stream().mapToInt(this::classOf).toArray();
        var kinds = new OfferKinds(pool.entries());
        needingNothingMore.forEach(kinds::addComplete);
        allSupports.forEach(supports -> supports.forEach(kinds::add));
        var network = kinds.network(classOfRoot, candidates);
        long byIndex = pool.index().evaluations() - before;
        return new FlowModel(
                rotation,
                network,
                kinds.bins(),
                exact && kinds.areExact(),
                ranked,
                effort.plus(new SearchEffort(probes, byIndex, 0)));
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
        int first = rotation.first(rootClass.size());
        PartialBinding binding = rootClass.port(first).unbound();
        Domain domain = pool.index().domainOnce(binding.residual().request());
        probes++;
        OfferSet offers = domain.offers();
        offers.retainAll(pool.free());
        if (offers.intersects(domain.undecided())) {
            return null;
        }
        exact &= !offers.intersects(pool.entriesWithMorePorts());
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
        int first = rotation.first(rootClass.size());
        int second = rotation.second(rootClass.size());
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
        int first = rotation.first(rootClass.size());
        int second = rotation.second(rootClass.size());
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
        exact &= !support.intersects(pool.entriesWithMorePorts())
                && binding.residual().shunted().isEmpty();
        if (support.intersects(binding.domain().all().undecided())) {
            return null;
        }
        return keepConsistent(support, rootClass, second, bound);
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
        int first = rotation.first(ad.ports().size());
        OfferSet offers = evaluated.domain(first);
        if (ad.ports().size() == 1) {
            needingNothingMore.addAll(offers);
        } else {
            var supports = new Supports(pool.entries(), evaluated.interchangeable(first));
            supports.keepSupported(
                    offers,
                    entry -> evaluated.support(
                            first, entry, rotation.second(ad.ports().size())));
            allSupports.add(supports);
        }
        exact &= evaluated.isExact();
        effort = effort.plus(evaluated.effort());
        return offers;
    }
}
