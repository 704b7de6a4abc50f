package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.EvaluationSite.Conjunct;
import org.metasched.classad.index.MissingAttribute;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.RankTable;
import org.metasched.classad.index.Ranking;
import org.metasched.classad.index.Request;
import org.metasched.classad.match.PoolExplanation;
import org.metasched.classad.match.PoolVerdict;

/**
 * The domains of the ports of any gang by evaluation: a bound value is a member that is docked, residual constraints are read from the
 * links, and clauses that are not decided yet are passed on to the port that decides them.
 *
 * <p>A root with a {@code GangRank}, an expression that may use all its labels, gets the gang that it ranks highest; the search then
 * evaluates all complete gangs, up to a limit. Used for one search.
 */
final class EvaluatedDomains extends PortDomains {

    /** If the values are more than the offers divided by this, all offers are ranked, by classes, rather than each value. */
    private static final int MANY = 4;

    private final GangPool pool;
    private final boolean failFirst;

    /** The partial gang, and the best complete one so far. */
    final BestGang found;

    /** The available entries of ads that are not in this gang. */
    private final OfferSet untaken;

    /** The last request of each port that was probed. */
    private final Map<GangMember.Variable, Request> lastRequests = new HashMap<>();

    /** The clauses of the partial gang that are not decided yet. */
    private List<Conjunct> pending = List.of();

    /**
     * The domains of a root whose ports are all open.
     *
     * @param failFirst whether the port with the smallest domain is bound first and values interchangeable with one that failed are
     *     skipped; else ports are bound in the order of the text
     */
    EvaluatedDomains(PortedAd root, GangPool pool, boolean failFirst) {
        this.pool = pool;
        this.failFirst = failFirst;
        this.found = new BestGang(root);
        this.untaken = pool.free().copy();
    }

    /** The offers that each complete the gang of a root with one port, best first, with the port's ranks. */
    static List<GangPool.Candidate> candidates(PortedAd root, GangPool pool) {
        var domains = new EvaluatedDomains(root, pool, false);
        var found = new ArrayList<GangPool.Candidate>();
        if (!(domains.select() instanceof PortValues values)) {
            return found;
        }
        EvaluationSite site = values.variable.openSite();
        for (int entry = values.next(); entry >= 0; entry = values.next()) {
            if (values.bind(entry) == Outcome.CONSISTENT) {
                if (domains.isComplete() && domains.holdsNow()) {
                    double rank = values.ranks == null ? site.rank() : values.ranks.rank(entry);
                    found.add(new GangPool.Candidate(pool.entry(entry).ad().ad(), rank));
                }
                values.unbind();
            }
        }
        return found;
    }

    /** Whether all clauses that were not decided before hold now. */
    private boolean holdsNow() {
        return pending.stream().allMatch(conjunct -> conjunct.read() == Clause.Decided.MET);
    }

    @Override
    boolean isComplete() {
        return found.firstOpen() == null;
    }

    @Override
    boolean accept() {
        boolean over = holdsNow() && found.keepIfBest();
        stopped |= found.isCutShort();
        return over;
    }

    @Override
    Optional<Gang> finish(boolean exhaustive) {
        return found.gang();
    }

    @Override
    @Nullable
    Values select() {
        if (failFirst) {
            return smallest();
        }
        GangMember.Variable variable = found.firstOpen();
        if (variable == null) {
            throw new IllegalStateException("All ports are bound.");
        }
        var residual = ResidualConstraint.of(variable, pending, pool.index);
        return residual.unsatisfiable() && !variable.mayClose()
                ? null
                : new PortValues(residual, probe(residual), true);
    }

    /** The values of a port in the order of the pool, without the port's ranks. */
    PortValues unranked(GangMember.Variable variable) {
        var residual = ResidualConstraint.of(variable, pending, pool.index);
        return new PortValues(residual, pool.index.domain(residual.request()), false);
    }

    /** The verdict of a port on the available offers that are not in the gang. */
    PoolVerdict verdict(GangMember.Variable variable) {
        return new PoolExplanation(variable.openSite(), pending, pool.index, untaken, pool::adOf).verdict();
    }

    /** The leftmost open port if any open port ranks its values, so that ranks decide in the order of the text; else null. */
    private GangMember.@Nullable Variable leftmostIfRanked() {
        return GangMember.open(found.members).anyMatch(variable -> Ranking.of(pool.index, variable.openSite()) != null)
                ? found.firstOpen()
                : null;
    }

    /**
     * The values of the open port with the smallest domain, unless ranks decide; null if a port that must have a neighbour can have
     * none.
     */
    private @Nullable Values smallest() {
        List<ResidualConstraint> residuals = GangMember.open(found.members)
                .map(variable -> ResidualConstraint.of(variable, pending, pool.index))
                .toList();
        GangMember.Variable ranked = leftmostIfRanked();
        if (residuals.stream().anyMatch(this::isHopeless)) {
            return null;
        }
        ResidualConstraint best = null;
        int fewest = Integer.MAX_VALUE;
        for (ResidualConstraint residual : residuals) {
            int available = countAvailable(residual.request(), probe(residual));
            if (available == 0 && !residual.variable().mayClose()) {
                return null;
            }
            if (residual.variable() == ranked || best == null || best.variable() != ranked && available < fewest) {
                best = residual;
                fewest = available;
            }
        }
        return best == null ? null : new PortValues(best, pool.index.domain(best.request()), true);
    }

    /** Whether a port must have a neighbour and can have none. */
    private boolean isHopeless(ResidualConstraint residual) {
        boolean empty = residual.unsatisfiable() || pool.exhausted.contains(residual.request());
        return empty && !residual.variable().mayClose();
    }

    /** The domain of a port; counts a probe unless the request equals the port's last one. */
    private Domain probe(ResidualConstraint residual) {
        if (!Objects.equals(lastRequests.put(residual.variable(), residual.request()), residual.request())) {
            probes++;
        }
        return pool.index.domain(residual.request());
    }

    /**
     * The number of available values that are not in the gang. A domain without available values is recorded, as it stays empty until an
     * offer is restored.
     */
    private int countAvailable(Request request, Domain domain) {
        int available = domain.offers().countCommon(pool.free());
        if (available == 0) {
            pool.markExhausted(request);
            return 0;
        }
        int untried = domain.offers().countCommon(untaken);
        allDifferentPrunings += available - untried;
        return untried;
    }

    /** The undecided clauses among those of two docked sites and those that were undecided before; null if any clause is false. */
    private static @Nullable List<Conjunct> check(EvaluationSite site, EvaluationSite other, List<Conjunct> undecided) {
        var left = new ArrayList<Conjunct>();
        return Stream.of(undecided, site.conjuncts(), other.conjuncts())
                        .allMatch(conjuncts ->
                                ResidualConstraint.eachUndecided(conjuncts, (conjunct, clause) -> left.add(conjunct)))
                ? left
                : null;
    }

    /**
     * The values of a port in the order of its ranks. The neighbours of a port with several are interchangeable: only values behind the
     * last one bound are returned, so that each set of neighbours is tried once.
     *
     * @param last the last entry bound to the port; negative for none
     */
    static int[] ranked(Ranking ranking, OfferSet untried, int last) {
        if (last < 0) {
            return ranking.sorted(untried);
        }
        OfferSet withLast = untried.copy();
        withLast.add(last);
        return IntStream.of(ranking.sorted(withLast))
                .dropWhile(entry -> entry != last)
                .skip(1)
                .toArray();
    }

    /** The values of one port, in the order of its ranks or of the pool. */
    final class PortValues implements Values {
        private final ResidualConstraint residual;
        final GangMember.Variable variable;
        private final Domain domain;

        /** The clauses that were undecided before a value was bound to this port. */
        private final List<Conjunct> before = pending;

        final OfferSet untried;

        /** The port's ranks, if the values are many; null where each is ranked on its own. */
        private final @Nullable RankTable ranks;

        /** The values in the order of ranks, perhaps among others; null for the order of the pool. */
        private final int @Nullable [] order;

        private @Nullable Set<String> significant;

        /** The last value, or its index in {@link #order} if there is one. */
        private int place;

        PortValues(ResidualConstraint residual, Domain domain, boolean byRank) {
            this.residual = residual;
            this.variable = residual.variable();
            this.domain = domain;
            this.untried = residual.unsatisfiable()
                    ? OfferSet.none(pool.index.size())
                    : domain.offers().common(untaken);
            Ranking ranking = byRank && !residual.unsatisfiable() ? Ranking.of(pool.index, variable.openSite()) : null;
            this.ranks = ranking == null || untried.count() <= pool.index.size() / MANY ? null : ranking.table(false);
            if (ranking == null) {
                this.order = null;
            } else if (ranks != null
                    && variable.lastEntry() < 0
                    && pool.index.ranks().areEqual()) {
                this.order = ranks.order(pool.index.size());
            } else {
                this.order = ranked(ranking, untried, variable.lastEntry());
            }
            this.place = order == null ? variable.lastEntry() : -1;
        }

        @Override
        public int next() {
            if (order == null) {
                place = untried.next(place + 1);
                return place;
            }
            do {
                place++;
            } while (place < order.length && !untried.contains(order[place]));
            return place < order.length ? order[place] : -1;
        }

        @Override
        public Outcome bind(int entry) {
            if (found.members.size() > BestGang.MOST_MEMBERS) {
                stopped = true;
                return Outcome.STOP;
            }
            untried.remove(entry);
            EvaluationSite mine = variable.openSite();
            GangMember member = pool.memberOf(entry);
            lastRequests.keySet().removeAll(member.variables);
            variable.dock(member);
            boolean open = domain.mustCheck(entry);
            evaluations += open ? 1 : 0;
            List<Conjunct> left = open ? check(mine, member.dockSite(), before) : residual.passedOn();
            if (left == null) {
                variable.undock();
                return Outcome.INCONSISTENT;
            }
            found.members.add(member);
            pool.entriesOf(member.number, untaken::remove);
            pending = left;
            return Outcome.CONSISTENT;
        }

        @Override
        public void unbind() {
            pending = before;
            GangMember last = found.members.remove(found.members.size() - 1);
            pool.entriesOf(last.number, untaken::add);
            variable.undock();
        }

        @Override
        public void failed(int entry, boolean consistent, boolean allDifferent) {
            // An offer with further ports may differ in them from all others.
            if (failFirst && consistent && !allDifferent && !pool.morePorts.contains(entry)) {
                removeInterchangeable(entry);
            }
        }

        /**
         * Removes the values that are interchangeable with one (Freuder 1991): offers with equal values of each attribute on which other
         * open ports, the offers of their domains or the GangRank depend, and with the same undecided clauses of their own.
         */
        private void removeInterchangeable(int entry) {
            Set<String> attributes = significant == null ? significantAttributes() : significant;
            significant = attributes;
            // Offers also differ by their constraints on attributes of the port that are not known yet.
            EquivalenceClasses classes =
                    pool.index.classes(attributes, residual.request().undecidedAttributes());
            if (classes != null) {
                untried.removeAll(classes.members(classes.classOf(entry)));
            }
        }

        /** The attributes of this port's neighbour on which another part of the gang depends. */
        private Set<String> significantAttributes() {
            var wanted = new HashSet<MissingAttribute>();
            residual.passedOn()
                    .forEach(conjunct -> wanted.addAll(conjunct.read().missing()));
            GangMember.open(found.members).filter(other -> other != variable).forEach(other -> {
                EvaluationSite site = other.openSite();
                site.clauses().forEach(clause -> wanted.addAll(clause.missing()));
                pool.index
                        .demandedAttributes()
                        .forEach(attribute ->
                                wanted.addAll(site.attribute(attribute).missing()));
            });
            if (found.rank != null) {
                wanted.addAll(found.members.get(0).overview().missingFor(found.rank));
            }
            return PortClass.attributes(
                    wanted, missing -> missing.link() == variable.openSite().own());
        }

        @Override
        public boolean close() {
            return variable.close();
        }

        @Override
        public void reopen() {
            variable.reopen();
        }
    }
}
