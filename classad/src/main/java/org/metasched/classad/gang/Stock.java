package org.metasched.classad.gang;

import java.util.Arrays;
import org.metasched.classad.index.OfferSet;

/**
 * Which entries of a pool are still to be had in a cycle, and in which order the others went, so that whoever has counted some of
 * them need only look at those that went since. Not thread-safe.
 */
final class Stock {

    private final OfferSet free;
    private int[] gone = new int[256];
    private int goneCount;
    private int era;

    Stock(OfferSet free) {
        this.free = free;
    }

    OfferSet free() {
        return free;
    }

    void take(int entry) {
        if (free.contains(entry)) {
            free.remove(entry);
            if (goneCount == gone.length) {
                gone = Arrays.copyOf(gone, 2 * goneCount);
            }
            gone[goneCount++] = entry;
        }
    }

    /** Puts an entry back: what was known of a stock that only shrinks is no longer true. */
    void restore(int entry) {
        free.add(entry);
        goneCount = 0;
        era++;
    }

    /** Changes whenever something was put back. */
    int era() {
        return era;
    }

    /** How many have gone in this era. */
    int goneCount() {
        return goneCount;
    }

    /** How many of those that went after the first so many are in a set. */
    int goneSince(int before, OfferSet set) {
        int count = 0;
        for (int i = before; i < goneCount; i++) {
            count += set.contains(gone[i]) ? 1 : 0;
        }
        return count;
    }
}
