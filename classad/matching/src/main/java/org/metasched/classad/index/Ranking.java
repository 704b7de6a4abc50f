package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;

/**
 * One side's order of preference: by its own rank, then by the offers' ranks, then by the order of the pool. A rank
 * that depends on an unbound neighbour elsewhere counts as zero.
 */
public final class Ranking {

    private final OfferIndex pool;
    private final EvaluationSite site;

    private Ranking(OfferIndex pool, EvaluationSite site) {
        this.pool = pool;
        this.site = site;
    }

    /** The order of preference of an evaluation site with an open link; null if all ranks on both sides are equal. */
    public static @Nullable Ranking of(OfferIndex pool, EvaluationSite site) {
        Expr rank = site.side().rank();
        boolean indifferent = rank == null || !dependsOnCandidateAlone(rank, site);
        return indifferent && pool.ranks().areEqual() ? null : new Ranking(pool, site);
    }

    private static boolean dependsOnCandidateAlone(Expr rank, EvaluationSite site) {
        Set<MissingAttribute> missing = site.missingFor(rank);
        return !missing.isEmpty() && missing.stream().allMatch(wanted -> wanted.link() == site.own());
    }

    /**
     * All offers of the pool, best first. Null unless all offers have the same constant rank, or if {@link #table} has no table. The caller
     * must not change the array.
     */
    public int @Nullable [] order() {
        RankTable table = pool.ranks().areEqual() ? table(true) : null;
        return table == null ? null : table.order(pool.size());
    }

    /**
     * This side's ranks of all offers. Null if it has no rank, if a rank is unknown or depends on a whole ad or on other neighbours, or,
     * without {@code atOnce}, while too few requests had this rank.
     *
     * @param atOnce whether the first request makes the table
     */
    public @Nullable RankTable table(boolean atOnce) {
        Expr rank = site.side().rank();
        if (rank == null) {
            return null;
        }
        for (MissingAttribute wanted : site.missingFor(rank)) {
            if (wanted.link() != site.own()
                    || wanted.isWhole()
                    || !pool.column(wanted.attribute()).without().isEmpty()) {
                return null;
            }
        }
        return pool.ranks().table(site, site.conjunct(rank).residual(pool.hasOpenLists()), atOnce);
    }

    private record Liked(int offer, double rank, double offerRank) {}

    private static final Comparator<Liked> ORDER = Comparator.comparingDouble(Liked::rank)
            .thenComparingDouble(Liked::offerRank)
            .reversed()
            .thenComparingInt(Liked::offer);

    /** The offers of a set, best first. */
    public int[] sorted(OfferSet offers) {
        var liked = new ArrayList<Liked>();
        offers.forEach(offer -> {
            EvaluationSite candidate = pool.offer(offer).site();
            liked.add(site.facing(candidate, () -> new Liked(offer, site.rank(), candidate.rank())));
        });
        liked.sort(ORDER);
        return liked.stream().mapToInt(Liked::offer).toArray();
    }
}
