package org.metasched.classad.gang;

import org.metasched.classad.index.OfferSet;

/** Which entries of a pool are available in a cycle, and how many were removed so far. Not thread-safe. */
final class AvailableOffers {

    private final OfferSet entries;
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
            removedCount++;
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
}
