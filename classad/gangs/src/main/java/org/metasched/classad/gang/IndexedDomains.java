package org.metasched.classad.gang;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.OfferSet;

/**
 * The domains of the ports of one root, found by indexes alone. Roots of the same class share the residual constraint of each port and
 * the propagation of each of its values, so no offer is docked and no constraint evaluated for this root. If the indexes do not decide,
 * the search stops, and the {@link RootClass} needs evaluation from then on. An <em>entry</em> is the number of an offer's port in the pool.
 */
final class IndexedDomains extends PortDomains {

    /** The entry of an open port; also the result for no port, no value or no place in an order. */
    private static final int NONE = -1;

    private final PortedAd root;
    private final RootClass rootClass;
    private final GangPool pool;
    private final boolean failFirst;

    /** For each port the entry that is bound to it. */
    private final int[] bound;

    /** For each bound port the propagation of its entry. */
    private final Propagation[] propagations;

    /** For each open port the part of the partial binding on which it depends. */
    private final PortClass.PartialBinding[] bindings;

    /** For each open port its domain. */
    private final LiveDomain[] domains;

    /** For each port the domain of its last probe. */
    private final @Nullable LiveDomain[] probed;

    /** The number of open ports. */
    private int open;

    private int @Nullable [] solution;

    /**
     * The domains of a root whose ports are all open.
     *
     * @param failFirst whether the port with the smallest domain is bound first and nogoods are learnt; else ports are bound in the
     *     order of the text
     */
    IndexedDomains(PortedAd root, RootClass rootClass, GangPool pool, boolean failFirst) {
        this.root = root;
        this.rootClass = rootClass;
        this.pool = pool;
        this.failFirst = failFirst;
        this.open = rootClass.ports.length;
        this.bound = new int[open];
        this.propagations = new Propagation[open];
        this.bindings = new PortClass.PartialBinding[open];
        this.domains = new LiveDomain[open];
        this.probed = new LiveDomain[open];
        Arrays.fill(bound, NONE);
    }

    @Override
    boolean isComplete() {
        return open == 0;
    }

    @Override
    boolean accept() {
        solution = bound.clone();
        return true;
    }

    @Override
    Optional<Gang> finish(boolean exhaustive) {
        for (LiveDomain domain : probed) {
            if (domain != null) {
                domain.release(null);
            }
        }
        int[] found = solution;
        if (stopped) {
            rootClass.needsEvaluation = true;
        } else if (found == null && failFirst && exhaustive) {
            rootClass.exhaust();
        }
        return found == null ? Optional.empty() : Optional.of(pool.gang(root, found));
    }

    @Override
    @Nullable
    Values select() {
        int port = failFirst ? smallest() : leftmost();
        return port == NONE ? null : new PortValues(port);
    }

    /** The leftmost open port; -1 if its domain has no value that is free, or the indexes do not decide it. */
    private int leftmost() {
        int port = 0;
        while (bound[port] != NONE) {
            port++;
        }
        LiveDomain domain = find(port);
        return domain != null && probe(port, domain) ? port : NONE;
    }

    /**
     * The open port to bind next: the one with the smallest domain unless ranks decide; -1 if some domain has no value that is free, or the
     * indexes do not decide it.
     */
    private int smallest() {
        for (int port = 0; port < bound.length; port++) {
            if (bound[port] == NONE) {
                LiveDomain domain = find(port);
                if (domain == null || domain.isExhausted()) {
                    return NONE;
                }
            }
        }
        int best = NONE;
        // Up to the last port that ranks its values, ports are bound in the order of the text: the first rank
        // decides first.
        boolean inTextOrder = bound.length - open <= rootClass.lastRanked;
        for (int port = 0; port < bound.length; port++) {
            if (bound[port] == NONE) {
                LiveDomain domain = domains[port];
                if (!probe(port, domain)) {
                    return NONE;
                }
                if (best == NONE || !inTextOrder && isSmaller(domain, domains[best])) {
                    best = port;
                }
            }
        }
        return best;
    }

    /** Whether a domain has fewer unbound values than another one. Avoids counting values where no bound entry is in either. */
    private boolean isSmaller(LiveDomain one, LiveDomain other) {
        int inOne = countBoundIn(one);
        int inOther = countBoundIn(other);
        return inOne == 0 && inOther == 0 ? one.isSmallerThan(other) : one.count() - inOne < other.count() - inOther;
    }

    /** The domain of an open port under the partial binding; null if it is empty or the indexes do not decide it. */
    private @Nullable LiveDomain find(int port) {
        PortClass.PartialBinding binding = rootClass.ports[port].under(bound);
        if (binding == null) {
            stopped = true;
            return null;
        }
        bindings[port] = binding;
        LiveDomain domain = binding.domain();
        OfferSet limit = limit(port);
        if (limit != null) {
            domain = domain.restrictedTo(limit, probed[port]);
        }
        domains[port] = domain;
        return binding.residual().unsatisfiable() ? null : domain;
    }

    /** The offers to which the bound values restrict the domain of a port; null if they do not restrict it. */
    private @Nullable OfferSet limit(int port) {
        OfferSet limit = null;
        for (int other = 0; other < bound.length; other++) {
            OfferSet one = bound[other] == NONE ? null : propagations[other].limit(port);
            if (one != null) {
                limit = limit == null ? one : one.common(limit);
            }
        }
        return limit;
    }

    /** Whether a domain has a value that is not bound yet; counts a probe unless the port's last probe was of the same domain. */
    private boolean probe(int port, LiveDomain domain) {
        LiveDomain last = probed[port];
        if (last != domain) {
            if (last != null) {
                last.release(domain);
            }
            probed[port] = domain;
            probes++;
        }
        if (domain.first() < 0) {
            return false;
        }
        int pruned = countBoundIn(domain);
        allDifferentPrunings += pruned;
        return pruned == 0 || domain.count() > pruned;
    }

    /** The number of bound entries that are in a domain. */
    private int countBoundIn(LiveDomain domain) {
        int count = 0;
        for (int entry : bound) {
            count += entry != NONE && domain.contains(entry) ? 1 : 0;
        }
        return count;
    }

    private boolean isBound(int entry) {
        for (int other : bound) {
            if (other == entry) {
                return true;
            }
        }
        return false;
    }

    /** The values of one port, in the order of its ranks or of the pool. */
    private final class PortValues implements Values {
        private final int port;

        /** The values in the order of ranks; null for the order of the pool. */
        private final int @Nullable [] order;

        /** Whether all values so far are nogoods, so that later roots of the class may begin behind them. */
        private boolean prefixIsNogood;

        /** The classes of interchangeable values; null if there are none, or no value has failed. */
        private @Nullable EquivalenceClasses classes;

        /** The classes whose values fail. */
        private final BitSet nogoods;

        /** The last value, or its index in {@link #order} if there is one. */
        private int place;

        PortValues(int port) {
            this.port = port;
            this.order = rootClass.ports[port].order;
            // Nogoods hold for every root of the class if no other port is bound.
            boolean first = failFirst && open == bound.length;
            this.prefixIsNogood = first;
            this.nogoods = first ? rootClass.nogoods(port) : new BitSet();
            this.classes = nogoods.isEmpty() ? null : rootClass.interchangeable(port);
            this.place = (first ? rootClass.cursor(port) : 0) - 1;
        }

        @Override
        public int next() {
            int entry = NONE;
            do {
                place = placeFrom(place + 1);
                entry = place < 0 || order == null ? place : order[place];
            } while (entry >= 0 && (isBound(entry) || classes != null && nogoods.get(classes.classOf(entry))));
            if (prefixIsNogood && place >= 0) {
                rootClass.moveCursor(port, place);
            }
            return entry;
        }

        /** The place of the first available value from a place on, in the order of values; -1 if there is none. */
        private int placeFrom(int from) {
            LiveDomain domain = domains[port];
            if (order == null) {
                return domain.next(Math.max(from, domain.first()));
            }
            OfferSet available = pool.free();
            for (int at = from; at < order.length; at++) {
                if (available.contains(order[at]) && domain.contains(order[at])) {
                    return at;
                }
            }
            return NONE;
        }

        @Override
        public Outcome bind(int entry) {
            PortClass.PartialBinding binding = bindings[port];
            Propagation propagation = pool.morePorts.contains(entry)
                            || binding.domain().all().undecided().contains(entry)
                    ? Propagation.UNDECIDED
                    : rootClass.ports[port].propagation(binding, entry, bound);
            if (propagation == Propagation.UNDECIDED) {
                stopped = true;
                return Outcome.STOP;
            }
            if (propagation == Propagation.INCONSISTENT) {
                return Outcome.INCONSISTENT;
            }
            bound[port] = entry;
            propagations[port] = propagation;
            open--;
            return Outcome.CONSISTENT;
        }

        @Override
        public void unbind() {
            bound[port] = NONE;
            open++;
        }

        @Override
        public void failed(int entry, boolean consistent, boolean allDifferent) {
            if (!failFirst || allDifferent) {
                prefixIsNogood = false;
                return;
            }
            classes = rootClass.interchangeable(port);
            if (classes != null) {
                nogoods.set(classes.classOf(entry));
            }
        }
    }
}
