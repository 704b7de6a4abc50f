package org.metasched.classad.index;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The equivalence classes of a pool's offers by a set of attributes: offers of one class are equal in all of them. Classes are
 * numbered in the order of their first members. Immutable, thread-safe; member sets are made when they are first asked for.
 */
public final class EquivalenceClasses {

    private final int[] classOf;
    private final int[] representative;
    private final AtomicReferenceArray<OfferSet> members;

    private EquivalenceClasses(int[] classOf, int[] representative) {
        this.classOf = classOf;
        this.representative = representative;
        this.members = new AtomicReferenceArray<>(representative.length);
    }

    /** All offers in one class. */
    static EquivalenceClasses ofAll(int offers) {
        return new EquivalenceClasses(new int[offers], offers == 0 ? new int[0] : new int[1]);
    }

    /** The classes refined by a further number for each offer; a negative one makes the offer a class of its own. */
    EquivalenceClasses refinedBy(int[] codes) {
        int n = classOf.length;
        int[] refined = new int[n];
        int[] firsts = new int[Math.min(n, 64)];
        var table = new PairTable();
        int groups = 0;
        for (int offer = 0; offer < n; offer++) {
            int group = codes[offer] < 0 ? groups : table.intern(classOf[offer], codes[offer], groups);
            if (group == groups) {
                if (groups == firsts.length) {
                    firsts = Arrays.copyOf(firsts, groups * 2);
                }
                firsts[groups++] = offer;
            }
            refined[offer] = group;
        }
        return new EquivalenceClasses(refined, Arrays.copyOf(firsts, groups));
    }

    /** How many classes there are. */
    public int count() {
        return representative.length;
    }

    /** The class of an offer, from 0 on. {@code O(1)}. */
    public int classOf(int offer) {
        return classOf[offer];
    }

    /** The first member of a class. */
    public int representative(int group) {
        return representative[group];
    }

    /** The members of a class; not to be changed. Costs a pass over the pool on first use. */
    public OfferSet members(int group) {
        OfferSet known = members.get(group);
        if (known == null) {
            known = OfferSet.none(classOf.length);
            for (int offer = representative[group]; offer < classOf.length; offer++) {
                if (classOf[offer] == group) {
                    known.add(offer);
                }
            }
            members.set(group, known);
        }
        return known;
    }

    /** Pairs of numbers to numbers, open addressing. */
    private static final class PairTable {
        private long[] keys = new long[256];
        private int[] values = new int[256];
        private int size;

        /** The value of a pair, which becomes the one given if the pair is new. */
        int intern(int a, int b, int ifNew) {
            long key = ((long) a << 32 | b) + 1;
            int mask = keys.length - 1;
            int at = spread(key) & mask;
            while (keys[at] != 0) {
                if (keys[at] == key) {
                    return values[at];
                }
                at = at + 1 & mask;
            }
            keys[at] = key;
            values[at] = ifNew;
            if (++size * 2 > keys.length) {
                grow();
            }
            return ifNew;
        }

        private void grow() {
            long[] oldKeys = keys;
            int[] oldValues = values;
            keys = new long[oldKeys.length * 2];
            values = new int[keys.length];
            int mask = keys.length - 1;
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldKeys[i] != 0) {
                    int at = spread(oldKeys[i]) & mask;
                    while (keys[at] != 0) {
                        at = at + 1 & mask;
                    }
                    keys[at] = oldKeys[i];
                    values[at] = oldValues[i];
                }
            }
        }

        private static int spread(long key) {
            long mixed = key * 0x9E3779B97F4A7C15L;
            return (int) (mixed >>> 32);
        }
    }
}
