package org.metasched.choice;

import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * The first start that places have in common: the loop of Listing 1 of Streit et al. (ParCo 2005) over what is known of them. The
 * candidate moves to the latest first start until no place objects.
 *
 * @param start in common; after the limit if there is none
 * @param last the place that moved the candidate last, or has no start at all
 * @param since the candidate from which on it has none that is early enough
 */
public record CommonStart(long start, int last, long since) {

    /** @param places for each its first start at or after another, or {@link Long#MAX_VALUE} */
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
