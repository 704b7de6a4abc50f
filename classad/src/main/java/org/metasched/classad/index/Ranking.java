package org.metasched.classad.index;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;

/**
 * In which order one side likes its candidates: by its own rank, of equals by theirs, of equals by the order of the pool. A rank
 * that depends on somebody not known yet counts as zero.
 */
public final class Ranking {

    private final OfferIndex pool;
    private final Place place;

    private Ranking(OfferIndex pool, Place place) {
        this.pool = pool;
        this.place = place;
    }

    /** The order in which a place with an open bond likes offers of a pool; null if all are equal to it and it to them. */
    public static @Nullable Ranking of(OfferIndex pool, Place place) {
        Expr rank = place.side().rank();
        boolean indifferent = rank == null || !dependsOnCandidate(rank, place);
        return indifferent && pool.ranksAreConstant() ? null : new Ranking(pool, place);
    }

    private static boolean dependsOnCandidate(Expr rank, Place place) {
        Set<Wanted> missing = place.missingFor(rank);
        return !missing.isEmpty() && missing.stream().allMatch(wanted -> wanted.bond() == place.own());
    }

    /**
     * All offers of the pool, best first, if what makes one better than another is known of all of them and is the same whoever else
     * there is; else null. Not to be changed.
     */
    public int @Nullable [] order() {
        Expr rank = place.side().rank();
        if (rank == null || !pool.ranksAreConstant()) {
            return null;
        }
        for (Wanted wanted : place.missingFor(rank)) {
            if (wanted.bond() != place.own()
                    || wanted.isWhole()
                    || !pool.column(wanted.attribute()).isComplete()) {
                return null;
            }
        }
        RankTable table = pool.rankTable(place, place.residual(rank));
        return table == null ? null : table.order(pool.size());
    }

    private record Liked(int offer, double rank, double offerRank) {}

    private static final Comparator<Liked> ORDER = Comparator.comparingDouble(Liked::rank)
            .thenComparingDouble(Liked::offerRank)
            .reversed()
            .thenComparingInt(Liked::offer);

    /** The offers of a set, best first. */
    public int[] sorted(OfferSet offers) {
        var liked = new ArrayList<Liked>();
        offers.forEach(offer -> liked.add(judge(offer)));
        liked.sort(ORDER);
        return liked.stream().mapToInt(Liked::offer).toArray();
    }

    private Liked judge(int offer) {
        Place candidate = pool.offer(offer).place();
        candidate.own().bind(place);
        place.own().bind(candidate);
        try {
            return new Liked(offer, place.rank(), candidate.rank());
        } finally {
            place.own().release();
        }
    }

    static List<String> attributes(Set<Wanted> wanted) {
        return wanted.stream().map(Wanted::attribute).distinct().toList();
    }
}
