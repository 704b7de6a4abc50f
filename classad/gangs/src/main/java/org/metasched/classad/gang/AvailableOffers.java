package org.metasched.classad.gang;

import java.util.Arrays;
import org.metasched.classad.index.OfferSet;

/**
 * Which entries of a pool are available in a cycle, with a log of the removals: a count that was right some removals ago is
 * corrected by the log from there on. Not thread-safe.
 */
final class AvailableOffers {

    private final OfferSet entries;
    private int[] removed = new int[256];
    private int removedCount;
    private int epoch;

    AvailableOffers(OfferSet entries) {
        this.entries = entries;
    }

    OfferSet entries() {
        return entries;
    }

    void remove(int entry) {
        if (entries.contains(entry)) {
            entries.remove(entry);
            if (removedCount == removed.length) {
                removed = Arrays.copyOf(removed, 2 * removedCount);
            }
            removed[removedCount++] = entry;
        }
    }

    /** Makes an entry available again. This begins an epoch: conclusions from entries only being removed are void. */
    void restore(int entry) {
        entries.add(entry);
        removedCount = 0;
        epoch++;
    }

    /** Changes with every {@link #restore}. */
    int epoch() {
        return epoch;
    }

    /** How many entries were removed in this epoch. */
    int removedCount() {
        return removedCount;
    }

    /** How many members of a set were removed after the first so many removals of this epoch. */
    int removedSince(int before, OfferSet set) {
        int count = 0;
        for (int i = before; i < removedCount; i++) {
            count += set.contains(removed[i]) ? 1 : 0;
        }
        return count;
    }
}
