package org.metasched.choice;

import java.util.Comparator;
import java.util.Locale;

/** What decides between two plans, and in which order. */
public enum Preference {
    /** The earlier start, then fewer pieces, the higher rank, the lower cost. */
    START,
    /** The higher rank, then the earlier start, fewer pieces, the lower cost. */
    RANK,
    /** The lower cost, then the earlier start, fewer pieces, the higher rank. */
    COST;

    /** The better plan first; plans that are equally good compare as equal. */
    public Comparator<Plan> order() {
        return (one, other) -> compare(one.start(), one.pieces(), one.rank(), one.cost(), other);
    }

    /** How a plan of these figures compares to another. */
    int compare(long start, int pieces, double rank, double cost, Plan other) {
        int byStart = Long.compare(start, other.start());
        int byPieces = Integer.compare(pieces, other.pieces());
        int byRank = Double.compare(other.rank(), rank);
        int byCost = Double.compare(cost, other.cost());
        return switch (this) {
            case START -> first(byStart, byPieces, byRank, byCost);
            case RANK -> first(byRank, byStart, byPieces, byCost);
            case COST -> first(byCost, byStart, byPieces, byRank);
        };
    }

    private static int first(int one, int two, int three, int four) {
        if (one != 0) {
            return one;
        }
        if (two != 0) {
            return two;
        }
        return three != 0 ? three : four;
    }

    /** {@code start}, {@code rank} or {@code cost}, as users write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
