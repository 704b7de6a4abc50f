package org.metasched.negotiation;

import java.time.Duration;
import java.util.List;
import java.util.TreeSet;

/**
 * Rules for serving the total of a part in pieces, each at another place.
 *
 * @param leastPiece the smallest piece, in the unit of the need
 * @param mostPieces largest number of places
 * @param multipleOf amount of which each piece is a multiple
 * @param overhead per cent by which the part takes longer at several places than at one (after Ernemann, Hamscher, Streit,
 *     Yahyapour, Grid 2002)
 */
public record SplitRequest(int leastPiece, int mostPieces, int multipleOf, int overhead) {

    /** Approximate number of sizes that are considered: every site is asked about each. */
    private static final int MOST_SIZES = 12;

    /** The largest number of places if a request names none. */
    public static final int USUAL_PIECES = 8;

    private static final int MOST_PIECES = 64;
    private static final int MOST_OVERHEAD = 1_000;

    public SplitRequest {
        if (leastPiece < 1 || multipleOf < 1) {
            throw new IllegalArgumentException("The smallest piece (" + leastPiece + ") and its multiple (" + multipleOf
                    + ") must be at least 1.");
        }
        if (mostPieces < 1 || mostPieces > MOST_PIECES) {
            throw new IllegalArgumentException(
                    "The number of pieces (" + mostPieces + ") must be from 1 to " + MOST_PIECES + ".");
        }
        if (overhead < 0 || overhead > MOST_OVERHEAD) {
            throw new IllegalArgumentException(
                    "The overhead (" + overhead + ") must be from 0 to " + MOST_OVERHEAD + " per cent.");
        }
    }

    /** @throws IllegalArgumentException when no pieces could add up to the total */
    public void check(int total) {
        if (total < leastPiece || total % multipleOf != 0) {
            throw new IllegalArgumentException("The total (" + total + ") must be at least the smallest piece ("
                    + leastPiece + ") and a multiple of " + multipleOf + ".");
        }
    }

    /** Duration at several places of a part that takes {@code alone} at one; in whole seconds if there is any overhead. */
    public Duration lengthened(Duration alone) {
        return overhead == 0
                ? alone
                : Duration.ofSeconds(StageTiming.roundedUp(
                        alone.multipliedBy(100L + overhead).dividedBy(100)));
    }

    /** The same rules without overhead, for a part that is lengthened already. */
    public SplitRequest withoutOverhead() {
        return new SplitRequest(leastPiece, mostPieces, multipleOf, 0);
    }

    /**
     * The amounts about which each place is asked first, in ascending order: all sizes if there are few, else evenly spread ones and equal
     * shares. A place with room for a size may serve any smaller piece.
     */
    public List<Integer> sizes(int total) {
        int step = Math.max(1, (total / multipleOf + MOST_SIZES - 1) / MOST_SIZES);
        var sizes = new TreeSet<Integer>();
        for (int size = 0; size <= total / multipleOf; size += step) {
            sizes.add(size * multipleOf);
        }
        for (int pieces = 1; pieces <= Math.min(mostPieces, MOST_SIZES); pieces++) {
            int share = (total + pieces - 1) / pieces;
            sizes.add((share + multipleOf - 1) / multipleOf * multipleOf);
        }
        sizes.add((leastPiece + multipleOf - 1) / multipleOf * multipleOf);
        return sizes.stream()
                .filter(size -> size >= leastPiece && size <= total)
                .toList();
    }
}
