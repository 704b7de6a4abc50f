package org.metasched.classad.index;

import java.util.Arrays;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntUnaryOperator;

/**
 * The equivalence classes of a pool's offers by a set of attributes: offers of one class are equal in all of them.
 * Classes are numbered in the order of their first members. Immutable, thread-safe; member sets are made at first use.
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
    EquivalenceClasses refinedBy(IntUnaryOperator code) {
        int n = classOf.length;
        int[] refined = new int[n];
        int[] firsts = new int[n];
        var groupOf = new HashMap<Long, Integer>();
        int groups = 0;
        for (int offer = 0; offer < n; offer++) {
            int number = code.applyAsInt(offer);
            long pair = (long) classOf[offer] << 32 | number;
            Integer known = number < 0 ? null : groupOf.putIfAbsent(pair, groups);
            int group = known == null ? groups : known;
            if (group == groups) {
                firsts[groups++] = offer;
            }
            refined[offer] = group;
        }
        return new EquivalenceClasses(refined, Arrays.copyOf(firsts, groups));
    }

    /** Number of classes. */
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
}
