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
import org.metasched.classad.ClassAd;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.EquivalenceClasses;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.EvaluationSite.Conjunct;
import org.metasched.classad.index.MissingAttribute;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Ranking;
import org.metasched.classad.index.Request;
import org.metasched.classad.match.PoolExplanation;
import org.metasched.classad.match.PoolVerdict;

/**
 * Domains of any gang by evaluation: members are docked, residual constraints are read from the links, and clauses that
 * cannot be decided yet are passed on to the port where they can.
 *
 * <p>A root with a {@code GangRank} gets the best of its gangs by that expression, which may use all its labels; the
 * search then reads all complete gangs, up to a limit.
 */
final class EvaluatedDomains extends PortDomains {

    private final GangPool pool;
    private final boolean failFirst;
    final BestGang found;

    /** The available entries of ads that are not in this gang. */
    private final OfferSet untaken;

    private final Map<GangMember.Variable, Request> lastRequests = new HashMap<>();
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

    /** The offers each of which makes a gang with a root of one port, best first: in one pass, each ranked once. */
    static List<ClassAd> candidates(PortedAd root, GangPool pool) {
        var domains = new EvaluatedDomains(root, pool, false);
        var found = new ArrayList<ClassAd>();
        Values values = domains.select();
        for (int entry = values == null ? -1 : values.next(); values != null && entry >= 0; entry = values.next()) {
            if (values.bind(entry) == Outcome.CONSISTENT) {
                if (domains.isComplete() && domains.holdsNow()) {
                    found.add(pool.entry(entry).ad().ad());
                }
                values.unbind();
            }
        }
        return found;
    }

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

    /** The values of a port in the order of the pool, whatever the port prefers. */
    PortValues unranked(GangMember.Variable variable) {
        var residual = ResidualConstraint.of(variable, pending, pool.index);
        return new PortValues(residual, pool.index.domain(residual.request()), false);
    }

    /** Counts of a port's verdicts on available offers that are not in the gang. */
    PoolVerdict verdict(GangMember.Variable variable) {
        return PoolExplanation.of(variable.openSite(), pending, pool.index, untaken, pool::adOf)
                .verdict();
    }

    /** The leftmost port if an open port prefers some values, so that the first rank decides first; else null. */
    private GangMember.@Nullable Variable leftmostIfRanked() {
        return GangMember.open(found.members).anyMatch(variable -> Ranking.of(pool.index, variable.openSite()) != null)
                ? found.firstOpen()
                : null;
    }

    /** The port with the smallest domain unless ranks decide; null if some port without one must have a neighbour. */
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

    private boolean isHopeless(ResidualConstraint residual) {
        boolean empty = residual.unsatisfiable() || pool.exhausted.contains(residual.request());
        return empty && !residual.variable().mayClose();
    }

    /** The domain of a port; a request equal to the port's last one is no probe. */
    private Domain probe(ResidualConstraint residual) {
        if (!Objects.equals(lastRequests.put(residual.variable(), residual.request()), residual.request())) {
            probes++;
        }
        return pool.index.domain(residual.request());
    }

    /** Number of available values; an empty domain is remembered for the rest of the cycle, which only removes offers. */
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

    /** Checks a docking from both sides: null if it fails, else the clauses that cannot be decided yet. */
    private static @Nullable List<Conjunct> check(EvaluationSite site, EvaluationSite other, List<Conjunct> undecided) {
        var left = new ArrayList<Conjunct>();
        return Stream.of(undecided, site.conjuncts(), other.conjuncts())
                        .allMatch(conjuncts ->
                                ResidualConstraint.eachUndecided(conjuncts, (conjunct, clause) -> left.add(conjunct)))
                ? left
                : null;
    }

    /**
     * Values in order of preference. Neighbours at one port are interchangeable, so only values after the last one bound count, and
     * each set of them is tried once.
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

    /** The values of one port, in its order of preference or that of the pool. */
    final class PortValues implements Values {
        private final ResidualConstraint residual;
        final GangMember.Variable variable;
        private final Domain domain;
        private final List<Conjunct> before = pending;
        final OfferSet untried;
        private final int @Nullable [] order;
        private @Nullable Set<String> significant;
        private int place;

        PortValues(ResidualConstraint residual, Domain domain, boolean byRank) {
            this.residual = residual;
            this.variable = residual.variable();
            this.domain = domain;
            this.untried = residual.unsatisfiable()
                    ? OfferSet.none(pool.index.size())
                    : domain.offers().common(untaken);
            Ranking ranking = byRank && !residual.unsatisfiable() ? Ranking.of(pool.index, variable.openSite()) : null;
            this.order = ranking == null ? null : ranked(ranking, untried, variable.lastEntry());
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
         * Removes the values interchangeable with one (Freuder 1991): offers that agree in every attribute on which other open ports,
         * the offers of their domains and the preference among gangs depend, and whose own undecided clauses are the same.
         */
        private void removeInterchangeable(int entry) {
            Set<String> attributes = significant == null ? significantAttributes() : significant;
            significant = attributes;
            // An offer's demand on an attribute of the port that is not known yet still counts.
            EquivalenceClasses classes =
                    pool.index.classes(attributes, residual.request().undecidedAttributes());
            if (classes != null) {
                untried.removeAll(classes.members(classes.classOf(entry)));
            }
        }

        /** Attributes of the coming neighbour on which another part of the gang depends. */
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
