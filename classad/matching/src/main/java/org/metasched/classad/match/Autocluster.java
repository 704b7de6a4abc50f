package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.AttributeRef;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.MatchParty;
import org.metasched.classad.index.MissingAttribute;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.PartialValue;
import org.metasched.classad.index.RankTable;
import org.metasched.classad.index.Request;

/**
 * An equivalence class of customers: their requests and ranks are equal, and no offer of a pool distinguishes them. They have the same
 * domain and the same best offer, which are computed once. Which attributes are significant follows from the references in the
 * constraints and ranks of both sides.
 *
 * <p>{@link #prepare} may run on any thread; {@link #best} belongs to the thread that owns the pool.
 */
public final class Autocluster {

    /**
     * One in so many offers of the pool is tried in the order of rank; if none of these matches, the offers of the domain are
     * compared.
     */
    private static final int SPARSE = 16;

    /**
     * The key that is equal for customers of one autocluster.
     *
     * @param request the residual constraint of the customer
     * @param rank the residual of the customer's rank; null if it has none
     * @param seen what ranks of offers see of the customer, and what their constraints see apart from known values
     */
    record Key(Request request, @Nullable Object rank, List<Object> seen) {}

    private final OfferPool pool;
    private final OfferIndex index;
    private final EvaluationSite site;
    private @Nullable Key key;
    private @Nullable Domain domain;

    /** The offers of the domain that were checked and do not match. */
    private @Nullable OfferSet refuted;

    private @Nullable RankTable ranks;

    /** The autocluster of a customer; another one with an equal {@link #key} is the same. */
    Autocluster(ClassAd customer, OfferPool pool) {
        this.pool = pool;
        this.index = pool.index();
        this.site = new EvaluationSite(MatchParty.whole(customer));
    }

    /** The key that customers of one autocluster have in common. The first call makes the indexes of the pool. */
    Key key() {
        Key known = key;
        if (known == null) {
            known = readKey();
            key = known;
        }
        return known;
    }

    private Key readKey() {
        List<Clause> clauses = site.clauses();
        Request request = new Request(site, clauses, index);
        Expr rank = site.side().rank();
        boolean isUnlike = rank != null && dependsOnItself(site.missingFor(rank))
                || clauses.stream().anyMatch(clause -> dependsOnItself(clause.missing()));
        var seen = new ArrayList<Object>();
        for (var attributes : List.of(index.ranks().attributes(), request.undecidedAttributes())) {
            for (String attribute : attributes) {
                PartialValue value = site.attribute(attribute);
                isUnlike = isUnlike || attribute.equals(MissingAttribute.WHOLE) || dependsOnItself(value.missing());
                Optional<Expr> expr = site.side().holder().lookup(AttributeRef.to(attribute));
                seen.add(value instanceof PartialValue.Known ? value : expr.map(this::residual));
            }
        }
        return new Key(request, rank == null ? null : residual(rank), isUnlike ? List.of(new Object()) : seen);
    }

    /** Whether what the customer reads of offers depends on the customer at some of them. */
    private boolean dependsOnItself(Set<MissingAttribute> wanted) {
        return wanted.stream().anyMatch(index::dependsOnNeighbour);
    }

    private Object residual(Expr expr) {
        return site.conjunct(expr).residual(index.hasOpenLists());
    }

    /**
     * Computes the domain and the ranks before the first match needs them, unless passes over all offers are still cheaper than
     * indexes.
     */
    public void prepare() {
        if (pool.isFresh()) {
            return;
        }
        indexed();
        RankTable table = ranks();
        if (table != null && index.ranks().areEqual() && !table.isConstant()) {
            table.order(pool.size());
        }
        pool.claimed();
    }

    /**
     * The best available offer for a customer of this cluster; empty if there is none. All evaluations see one time. No offer is checked
     * twice, and only offers that the indexes do not decide are evaluated with the customer: {@code O(n)} checks at worst, as in a loop
     * over all offers. The first queries of a pool are such a loop, unless the pool was prepared.
     */
    public Optional<Match> best(ClassAd customer) {
        MatchPass pass = pool.takePass() ? new MatchPass(customer, pool) : new Search(customer);
        return Optional.ofNullable(pass.best()).map(choice -> match(customer, pass, choice.offer()));
    }

    /** A pass over the offers of the domain. */
    private final class Search extends MatchPass {

        private final Domain domain = indexed();
        private final @Nullable RankTable table = ranks();

        /** Whether all offers rank their customers alike and none is claimed. */
        private final boolean onlyCustomerRanks =
                index.ranks().areEqual() && pool.claimed().isEmpty();

        /** Whether each offer is evaluated, as the domain does not cover changed offers. */
        private boolean checksAll;

        Search(ClassAd customer) {
            super(customer, pool);
        }

        @Override
        @Nullable
        Choice best() {
            Choice best = bestIndexed();
            if (index.changed().isEmpty()) {
                return best;
            }
            OfferSet changed = index.changed().common(index.available());
            checksAll = true;
            Choice other = scan(changed, null, false);
            if (best != null && other != null && onlyCustomerRanks) {
                best = new Choice(best.offer(), best.rank(), offerRank(best.offer()));
            }
            return other != null && other.isBetterThan(best) ? other : best;
        }

        /** The best of the offers that the indexes cover. */
        private @Nullable Choice bestIndexed() {
            int firstChoice = onlyCustomerRanks && table != null && !table.isConstant() ? firstInOrder(table) : -1;
            if (firstChoice >= 0 && table != null) {
                return new Choice(firstChoice, table.rank(firstChoice), 0.0);
            }
            OfferSet candidates = domain.offers().common(index.available());
            candidates.removeAll(index.changed());
            OfferSet known = refuted;
            if (known != null) {
                candidates.removeAll(known);
            }
            boolean indifferent = site.side().rank() == null || table != null && table.isConstant();
            return onlyCustomerRanks && indifferent ? first(candidates) : scan(candidates, table, onlyCustomerRanks);
        }

        /** The first offer of a set that matches, or null. */
        private @Nullable Choice first(OfferSet candidates) {
            for (int offer = candidates.next(0); offer >= 0; offer = candidates.next(offer + 1)) {
                if (holds(offer)) {
                    return new Choice(offer, table == null ? 0.0 : table.rank(offer), 0.0);
                }
            }
            return null;
        }

        /**
         * The best offer if it is among the first offers in the order of rank, else -1. Customers with equal ranks share the order. With few
         * candidates, to compare them all is cheaper than to go through the whole order.
         */
        private int firstInOrder(RankTable byRank) {
            int[] order = byRank.order(pool.size());
            for (int i = 0; i < order.length / SPARSE; i++) {
                int offer = order[i];
                boolean isCandidate = domain.offers().contains(offer)
                        && index.available().contains(offer)
                        && !index.changed().contains(offer);
                if (isCandidate && !isRefuted(offer) && holds(offer)) {
                    return offer;
                }
            }
            return -1;
        }

        private boolean isRefuted(int offer) {
            OfferSet known = refuted;
            return known != null && known.contains(offer);
        }

        /** Whether an offer of the domain matches; an offer that does not is refuted for later customers too. */
        @Override
        boolean holds(int offer) {
            if (!checksAll && !domain.mustCheck(offer) || super.holds(offer)) {
                return true;
            }
            if (!checksAll) {
                refute(offer);
            }
            return false;
        }
    }

    /** The matches of a customer of this cluster with all available offers, best first. */
    public List<Match> all(ClassAd customer) {
        Domain now = index.withChanged(indexed());
        var pass = new MatchPass(customer, pool);
        OfferSet candidates = now.offers().common(index.available());
        var matches = new ArrayList<Match>();
        candidates.forEach(offer -> {
            if (!now.mustCheck(offer) || pass.holds(offer)) {
                Match match = match(customer, pass, offer);
                if (!match.preempts() || match.offerRank() > pool.currentRank(offer)) {
                    matches.add(match);
                }
            }
        });
        matches.sort(Comparator.comparingDouble(Match::rank)
                .thenComparingDouble(Match::offerRank)
                .reversed()
                .thenComparingInt(Match::number));
        return matches;
    }

    /** The match of a customer and an offer, with the ranks of a pass. */
    private Match match(ClassAd customer, MatchPass pass, int offer) {
        return new Match(
                customer, pool.ad(offer), offer, pass.rank(offer), pass.offerRank(offer), pool.isClaimed(offer));
    }

    private void refute(int offer) {
        OfferSet set = refuted;
        if (set == null) {
            set = OfferSet.none(pool.size());
            refuted = set;
        }
        set.add(offer);
    }

    /** The domain by the indexes, which is wrong for changed offers. */
    private Domain indexed() {
        Domain known = domain;
        if (known == null) {
            known = index.indexedDomain(key().request(), true);
            domain = known;
        }
        return known;
    }

    /** The customer's ranks of all offers; null if there is no table, and an offer is ranked when it is tried. */
    private @Nullable RankTable ranks() {
        RankTable known = ranks;
        Object rank = key().rank();
        if (known == null && rank != null) {
            known = index.ranks().table(site, rank, false);
            ranks = known;
        }
        return known;
    }
}
