package org.metasched.classad.match;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.MatchContext;
import org.metasched.classad.index.MatchParty;
import org.metasched.classad.index.OfferIndex;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.RankTable;

/** One pass over offers for the best of them: each is evaluated with the customer. Not thread-safe. */
class MatchPass {

    /** An offer with the ranks both sides give; their order is the order of preference. */
    record Choice(int offer, double rank, double offerRank) {

        boolean isBetterThan(@Nullable Choice that) {
            if (that == null || rank != that.rank) {
                return that == null || rank > that.rank;
            }
            return offerRank != that.offerRank ? offerRank > that.offerRank : offer < that.offer;
        }
    }

    /** Number of offers from which on ads are read ahead; fewer stay in the processor's cache. */
    private static final int LARGE_POOL = 4_000;

    /** Number of ads that are read ahead. */
    private static final int AHEAD = 32;

    private final OfferPool pool;
    private final OfferIndex index;
    private final MatchContext pair;
    private final ClassAd[] coming;

    /** The first offer that was not read ahead. */
    private int unread;

    private int checked;
    private int held;

    MatchPass(ClassAd customer, OfferPool pool) {
        this.pool = pool;
        this.index = pool.index();
        this.pair = MatchParty.facing(customer);
        this.coming = new ClassAd[pool.size() < LARGE_POOL ? 0 : AHEAD];
        pair.atOneMoment();
    }

    /** The best of all available offers. */
    @Nullable
    Choice best() {
        return scan(index.available(), null, false);
    }

    /**
     * The best of some offers. Known ranks are compared before the constraints are checked, and computed ranks too once most checks pass.
     *
     * @param known the customer's ranks of the offers; null if they must be computed
     * @param alike whether all offers rank customers alike
     */
    final @Nullable Choice scan(OfferSet live, @Nullable RankTable known, boolean alike) {
        Choice best = null;
        unread = coming.length == 0 ? Integer.MAX_VALUE : 0;
        for (int offer = live.next(0); offer >= 0; offer = live.next(offer + 1)) {
            boolean rankFirst = known != null || held * 2 > checked;
            offer = rankFirst ? offer : firstHeld(live, offer);
            if (offer < 0) {
                break;
            }
            double rank = known == null ? rank(offer) : known.rank(offer);
            if (best != null && rank < best.rank() || rankFirst && !isHeld(offer)) {
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
    private int firstHeld(OfferSet live, int from) {
        int offer = from;
        while (offer >= 0) {
            if (offer >= unread) {
                readAhead(live, offer);
            }
            if (isHeld(offer)) {
                return offer;
            }
            offer = live.next(offer + 1);
        }
        return offer;
    }

    private void readAhead(OfferSet live, int from) {
        int count = 0;
        int offer = from;
        while (offer >= 0 && count < coming.length) {
            coming[count++] = index.ad(offer);
            offer = live.next(offer + 1);
        }
        pair.expect(coming, count);
        unread = offer < 0 ? Integer.MAX_VALUE : offer;
    }

    private boolean isHeld(int offer) {
        checked++;
        if (!holds(offer)) {
            return false;
        }
        held++;
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
        pair.right(index.ad(offer));
        return pair;
    }
}
