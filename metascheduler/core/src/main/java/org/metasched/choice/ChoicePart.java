package org.metasched.choice;

import java.util.Comparator;
import java.util.List;

/**
 * One part of a request: a number of picks from its options, all at the same start.
 *
 * @param least smallest number of picks, at least 1
 * @param most greatest number of picks
 * @param total amount of all picks together, in the part's unit; 0 if amounts do not count
 * @param leastPiece smallest amount of each pick, in the part's unit; 0 if amounts do not count
 */
public record ChoicePart(List<PlaceOption> options, int least, int most, int total, int leastPiece) {

    public ChoicePart {
        options = List.copyOf(options);
        if (least < 1 || most < least) {
            throw new IllegalArgumentException("The picks (" + least + " to " + most + ") must be at least one.");
        }
        if (total < 0 || (total == 0 && least != most) || leastPiece < (total == 0 ? 0 : 1)) {
            throw new IllegalArgumentException("The total (" + total + ") and its smallest piece (" + leastPiece
                    + ") must be positive where the number of picks (" + least + " to " + most + ") is open.");
        }
    }

    /** A part that one of the options serves. */
    public static ChoicePart oneOf(List<PlaceOption> options) {
        return some(1, options);
    }

    /** A part that {@code count} of the options serve, at different places. */
    public static ChoicePart some(int count, List<PlaceOption> options) {
        return new ChoicePart(options, count, count, 0, 0);
    }

    /**
     * A part in at most {@code mostPieces} pieces that add up to the total.
     *
     * @param leastPiece the smallest piece, at least 1
     * @param multipleOf amount of which each piece, like the total, is a multiple
     */
    public static ChoicePart split(
            int total, int mostPieces, int leastPiece, int multipleOf, List<PlaceOption> options) {
        int least = (leastPiece + multipleOf - 1) / multipleOf * multipleOf;
        var whole = options.stream()
                .map(option -> option.giving(option.amount() / multipleOf * multipleOf))
                .filter(option -> option.amount() >= least)
                .toList();
        return new ChoicePart(whole, 1, mostPieces, total, least);
    }

    boolean isSplit() {
        return total > 0;
    }

    /** Whether its options would give the total if all of them were free at once; of a part without a total, whether it has any. */
    boolean isEverPossible() {
        return total
                        <= options.stream()
                                .map(PlaceOption::amount)
                                .sorted(Comparator.reverseOrder())
                                .limit(most)
                                .mapToLong(Integer::longValue)
                                .sum()
                && !options.isEmpty();
    }

    /** Weight of a pick of an amount: a piece counts by its share of the total. */
    double weight(int amount) {
        return isSplit() ? amount / (double) total : 1;
    }
}
