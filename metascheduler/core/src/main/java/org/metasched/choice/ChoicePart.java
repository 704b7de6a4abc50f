package org.metasched.choice;

import java.util.List;

/**
 * One part of what is wanted: so many picks from its options, all at the same start.
 *
 * @param least picks, at least 1
 * @param most picks
 * @param total the picks' amounts add up to it exactly; 0 where amounts do not count
 */
public record ChoicePart(List<Option> options, int least, int most, int total) {

    public ChoicePart {
        options = List.copyOf(options);
        if (least < 1 || most < least) {
            throw new IllegalArgumentException("The picks (" + least + " to " + most + ") must be at least one.");
        }
        if (total < 0 || (total == 0 && least != most)) {
            throw new IllegalArgumentException("The total (" + total + ") must be positive where the number of picks ("
                    + least + " to " + most + ") is open.");
        }
    }

    /** One of the options. */
    public static ChoicePart oneOf(List<Option> options) {
        return new ChoicePart(options, 1, 1, 0);
    }

    /** So many of the options, at different places. */
    public static ChoicePart some(int count, List<Option> options) {
        return new ChoicePart(options, count, count, 0);
    }

    /** At most so many pieces that add up to the total. */
    public static ChoicePart split(int total, int mostPieces, List<Option> options) {
        return new ChoicePart(options, 1, mostPieces, total);
    }

    boolean isSplit() {
        return total > 0;
    }

    /** What a pick adds to a plan's rank: a piece counts by its share. */
    double rank(Option option) {
        return isSplit() ? option.rank() * option.amount() / total : option.rank();
    }
}
