package org.metasched.classad.index;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The values of one rank expression for a pool: one number for each equivalence class of offers by the attributes on which the
 * expression depends. Thread-safe.
 */
public final class RankTable {

    private final EquivalenceClasses classes;
    private final double[] rankOfGroup;
    private final boolean constant;
    private int @Nullable [] order;

    /** Evaluates a side's rank once for each group of offers. */
    RankTable(EvaluationSite site, OfferIndex index, EquivalenceClasses classes) {
        this.classes = classes;
        this.rankOfGroup = new double[classes.count()];
        for (int group = 0; group < rankOfGroup.length; group++) {
            EvaluationSite offer = index.indexed(classes.representative(group)).site();
            rankOfGroup[group] = site.facing(offer, site::rank);
        }
        this.constant = DoubleStream.of(rankOfGroup).allMatch(rank -> rank == rankOfGroup[0]);
    }

    /** The rank of an offer. {@code O(1)}. */
    public double rank(int offer) {
        return rankOfGroup[classes.classOf(offer)];
    }

    /** Whether all offers have the same rank, so that their order alone decides. */
    public boolean isConstant() {
        return constant;
    }

    /** All offers, best first and then in the order of the pool. Costs a sort of the groups and a pass on first use. */
    public synchronized int[] order(int poolSize) {
        if (order == null) {
            double[] levels = DoubleStream.of(rankOfGroup)
                    .map(rank -> -rank + 0.0)
                    .sorted()
                    .distinct()
                    .toArray();
            order = IntStream.range(0, poolSize)
                    .mapToLong(offer -> (long) Arrays.binarySearch(levels, -rank(offer) + 0.0) << 32 | offer)
                    .sorted()
                    .mapToInt(levelAndOffer -> (int) levelAndOffer)
                    .toArray();
        }
        return order;
    }
}
