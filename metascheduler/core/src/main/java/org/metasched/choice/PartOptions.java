package org.metasched.choice;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The options of one part, the best first: which of them are free at a start, and the best figures of a selection. Not thread-safe. */
final class PartOptions {

    /** Number of options that {@link #countTotal} reads for the cost of a step. */
    private static final int OPTIONS_PER_STEP = 2;

    final ChoicePart part;
    /** Stages that may run at the same time as that of the part, as bits. */
    final long rivals;

    private final BestPlans best;
    private final PlaceOption[] options;
    private final FeasibleStarts[] starts;
    private final int[] places;
    /** For each option, the next larger one at the same place with the same rank and cost, or -1. */
    private final int[] larger;

    private final BitSet open = new BitSet();
    /** For each open option, the last start of its window. */
    private final long[] lasts;
    /** Greatest total of a split part, by number of pieces. */
    private final long[] most;

    private long start;

    /**
     * @param shift time in seconds from the start of the group that the part moves with to the start of the part
     * @param numberOf numbers of the places so far; a new place gets the next number
     */
    PartOptions(ChoicePart part, long rivals, long shift, BestPlans best, Map<String, Integer> numberOf) {
        this.part = part;
        this.rivals = rivals;
        this.best = best;
        this.options = sorted(part, best.preference);
        this.starts = Arrays.stream(options)
                .map(option -> option.starts().minus(shift))
                .toArray(FeasibleStarts[]::new);
        this.places = Arrays.stream(options)
                .map(PlaceOption::place)
                .mapToInt(place -> place.isEmpty() ? -1 : numberOf.computeIfAbsent(place, k -> numberOf.size()))
                .toArray();
        this.larger = larger();
        this.lasts = new long[options.length];
        this.most = new long[part.most() + 1];
    }

    private static PlaceOption[] sorted(ChoicePart part, Preference preference) {
        Comparator<PlaceOption> byRank =
                Comparator.comparingDouble(PlaceOption::rank).reversed();
        Comparator<PlaceOption> byCost = Comparator.comparingDouble(PlaceOption::cost);
        var order = preference == Preference.COST ? byCost.thenComparing(byRank) : byRank.thenComparing(byCost);
        Comparator<PlaceOption> byAmount =
                Comparator.comparingInt(PlaceOption::amount).reversed();
        return part.options().stream()
                .sorted(part.isSplit() ? order.thenComparing(byAmount) : order)
                .toArray(PlaceOption[]::new);
    }

    private int[] larger() {
        record Kind(String place, double rank, double cost) {}
        Map<Kind, Integer> last = new HashMap<>();
        int[] next = new int[options.length];
        for (int o = 0; o < options.length; o++) {
            var kind = new Kind(options[o].place(), options[o].rank(), options[o].cost());
            var before = part.isSplit() && !kind.place().isEmpty() ? last.put(kind, o) : null;
            next[o] = before == null ? -1 : before;
        }
        return next;
    }

    PlaceOption option(int index) {
        return options[index];
    }

    /** The number of an option's place; -1 if several picks may take the place. */
    int place(int index) {
        return places[index];
    }

    /** The starts of each option, shifted to starts of the group that the part moves with. */
    FeasibleStarts[] starts() {
        return starts;
    }

    /** Amounts that its options give. */
    List<Integer> amounts() {
        return Arrays.stream(options).map(PlaceOption::amount).toList();
    }

    /** Whether the part needs all of its options. */
    boolean isOneWay() {
        return !part.isSplit() && options.length == part.least();
    }

    boolean sharesPlaceWith(PartOptions other) {
        return Arrays.stream(places)
                .anyMatch(place -> place >= 0 && Arrays.stream(other.places).anyMatch(p -> p == place));
    }

    /** Opens the options that are free at a start, or every option if {@code all}; closes the others. */
    void openAt(long at, boolean all) {
        for (int o = 0; o < options.length; o++) {
            open.set(o, all || starts[o].contains(at));
            lasts[o] = Long.MAX_VALUE;
        }
        countTotal();
    }

    /** Opens an option until the last start of its window. */
    void open(int option, long last) {
        open.set(option);
        lasts[option] = last;
    }

    /** The next option that is still free, or -1; closes those before it that are not. */
    int next(int from) {
        int option = open.nextSetBit(from);
        while (option >= 0 && lasts[option] < start) {
            open.clear(option);
            option = open.nextSetBit(option + 1);
        }
        return option;
    }

    /** Whether a larger option of the same place, with the same rank and cost, is free at the start: then this one is of no use. */
    boolean isDominated(int option) {
        int other = larger[option];
        while (other >= 0 && !(open.get(other) && lasts[other] >= start)) {
            other = larger[other];
        }
        return other >= 0;
    }

    /** Moves to a start; returns whether as many options are free there as the part needs. */
    boolean moveTo(long at) {
        start = at;
        int option = -1;
        for (int i = 0; i < part.least(); i++) {
            option = next(option + 1);
            if (option < 0) {
                return false;
            }
        }
        return hasTotal();
    }

    /** Whether the free pieces give the part's total, if it has one. */
    boolean hasTotal() {
        return !part.isSplit() || countTotal() >= part.total();
    }

    /** Greatest total of a number of pieces, as {@link #hasTotal} has computed it. */
    long most(int pieces) {
        return most[pieces];
    }

    /** Computes the greatest total for each number of free pieces; returns the total for the greatest number. */
    private long countTotal() {
        if (!part.isSplit()) {
            return 0;
        }
        int[] largest = new int[part.most()];
        int read = 0;
        for (int o = next(0); o >= 0; o = next(o + 1)) {
            int amount = options[o].amount();
            read++;
            if (amount > largest[part.most() - 1] && !isDominated(o)) {
                int at = part.most() - 1;
                for (; at > 0 && largest[at - 1] < amount; at--) {
                    largest[at] = largest[at - 1];
                }
                largest[at] = amount;
            }
        }
        for (int i = 0; i < largest.length; i++) {
            most[i + 1] = most[i] + largest[i];
        }
        best.step(read / OPTIONS_PER_STEP);
        return most[part.most()];
    }

    /** Adds the best free options to a sum: as many picks as the part needs at least, or its total. */
    void addBest(Sum sum) {
        if (part.isSplit()) {
            addBest(0, part.total(), sum);
            return;
        }
        int option = -1;
        for (int i = 0; i < part.least(); i++) {
            option = next(option + 1);
            if (option >= 0) {
                sum.add(1, options[option]);
            }
        }
    }

    /** Adds the best rank and cost of an amount of a split part, served by free options from an index on, in any number of pieces. */
    void addBest(int from, int amount, Sum sum) {
        int left = amount;
        for (int o = next(from); o >= 0 && left > 0; o = next(o + 1)) {
            int piece = Math.min(left, options[o].amount());
            sum.add(part.weight(piece), options[o]);
            left -= piece;
        }
    }

    /** Sum over some picks. */
    static final class Sum {
        int pieces;
        double rank;
        double cost;

        void set(int toPieces, double toRank, double toCost) {
            pieces = toPieces;
            rank = toRank;
            cost = toCost;
        }

        void add(double weight, PlaceOption option) {
            rank += weight * option.rank();
            cost += weight * option.cost();
        }
    }
}
