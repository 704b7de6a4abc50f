package org.metasched.choice;

import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The first start that places have in common: the loop of Listing 1 of Streit et al. (ParCo 2005) over known windows. The
 * candidate moves to the latest of the places' next starts, until all of them have it.
 *
 * @param start the common start, in seconds since the epoch; after the limit if there is none
 * @param last index of the place that moved the candidate last, or that has no start at all
 * @param since the last candidate at which the places were compared, in seconds since the epoch: if there is no common start, the place
 *     has none from then up to the limit
 */
public record CommonStart(long start, int last, long since) {

    /**
     * Searches the first common start.
     *
     * @param places for each place, the function from an instant to its first start at or after it, or {@link Long#MAX_VALUE}
     * @param from the first start that is searched, in seconds since the epoch
     * @param limit the last start that is searched
     */
    public static CommonStart of(List<LongUnaryOperator> places, long from, long limit) {
        long start = from;
        long since = from;
        int last = 0;
        while (start <= limit) {
            long latest = start;
            for (int i = 0; i < places.size(); i++) {
                long next = places.get(i).applyAsLong(start);
                if (next == Long.MAX_VALUE) {
                    return new CommonStart(next, i, start);
                }
                if (next > latest) {
                    latest = next;
                    last = i;
                }
            }
            since = start;
            if (latest == start) {
                break;
            }
            start = latest;
        }
        return new CommonStart(start, last, since);
    }
}
