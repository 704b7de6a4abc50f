package org.metasched.choice;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.metasched.choice.Plan.Figures;

/** Order of plans: the criterion that decides first, and the further ones. */
public enum Preference {
    /** The earlier start, or end if stages may wait, then fewer pieces, the higher rank, the lower cost. */
    START,
    /** The higher rank, then the earlier start, fewer pieces, the lower cost. */
    RANK,
    /** The lower cost, then the earlier start, fewer pieces, the higher rank. */
    COST;

    /** The better plan first; plans that are equally good compare as equal. */
    public Comparator<Plan> order() {
        return (plan, other) -> compare(plan.when(), plan.pieces(), plan.rank(), plan.cost(), other.figures());
    }

    /** Compares a plan of these figures to another one; negative if it is better. */
    int compare(long when, int pieces, double rank, double cost, Figures other) {
        int byStart = Long.compare(when, other.when());
        int byPieces = Integer.compare(pieces, other.pieces());
        int byRank = Double.compare(rounded(other.rank()), rounded(rank));
        int byCost = Double.compare(rounded(cost), rounded(other.cost()));
        return switch (this) {
            case START -> first(byStart, byPieces, byRank, byCost);
            case RANK -> first(byRank, byStart, byPieces, byCost);
            case COST -> first(byCost, byStart, byPieces, byRank);
        };
    }

    /** The preference of a {@link #word()}; empty for another text. */
    public static Optional<Preference> of(String word) {
        return Arrays.stream(values())
                .filter(preference -> preference.word().equals(word.strip()))
                .findFirst();
    }

    /** A sum without its last digits, which depend on the order in which its terms were added. */
    private static double rounded(double sum) {
        return Math.abs(sum) < 1e6 ? Math.rint(sum * 1e9) / 1e9 + 0.0 : sum;
    }

    private static int first(int a, int b, int c, int d) {
        if (a != 0) {
            return a;
        }
        if (b != 0) {
            return b;
        }
        return c != 0 ? c : d;
    }

    /** {@code start}, {@code rank} or {@code cost}, as users write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
