package org.metasched.classad.match;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.MatchContext;
import org.metasched.classad.index.MatchParty;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.RankTable;

/** A search for the best offer for a customer, by evaluating each offer with the customer. Not thread-safe. */
class MatchPass {

    /** An offer with the ranks that customer and offer give each other; better ranks come first, then lower numbers. */
    record Choice(int offer, double rank, double offerRank) {

        boolean isBetterThan(@Nullable Choice that) {
            if (that == null || rank != that.rank) {
                return that == null || rank > that.rank;
            }
            return offerRank != that.offerRank ? offerRank > that.offerRank : offer < that.offer;
        }
    }

    /** Size of a pool from which ads are read ahead; those of a smaller pool stay in the processor's cache. */
    private static final int LARGE_POOL = 4_000;
    /** Number of ads that are read ahead. */
    private static final int AHEAD = 32;

    private final OfferPool pool;
    private final OfferIndex index;
    private final MatchContext context;
    /** The ads that were read ahead; empty for a small pool. */
    private final ClassAd[] nextAds;

    /** The first offer that was not read ahead. */
    private int unread;

    private int checkedCount;
    private int matchCount;

    MatchPass(ClassAd customer, OfferPool pool) {
        this.pool = pool;
        this.index = pool.index();
        this.context = MatchParty.facing(customer);
        this.nextAds = new ClassAd[pool.size() < LARGE_POOL ? 0 : AHEAD];
        context.atOneMoment();
    }

    /** The best of all available offers. */
    @Nullable
    Choice best() {
        return scan(index.available(), null, false);
    }

    /**
     * The best of some offers. Known ranks are compared before the constraints are checked, and computed ranks too once most checks pass.
     *
     * @param table the customer's ranks of the offers; null if they must be computed
     * @param alike whether all offers rank customers alike
     */
    final @Nullable Choice scan(OfferSet candidates, @Nullable RankTable table, boolean alike) {
        Choice best = null;
        unread = nextAds.length == 0 ? Integer.MAX_VALUE : 0;
        for (int offer = candidates.next(0); offer >= 0; offer = candidates.next(offer + 1)) {
            boolean rankFirst = table != null || matchCount * 2 > checkedCount;
            offer = rankFirst ? offer : firstMatch(candidates, offer);
            if (offer < 0) {
                break;
            }
            double rank = table == null ? rank(offer) : table.rank(offer);
            if (best != null && rank < best.rank() || rankFirst && !isMatch(offer)) {
                continue;
            }
            var choice = new Choice(offer, rank, alike ? 0.0 : offerRank(offer));
            if (choice.isBetterThan(best) && (!pool.isClaimed(offer) || choice.offerRank() > pool.currentRank(offer))) {
                best = choice;
            }
        }
        return best;
    }

    /** The first offer from one on that matches, or -1. A separate loop, which the JIT compiler optimises like one over a list. */
    private int firstMatch(OfferSet candidates, int from) {
        int offer = from;
        while (offer >= 0) {
            if (offer >= unread) {
                readAhead(candidates, offer);
            }
            if (isMatch(offer)) {
                return offer;
            }
            offer = candidates.next(offer + 1);
        }
        return offer;
    }

    private void readAhead(OfferSet candidates, int from) {
        int count = 0;
        int offer = from;
        while (offer >= 0 && count < nextAds.length) {
            nextAds[count++] = index.ad(offer);
            offer = candidates.next(offer + 1);
        }
        context.expect(nextAds, count);
        unread = offer < 0 ? Integer.MAX_VALUE : offer;
    }

    private boolean isMatch(int offer) {
        checkedCount++;
        if (!holds(offer)) {
            return false;
        }
        matchCount++;
        return true;
    }

    /** Whether the constraints of the customer and of an offer are true. */
    boolean holds(int offer) {
        return facing(offer).symmetricMatch();
    }

    /** The customer's rank of an offer; 0 if it is no number. */
    final double rank(int offer) {
        return facing(offer).leftRank();
    }

    /** An offer's rank of the customer; 0 if it is no number. */
    final double offerRank(int offer) {
        return facing(offer).rightRank();
    }

    private MatchContext facing(int offer) {
        context.right(index.ad(offer));
        return context;
    }
}
