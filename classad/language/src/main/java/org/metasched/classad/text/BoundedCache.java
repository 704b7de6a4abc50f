package org.metasched.classad.text;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A table of a fixed number of places, in which a new entry takes the place of an old one. All such tables of the language share
 * one budget of bytes, 32 MiB unless the system property {@value #PROPERTY} says otherwise: beyond it all tables lose the same part
 * of their entries.
 *
 * <p>Thread-safe without locks. A lookup is one read; a lost entry costs its maker the work of making it again.
 */
public final class BoundedCache<T> {

    /** The system property that holds the budget in bytes, read once. */
    public static final String PROPERTY = "metasched.classad.cacheBytes";

    private static final long MOST = Long.getLong(PROPERTY, 32L << 20);

    /** Eviction goes on until a sixteenth of the budget is free, so that it is seldom needed. */
    private static final long ENOUGH = MOST - MOST / 16;

    /** So many sweeps empty a table. */
    private static final int SWEEPS = 256;

    private static final AtomicLong USED = new AtomicLong();
    private static final List<BoundedCache<?>> ALL = new CopyOnWriteArrayList<>();

    private final AtomicReferenceArray<@Nullable T> places;

    /** The hash of each entry: a miss does not touch the entry. A race makes a miss of a hit at worst, or of a miss a false hit. */
    private final int[] hashes;

    /** The last hash that was offered for each place. */
    private final int[] offered;

    private final @Nullable ToLongFunction<T> weight;
    private final AtomicInteger hand = new AtomicInteger();

    /**
     * A table with its part of the common budget.
     *
     * @param places a power of two
     * @param weight the bytes that an entry keeps alive, about; always the same for one entry
     */
    public BoundedCache(int places, ToLongFunction<T> weight) {
        if (Integer.bitCount(places) != 1) {
            throw new IllegalArgumentException("The number of places (%d) must be a power of two.".formatted(places));
        }
        this.places = new AtomicReferenceArray<>(places);
        this.hashes = new int[places];
        this.offered = new int[places];
        this.weight = weight;
        ALL.add(this);
    }

    /**
     * A table of small entries, whose memory is counted in advance, so that putting one in is a single write.
     *
     * @param places a power of two; fewer are made if they would take more than a quarter of the budget
     * @param most the bytes that an entry keeps alive at most
     */
    public BoundedCache(int places, int most) {
        int affordable = places;
        while (affordable > 1 && (long) affordable * most > MOST / 4) {
            affordable /= 2;
        }
        this.places = new AtomicReferenceArray<>(affordable);
        this.hashes = new int[affordable];
        this.offered = new int[affordable];
        this.weight = null;
        USED.addAndGet((long) affordable * most);
    }

    /** The bytes that the entries of all tables keep alive, about. */
    public static long bytes() {
        return USED.get();
    }

    /** The bytes that {@link #bytes} stays below. */
    public static long budget() {
        return MOST;
    }

    /** Whether the hash was offered before, not long ago: what comes only once need not push out what comes again and again. */
    public boolean isRepeated(int hash) {
        int place = hash & offered.length - 1;
        boolean repeated = offered[place] == hash;
        offered[place] = hash;
        return repeated;
    }

    /** An entry that was put with this hash, as a rule: to be compared by the caller. */
    public @Nullable T get(int hash) {
        int place = hash & hashes.length - 1;
        return hashes[place] == hash ? places.getAcquire(place) : null;
    }

    /** Puts an entry into the place of its hash, unless it is too large to be worth it. */
    public void put(int hash, T entry) {
        int place = hash & hashes.length - 1;
        if (weight == null) {
            hashes[place] = hash;
            places.setRelease(place, entry);
            return;
        }
        long bytes = weight.applyAsLong(entry);
        if (bytes > MOST / 64) {
            return;
        }
        hashes[place] = hash;
        T before = places.getAndSet(place, entry);
        if (USED.addAndGet(bytes - weightOf(before)) > MOST) {
            evict();
        }
    }

    private long weightOf(@Nullable T entry) {
        return entry == null || weight == null ? 0 : weight.applyAsLong(entry);
    }

    private static void evict() {
        for (int i = 0; i < SWEEPS && USED.get() > ENOUGH; i++) {
            ALL.forEach(BoundedCache::sweep);
        }
    }

    /** Empties the next places, the same part of each table. */
    private void sweep() {
        int end = Math.max(1, places.length() / SWEEPS);
        for (int i = 0; i < end; i++) {
            int place = hand.getAndIncrement() & places.length() - 1;
            if (places.getPlain(place) != null) {
                USED.addAndGet(-weightOf(places.getAndSet(place, null)));
            }
        }
    }
}
