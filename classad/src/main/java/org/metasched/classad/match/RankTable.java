package org.metasched.classad.match;

import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How one rank expression likes the offers of a pool: one number for each group of offers that are equal in what the expression
 * looks at. Thread-safe.
 */
final class RankTable {

    private final Grouping grouping;
    private final double[] rankOfGroup;
    private volatile int @Nullable [] order;

    private RankTable(Grouping grouping, double[] rankOfGroup) {
        this.grouping = grouping;
        this.rankOfGroup = rankOfGroup;
    }

    /** Evaluates a place's rank once for each group of offers. */
    static RankTable of(Place place, OfferPool pool, Grouping grouping) {
        var ranks = new double[grouping.count()];
        for (int group = 0; group < ranks.length; group++) {
            Place offer = pool.offer(grouping.representative(group)).place();
            offer.own().bind(place);
            place.own().bind(offer);
            ranks[group] = place.rank();
        }
        place.own().release();
        return new RankTable(grouping, ranks);
    }

    double rank(int offer) {
        return rankOfGroup[grouping.groupOf(offer)];
    }

    boolean isConstant() {
        for (double rank : rankOfGroup) {
            if (rank != rankOfGroup[0]) {
                return false;
            }
        }
        return true;
    }

    /** All offers, best first and then in the order of the pool. Costs a sort of the pool on first use. */
    int[] order(int offers) {
        int[] known = order;
        if (known == null) {
            known = IntStream.range(0, offers)
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer offer) -> -rank(offer)))
                    .mapToInt(Integer::intValue)
                    .toArray();
            order = known;
        }
        return known;
    }
}
