package org.metasched.choice;

import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The first start that places have in common: the loop of Listing 1 of Streit et al. (ParCo 2005) over known windows. The
 * candidate moves to the latest first start until no place objects.
 *
 * @param start the common start, in seconds since the epoch; after the limit if there is none
 * @param last index of the place that moved the candidate last, or that has no start at all
 * @param since the candidate from which on that place has no start that is early enough, in seconds since the epoch
 */
public record CommonStart(long start, int last, long since) {

    /** @param places for each place, the function from an instant to its first start at or after it, or {@link Long#MAX_VALUE} */
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
