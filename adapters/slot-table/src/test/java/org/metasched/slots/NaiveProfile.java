package org.metasched.slots;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.TimeSlot;

/**
 * The oracle of the profiles: a list of what was taken, asked by trying every instant at which anything changes. Each
 * taking holds a set of units that do not overlap with those of others at the same time, or only a number of them.
 */
final class NaiveProfile implements AvailabilityProfile {

    record Taken(int amount, BitSet units, TimeSlot slot) {}

    private final int capacity;
    private final boolean sameUnits;
    private final List<Taken> taken = new ArrayList<>();

    /** @param sameUnits whether the units must stay the same from start to end */
    NaiveProfile(int capacity, boolean sameUnits) {
        this.capacity = capacity;
        this.sameUnits = sameUnits;
    }

    Taken take(int amount, BitSet units, TimeSlot slot) {
        var one = new Taken(amount, units, slot);
        taken.add(one);
        return one;
    }

    void giveBack(Taken one) {
        taken.remove(one);
    }

    @Override
    public int leastFree(TimeSlot slot) {
        if (sameUnits) {
            var free = new BitSet();
            free.set(0, capacity);
            taken.stream().filter(t -> t.slot().overlaps(slot)).forEach(t -> free.andNot(t.units()));
            return free.cardinality();
        }
        return changes(slot).stream()
                .mapToInt(instant -> capacity
                        - taken.stream()
                                .filter(t -> t.slot().contains(instant))
                                .mapToInt(Taken::amount)
                                .sum())
                .min()
                .orElseThrow();
    }

    private TreeSet<Instant> changes(TimeSlot slot) {
        var changes = new TreeSet<Instant>(List.of(slot.start()));
        taken.stream().map(t -> t.slot().start()).filter(slot::contains).forEach(changes::add);
        return changes;
    }

    private boolean fits(int amount, Duration length, Instant start) {
        return leastFree(TimeSlot.of(start, length)) >= amount;
    }

    @Override
    public Optional<Instant> earliestStart(int amount, Duration length, Instant notBefore, Instant latestStart) {
        var candidates = new TreeSet<Instant>(List.of(notBefore));
        taken.forEach(t -> candidates.add(t.slot().end()));
        return candidates.tailSet(notBefore).stream()
                .filter(start -> !start.isAfter(latestStart) && fits(amount, length, start))
                .findFirst();
    }

    @Override
    public List<StartInterval> starts(int amount, Duration length, TimeSlot within) {
        // A start stops being feasible where something begins, seen from the start's end.
        var cuts = new TreeSet<Instant>(List.of(within.start(), within.end()));
        taken.forEach(t -> cuts.addAll(List.of(t.slot().end(), t.slot().start().minus(length))));
        var starts = new ArrayList<StartInterval>();
        Optional<Instant> open = Optional.empty();
        for (var cut : cuts.subSet(within.start(), true, within.end(), true)) {
            boolean here = fits(amount, length, cut);
            boolean before = cut.isAfter(within.start()) && fits(amount, length, cut.minusNanos(1));
            boolean after = cut.isBefore(within.end()) && fits(amount, length, cut.plusNanos(1));
            if (here && !before) {
                open = Optional.of(cut);
            }
            if (here && !after) {
                starts.add(new StartInterval(open.orElseThrow(), cut));
            }
        }
        return starts;
    }
}
