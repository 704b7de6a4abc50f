package org.metasched.negotiation;

import java.util.List;
import java.util.TreeSet;

/**
 * How a part that says only how much it wants in all may be served in pieces, each at a place of its own.
 *
 * @param leastPiece the smallest piece, in the unit of the need
 * @param mostPieces how many places at most
 * @param multipleOf each piece is a multiple of it
 */
public record Split(int leastPiece, int mostPieces, int multipleOf) {

    /** Sizes that are considered, about: every site is asked about each. */
    private static final int MOST_SIZES = 12;

    private static final int MOST_PIECES = 64;

    public Split {
        if (leastPiece < 1 || multipleOf < 1) {
            throw new IllegalArgumentException("The smallest piece (" + leastPiece + ") and its multiple (" + multipleOf
                    + ") must be at least 1.");
        }
        if (mostPieces < 1 || mostPieces > MOST_PIECES) {
            throw new IllegalArgumentException(
                    "The number of pieces (" + mostPieces + ") must be from 1 to " + MOST_PIECES + ".");
        }
    }

    /** @throws IllegalArgumentException when no pieces could add up to the total */
    public void check(int total) {
        if (total < leastPiece || total % multipleOf != 0) {
            throw new IllegalArgumentException("The total (" + total + ") must be at least the smallest piece ("
                    + leastPiece + ") and a multiple of " + multipleOf + ".");
        }
    }

    /**
     * The sizes of pieces that are considered: all if there are few, else evenly spread ones with what they leave of the total, and
     * equal shares.
     */
    public List<Integer> sizes(int total) {
        int step = multipleOf * Math.max(1, (total / multipleOf + MOST_SIZES - 1) / MOST_SIZES);
        var sizes = new TreeSet<Integer>();
        for (int size = 0; size <= total; size += step) {
            sizes.add(size);
            sizes.add(size + total % step);
        }
        for (int pieces = 1; pieces <= Math.min(mostPieces, MOST_SIZES); pieces++) {
            if (total % pieces == 0 && total / pieces % multipleOf == 0) {
                sizes.add(total / pieces);
            }
        }
        return sizes.stream()
                .filter(size -> size >= leastPiece && size <= total)
                .toList();
    }
}
