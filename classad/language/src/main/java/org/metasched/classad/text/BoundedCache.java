package org.metasched.classad.text;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A cache with a fixed number of places, in which a new entry replaces the entry of the same place. The place of an entry is given by
 * the low bits of its hash. All caches share one budget of bytes, 32 MiB unless the system property {@value #PROPERTY} says otherwise;
 * beyond it, all caches of weighed entries lose the same part of their places.
 *
 * <p>Thread-safe without locks. A lookup is one read. Entries may vanish at any time: the caller makes a lost entry again.
 */
public final class BoundedCache<T> {

    /** The system property that holds the budget in bytes, read once. */
    public static final String PROPERTY = "metasched.classad.cacheBytes";

    private static final long BUDGET = Long.getLong(PROPERTY, 32L << 20);

    /** Bytes in use at which an eviction ends: a sixteenth of the budget is free then, so that evictions are rare. */
    private static final long LOW_WATER = BUDGET - BUDGET / 16;

    /** The most bytes of an entry that is cached. */
    private static final long HEAVIEST = BUDGET / 64;

    /** The number of sweeps that empty a cache: one sweep empties this fraction of its places. */
    private static final int SWEEPS = 256;

    private static final AtomicLong USED = new AtomicLong();

    /** The caches of weighed entries, which evictions empty in step. */
    private static final List<BoundedCache<?>> WEIGHED = new CopyOnWriteArrayList<>();

    private final AtomicReferenceArray<@Nullable T> places;

    /**
     * The hash of the entry of each place, so that a miss does not load the entry. It is written apart from the entry: in a race, a
     * lookup may miss an entry, or get an entry of another hash, which callers find out by comparing.
     */
    private final int[] hashes;

    /** The hash of the last call of {@link #isRepeated} for each place. */
    private final int[] offered;

    /** The function that weighs an entry in bytes; null if the entries were counted in advance. */
    private final @Nullable ToLongFunction<T> weight;

    /** The place that the next sweep empties first, modulo the number of places. */
    private final AtomicInteger nextSwept = new AtomicInteger();

    /**
     * A cache whose entries are weighed when they are put.
     *
     * @param places the most entries that it holds, a power of two
     * @param weight the bytes that an entry keeps alive, about; the same at each call for one entry
     */
    public BoundedCache(int places, ToLongFunction<T> weight) {
        if (Integer.bitCount(places) != 1) {
            throw new IllegalArgumentException("The number of places (%d) must be a power of two.".formatted(places));
        }
        this.places = new AtomicReferenceArray<>(places);
        this.hashes = new int[places];
        this.offered = new int[places];
        this.weight = weight;
        WEIGHED.add(this);
    }

    /**
     * A cache of small entries, whose memory is counted in advance as if it were full: a put is a single write, and nothing is evicted.
     *
     * @param places the most entries that it holds, a power of two; halved until they take at most a quarter of the budget
     * @param entryBytes the bytes that an entry keeps alive at most
     */
    public BoundedCache(int places, int entryBytes) {
        int affordable = places;
        while (affordable > 1 && (long) affordable * entryBytes > BUDGET / 4) {
            affordable /= 2;
        }
        this.places = new AtomicReferenceArray<>(affordable);
        this.hashes = new int[affordable];
        this.offered = new int[affordable];
        this.weight = null;
        USED.addAndGet((long) affordable * entryBytes);
    }

    /** The bytes that the entries of all caches keep alive, about. */
    public static long bytes() {
        return USED.get();
    }

    /** The limit of {@link #bytes}, which is exceeded only while {@link #put} evicts entries. */
    public static long budget() {
        return BUDGET;
    }

    /**
     * Whether the last call for the place of this hash had the same hash; records the hash. Callers cache an entry only at its second use,
     * so that entries that are used once do not replace entries that are used often.
     */
    public boolean isRepeated(int hash) {
        int place = hash & offered.length - 1;
        boolean repeated = offered[place] == hash;
        offered[place] = hash;
        return repeated;
    }

    /** The entry put with this hash, or null. The caller compares: another entry may have the same hash. */
    public @Nullable T get(int hash) {
        int place = hash & hashes.length - 1;
        return hashes[place] == hash ? places.getAcquire(place) : null;
    }

    /** Puts an entry into the place of its hash. An entry heavier than a 64th of the budget is not cached. */
    public void put(int hash, T entry) {
        int place = hash & hashes.length - 1;
        if (weight == null) {
            hashes[place] = hash;
            places.setRelease(place, entry);
            return;
        }
        long bytes = weight.applyAsLong(entry);
        if (bytes > HEAVIEST) {
            return;
        }
        hashes[place] = hash;
        T before = places.getAndSet(place, entry);
        if (USED.addAndGet(bytes - weightOf(before)) > BUDGET) {
            evict();
        }
    }

    private long weightOf(@Nullable T entry) {
        return entry == null || weight == null ? 0 : weight.applyAsLong(entry);
    }

    private static void evict() {
        for (int i = 0; i < SWEEPS && USED.get() > LOW_WATER; i++) {
            WEIGHED.forEach(BoundedCache::sweep);
        }
    }

    /** Empties the next places of this cache, one in {@link #SWEEPS}. */
    private void sweep() {
        int end = Math.max(1, places.length() / SWEEPS);
        for (int i = 0; i < end; i++) {
            int place = nextSwept.getAndIncrement() & places.length() - 1;
            if (places.getPlain(place) != null) {
                USED.addAndGet(-weightOf(places.getAndSet(place, null)));
            }
        }
    }
}
