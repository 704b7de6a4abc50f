package org.metasched.classad.gang;

import org.metasched.classad.index.OfferSet;

/** Which entries of a pool are available in a cycle, and how many were removed so far. Not thread-safe. */
final class AvailableOffers {

    final OfferSet entries;
    /** How many entries were removed in this epoch. */
    int removedCount;
    /** Changes with every {@link #restore}. */
    int epoch;

    AvailableOffers(OfferSet entries) {
        this.entries = entries;
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
}
