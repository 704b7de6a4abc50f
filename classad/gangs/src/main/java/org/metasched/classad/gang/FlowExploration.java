package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.EvaluationSite.Conjunct;
import org.metasched.classad.index.OfferSet;

/** Computes the domains and supports of a cycle's roots for a {@link FlowModel}. For one use, by one thread. */
final class FlowExploration {

    private final GangPool pool;
    private final int rotation;
    private final Map<RootClass, Integer> classOf = new IdentityHashMap<>();
    private final List<OfferSet> candidates = new ArrayList<>();
    private final OfferSet needingNothingMore;

    /** The supports by the class of the second port, or by the root's class if they depend on the root. */
    private final Map<Object, Supports> supportsByClass = new LinkedHashMap<>();

    private boolean exact = true;
    private boolean ranked;
    private long probes;
    private long evaluations;

    /** @param rotation index of the port with which the network begins, modulo a root's number of ports */
    FlowExploration(GangPool pool, int rotation) {
        this.pool = pool;
        this.rotation = rotation;
        this.needingNothingMore = OfferSet.none(pool.index.size());
    }

    /** The network of a cycle. */
    FlowModel model(List<PortedAd> roots) {
        long before = pool.index.evaluations();
        int[] classOfRoot = roots.stream().mapToInt(this::classOf).toArray();
        var kinds = new OfferKinds(pool.index.size());
        needingNothingMore.forEach(offer -> kinds.add(FlowNetwork.NOTHING_MORE, offer));
        supportsByClass.values().forEach(supports -> supports.forEach(kinds::add));
        var network = kinds.network(classOfRoot, candidates);
        long byIndex = pool.index.evaluations() - before;
        return new FlowModel(
                rotation,
                network,
                exact && kinds.areExact(),
                ranked,
                new SearchEffort(probes, evaluations + byIndex, 0));
    }

    private int classOf(PortedAd ad) {
        return classOf.computeIfAbsent(pool.classes.of(ad), unseen -> {
            candidates.add(explore(ad, unseen));
            return candidates.size() - 1;
        });
    }

    /** The domain of the first port of a class of roots, without values that have no support. */
    private OfferSet explore(PortedAd ad, RootClass rootClass) {
        ranked |= rootClass.isRanked();
        exact &= rootClass.ports.length <= 2;
        if (ad.ports().stream().anyMatch(Port::isList)) {
            // The flow cannot count several neighbours. The relaxation is that the root needs at least one offer,
            // whichever.
            exact = false;
            OfferSet offers = pool.free().copy();
            needingNothingMore.addAll(offers);
            return offers;
        }
        return Arrays.stream(rootClass.ports)
                        .anyMatch(port -> port.unbound.residual().unsatisfiable())
                ? OfferSet.none(pool.index.size())
                : new RootExploration(ad, rootClass).candidates();
    }

    /** A root with its ports open: values of the first are docked to compute the domain they leave to the second. */
    private final class RootExploration {

        private final RootClass rootClass;
        private final GangMember.Variable first;
        private final int secondPort;
        private final GangMember root;

        RootExploration(PortedAd ad, RootClass rootClass) {
            this.rootClass = rootClass;
            this.root = new GangMember(ad);
            this.first = root.variables.get(rotation % rootClass.ports.length);
            this.secondPort = (rotation + 1) % rootClass.ports.length;
        }

        OfferSet candidates() {
            ResidualConstraint unbound = rootClass.ports[first.port.index()].unbound.residual();
            Domain domain = pool.index.domainOnce(unbound.request());
            OfferSet offers = available(domain);
            keepPassing(offers, domain.undecided(), first, List.of());
            if (rootClass.ports.length == 1) {
                keepPassing(offers, domain.deferred(), first, List.of());
                needingNothingMore.addAll(offers);
                return offers;
            }
            boolean rootMatters = rootClass.ports.length > 2
                    || !unbound.passedOn().isEmpty()
                    || domain.deferred().intersects(offers);
            supportsByClass
                    .computeIfAbsent(
                            rootMatters ? rootClass : rootClass.ports[secondPort],
                            unseen -> new Supports(pool.index.size(), rootClass.interchangeable(first.port.index())))
                    .keepSupported(offers, this::support);
            return offers;
        }

        private OfferSet available(Domain domain) {
            probes++;
            OfferSet offers = domain.offers().common(pool.free());
            exact &= !offers.intersects(pool.morePorts);
            return offers;
        }

        /**
         * Removes values of a port that do not meet the conjuncts once they are docked.
         *
         * @param offers the port's values, which are changed
         * @param open values that the index does not decide
         * @param pending conjuncts of other ports that wait for this one
         */
        private void keepPassing(OfferSet offers, OfferSet open, GangMember.Variable variable, List<Conjunct> pending) {
            for (int entry = offers.firstCommon(open, 0); entry >= 0; entry = offers.firstCommon(open, entry + 1)) {
                evaluations++;
                var conjuncts = dock(variable, entry);
                conjuncts.addAll(pending);
                if (conjuncts.stream().anyMatch(conjunct -> conjunct.read() == Clause.Decided.NOT_MET)) {
                    offers.remove(entry);
                }
                variable.undock();
            }
        }

        /** Docks an offer; returns the conjuncts of both sides. */
        private List<Conjunct> dock(GangMember.Variable variable, int entry) {
            GangMember member = pool.newMember(entry);
            var conjuncts = new ArrayList<>(variable.openSite().conjuncts());
            conjuncts.addAll(member.dockSite().conjuncts());
            variable.dock(member);
            return conjuncts;
        }

        /** The domain of the second port once an entry is bound to the first. */
        private OfferSet support(int entry) {
            var pending = dock(first, entry);
            pending.removeIf(conjunct -> conjunct.read() == Clause.Decided.MET);
            GangMember.Variable second = root.variables.get(secondPort);
            var residual = ResidualConstraint.of(second, pending, pool.index);
            exact &= residual.passedOn().isEmpty();
            OfferSet offers = OfferSet.none(pool.index.size());
            if (!residual.unsatisfiable()) {
                Domain domain = pool.index.domain(residual.request());
                offers = available(domain);
                keepPassing(offers, domain.undecided(), second, pending);
                keepPassing(offers, domain.deferred(), second, pending);
            }
            first.undock();
            return offers;
        }
    }
}
