package org.metasched.classad.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;
import org.metasched.classad.index.Bond;
import org.metasched.classad.index.Clause;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.RankTable;
import org.metasched.classad.index.Request;
import org.metasched.classad.index.Side;
import org.metasched.classad.index.Term;
import org.metasched.classad.index.Wanted;

/**
 * An equivalence class of customers: their requests and ranks are equal, and no offer of a pool can tell them apart, so they have the
 * same domain and the same best offer, and the work is done once. What is significant comes from the references of both sides' constraints and ranks.
 *
 * <p>{@link #prepare} may run on any thread; {@link #best} belongs to the thread that owns the pool.
 */
public final class Autocluster {

    /** One of so many offers is read in order of rank before the values of the domain are read instead. */
    private static final int SPARSE = 16;

    /** Equal for customers of one autocluster. */
    record Key(Request request, @Nullable Object rank, List<Object> rankedBy) {}

    private final OfferPool pool;
    private final OfferIndex index;
    private final Key key;
    private final Place place;
    private @Nullable Domain domain;
    private @Nullable OfferSet refuted;
    private @Nullable RankTable ranks;

    private Autocluster(OfferPool pool, Key key, Place place) {
        this.pool = pool;
        this.index = pool.index();
        this.key = key;
        this.place = place;
    }

    /** The autocluster a customer belongs to; not looked up among those that exist already. */
    static Autocluster of(ClassAd customer, OfferPool pool) {
        Side side = Side.whole(customer);
        var place = new Place(side, new Bond(side.label()));
        List<Clause> clauses = place.clauses();
        Request request = Request.of(place, clauses, pool.index());
        Expr rank = side.rank();
        var rankedBy = new ArrayList<Object>();
        for (String attribute : pool.index().rankAttributes()) {
            boolean known = !attribute.equals(Wanted.WHOLE);
            rankedBy.add(known && place.attribute(attribute) instanceof Term.Known term ? term.value() : new Object());
        }
        Object rankKey = rank == null ? null : place.residual(rank);
        return new Autocluster(pool, new Key(request, rankKey, rankedBy), place);
    }

    Key key() {
        return key;
    }

    /** How many offers could match this cluster, available or not, before those that need it are checked one by one. */
    public int size() {
        return domain().offers().count();
    }

    /** Computes the domain and the ranks ahead of the first match. */
    public void prepare() {
        domain();
        RankTable table = ranks();
        if (table != null && index.ranksAreConstant() && !table.isConstant()) {
            table.order(pool.size());
        }
        pool.claimed();
    }

    /** The best available offer for a customer of this cluster. */
    public Optional<Match> best(ClassAd customer) {
        int likedMost = firstInOrder();
        if (likedMost >= 0) {
            return Optional.of(match(customer, likedMost));
        }
        OfferSet live = domain().offers().copy();
        live.retainAll(index.available());
        OfferSet bad = refuted;
        if (bad != null) {
            live.removeAll(bad);
        }
        while (true) {
            int offer = choose(live);
            if (offer < 0) {
                return Optional.empty();
            }
            if (holds(offer)) {
                return Optional.of(match(customer, offer));
            }
            live.remove(offer);
        }
    }

    /** Whether a value matches; remembers one that does not. */
    private boolean holds(int offer) {
        if (!mustCheck(offer) || passesCheck(offer)) {
            return true;
        }
        if (!index.isChanged(offer)) {
            refute(offer);
        }
        return false;
    }

    /** Every available offer for a customer of this cluster, best first. */
    List<Match> all(ClassAd customer) {
        OfferSet live = domain().offers().copy();
        live.retainAll(index.available());
        var matches = new ArrayList<Match>();
        live.forEach(offer -> {
            if (!mustCheck(offer) || passesCheck(offer)) {
                Match match = match(customer, offer);
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

    private Match match(ClassAd customer, int offer) {
        Place mine = Place.facing(Side.whole(customer), index.offer(offer).side());
        Place theirs = mine.own().peer();
        double offerRank = theirs == null ? 0.0 : theirs.rank();
        return new Match(customer, pool.ad(offer), offer, mine.rank(), offerRank, pool.isClaimed(offer));
    }

    private boolean mustCheck(int offer) {
        return domain().mustCheck(offer);
    }

    private boolean passesCheck(int offer) {
        Place mine = Place.facing(place.side(), index.offer(offer).side());
        Place theirs = mine.own().peer();
        return theirs != null && mine.isSatisfied() && theirs.isSatisfied();
    }

    private void refute(int offer) {
        OfferSet set = refuted;
        if (set == null) {
            set = OfferSet.none(pool.size());
            refuted = set;
        }
        set.add(offer);
    }

    private int choose(OfferSet live) {
        int best = -1;
        double bestRank = 0.0;
        double bestOfferRank = 0.0;
        boolean plain = index.ranksAreConstant() && pool.claimed().isEmpty();
        RankTable table = ranks();
        if (plain && index.changed().isEmpty() && (table == null || table.isConstant())) {
            return live.next(0);
        }
        for (int offer = live.next(0); offer >= 0; offer = live.next(offer + 1)) {
            double rank = rank(offer, table);
            if (best >= 0 && rank < bestRank) {
                continue;
            }
            double offerRank = plain ? 0.0 : offerRank(offer);
            if (pool.isClaimed(offer) && !(offerRank > pool.currentRank(offer))) {
                continue;
            }
            if (best < 0 || rank > bestRank || offerRank > bestOfferRank) {
                best = offer;
                bestRank = rank;
                bestOfferRank = offerRank;
            }
        }
        return best;
    }

    /**
     * The best offer if it is soon found in the order of rank, else -1: customers with equal ranks share the order, and it is walked
     * only so far, since with few candidates looking at each of them is cheaper.
     */
    private int firstInOrder() {
        RankTable table = ranks();
        if (table == null
                || table.isConstant()
                || !index.ranksAreConstant()
                || !pool.claimed().isEmpty()
                || !index.changed().isEmpty()) {
            return -1;
        }
        OfferSet live = domain().offers();
        OfferSet bad = refuted;
        int[] order = table.order(pool.size());
        for (int i = 0; i < order.length / SPARSE; i++) {
            int offer = order[i];
            if (live.contains(offer)
                    && index.available().contains(offer)
                    && (bad == null || !bad.contains(offer))
                    && holds(offer)) {
                return offer;
            }
        }
        return -1;
    }

    private double rank(int offer, @Nullable RankTable table) {
        if (table != null && !index.isChanged(offer)) {
            return table.rank(offer);
        }
        return place.side().rank() == null
                ? 0.0
                : Place.facing(place.side(), index.offer(offer).side()).rank();
    }

    private double offerRank(int offer) {
        return Place.facing(index.offer(offer).side(), place.side()).rank();
    }

    private Domain domain() {
        Domain known = domain;
        if (known == null || !index.changed().isEmpty()) {
            known = index.domain(key.request());
            domain = known;
        }
        return known;
    }

    /** Null if the rank depends on nothing the index knows of, and each offer is ranked when it is read. */
    private @Nullable RankTable ranks() {
        RankTable known = ranks;
        if (known == null && place.side().rank() != null && key.rank() != null) {
            known = index.rankTable(place, key.rank());
            ranks = known;
        }
        return known;
    }

    @Override
    public String toString() {
        return "autocluster " + key.request() + (key.rank() instanceof Value v ? " rank " + v : "");
    }
}
