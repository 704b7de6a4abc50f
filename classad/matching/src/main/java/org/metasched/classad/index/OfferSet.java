package org.metasched.classad.index;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

/**
 * A set of offers of one pool, by their numbers: one bit each. Every operation costs one pass over n/64 words at most.
 * Mutable, not thread-safe; a set that is shared is not changed any more.
 */
public final class OfferSet {

    private final int size;
    private final long[] words;

    private OfferSet(int size, long[] words) {
        this.size = size;
        this.words = words;
    }

    /** No offer of a pool of that size. */
    public static OfferSet none(int size) {
        return new OfferSet(size, new long[(size + 63) >>> 6]);
    }

    /** Every offer of a pool of that size. */
    public static OfferSet all(int size) {
        var set = none(size);
        Arrays.fill(set.words, -1L);
        if ((size & 63) != 0) {
            set.words[set.words.length - 1] = (1L << size) - 1;
        }
        return set;
    }

    /** The members of either set of a pool: one of the two if the other is empty, or a new one. */
    public static OfferSet union(OfferSet a, OfferSet b) {
        if (a == b || b.isEmpty()) {
            return a;
        }
        if (a.isEmpty()) {
            return b;
        }
        OfferSet both = a.copy();
        both.addAll(b);
        return both;
    }

    /** Number of offers in the pool, in this set or not. */
    public int poolSize() {
        return size;
    }

    /** An independent set with the same members. */
    public OfferSet copy() {
        return new OfferSet(size, words.clone());
    }

    /** A new set of the members that another set of the same pool has, too. */
    public OfferSet common(OfferSet other) {
        OfferSet both = copy();
        both.retainAll(other);
        return both;
    }

    /** Whether the offer is a member. {@code O(1)}. */
    public boolean contains(int offer) {
        return (words[offer >>> 6] & 1L << offer) != 0;
    }

    /** Adds one offer. {@code O(1)}. */
    public void add(int offer) {
        words[offer >>> 6] |= 1L << offer;
    }

    /** Adds one offer if the lowest bit of {@code bit} is set. {@code O(1)}. */
    void add(int offer, long bit) {
        words[offer >>> 6] |= (bit & 1L) << offer;
    }

    /** Removes one offer. {@code O(1)}. */
    public void remove(int offer) {
        words[offer >>> 6] &= ~(1L << offer);
    }

    /** Removes all offers. */
    public void clear() {
        Arrays.fill(words, 0L);
    }

    /** Makes this equal to another set of the same pool. */
    public void become(OfferSet other) {
        System.arraycopy(other.words, 0, words, 0, words.length);
    }

    /** Removes what the other set of the same pool lacks. */
    public void retainAll(OfferSet other) {
        for (int i = 0; i < words.length; i++) {
            words[i] &= other.words[i];
        }
    }

    /** Removes what the other set of the same pool has. */
    public void removeAll(OfferSet other) {
        for (int i = 0; i < words.length; i++) {
            words[i] &= ~other.words[i];
        }
    }

    /** Adds what the other set of the same pool has. */
    public void addAll(OfferSet other) {
        for (int i = 0; i < words.length; i++) {
            words[i] |= other.words[i];
        }
    }

    /** Removes the members of a set except those of {@code part}, which is a part of the set. */
    void removeBetween(OfferSet part, OfferSet set) {
        for (int i = 0; i < words.length; i++) {
            words[i] &= part.words[i] | ~set.words[i];
        }
    }

    /** Whether the set has no member. {@code O(pool / 64)}. */
    public boolean isEmpty() {
        long any = 0;
        for (long word : words) {
            any |= word;
        }
        return any == 0;
    }

    /** Number of members. {@code O(pool / 64)}. */
    public int count() {
        return countCommon(this);
    }

    /** Number of ads with a member; the offers of one ad follow each other. */
    public int countAds(IntUnaryOperator adOf) {
        int count = 0;
        int last = -1;
        for (int offer = next(0); offer >= 0; offer = next(offer + 1)) {
            int ad = adOf.applyAsInt(offer);
            count += ad == last ? 0 : 1;
            last = ad;
        }
        return count;
    }

    /** Number of offers in this set and the other. */
    public int countCommon(OfferSet other) {
        return countCommon(other, other);
    }

    /** Number of offers in this set and two others. */
    public int countCommon(OfferSet other, OfferSet third) {
        int count = 0;
        for (int i = 0; i < words.length; i++) {
            count += Long.bitCount(words[i] & other.words[i] & third.words[i]);
        }
        return count;
    }

    /** Whether the two sets have a member in common. */
    public boolean intersects(OfferSet other) {
        return firstCommon(other, 0) >= 0;
    }

    /** The first member at or after an offer, or -1. */
    public int next(int from) {
        return firstCommon(this, this, from);
    }

    /** The first offer at or after one that is in this set and the other, or -1. */
    public int firstCommon(OfferSet other, int from) {
        return firstCommon(other, other, from);
    }

    /** The first offer at or after one that is in this set and two others, or -1. */
    public int firstCommon(OfferSet other, OfferSet third, int from) {
        int i = from >>> 6;
        if (i >= words.length) {
            return -1;
        }
        long word = words[i] & other.words[i] & third.words[i] & -1L << from;
        while (word == 0) {
            if (++i == words.length) {
                return -1;
            }
            word = words[i] & other.words[i] & third.words[i];
        }
        return (i << 6) + Long.numberOfTrailingZeros(word);
    }

    /** Runs an action for each member in the order of the pool. */
    public void forEach(IntConsumer action) {
        for (int offer = next(0); offer >= 0; offer = next(offer + 1)) {
            action.accept(offer);
        }
    }

    /** Bytes of heap that the bits take. */
    public int bytes() {
        return words.length * Long.BYTES;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OfferSet set && size == set.size && Arrays.equals(words, set.words);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words);
    }

    @Override
    public String toString() {
        return BitSet.valueOf(words).toString();
    }
}
