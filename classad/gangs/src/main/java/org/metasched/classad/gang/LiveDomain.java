package org.metasched.classad.gang;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Domain;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Request;

/**
 * The domain of a request while a cycle removes offers. Within an epoch, the first available value only moves forwards and the number of
 * values only falls, so both are kept and corrected on demand: an earlier number is too high by at most the removals since, which often
 * suffices to tell which of two domains is smaller.
 *
 * <p>Belongs to a pool; not thread-safe.
 */
final class LiveDomain {

    private final GangPool pool;
    private final Request request;
    /** The domain of which this one is a part, or null. */
    private final @Nullable LiveDomain whole;

    private final @Nullable OfferSet limit;
    /** The number of roots that use this domain. */
    private int users;

    private @Nullable Domain all;
    /** Whether {@link #all} stays in memory between searches. */
    private boolean kept;

    private int epoch;
    /** The first available value at the last look, or -1. */
    private int cursor;
    /** The last number of available values, or -1. */
    private int counted = -1;
    /** Number of removals in the pool when the values were counted. */
    private int countedAt;

    LiveDomain(GangPool pool, Request request, @Nullable LiveDomain whole, @Nullable OfferSet limit) {
        this.pool = pool;
        this.request = request;
        this.whole = whole;
        this.limit = limit;
        this.epoch = pool.epoch;
    }

    /** The part of this domain within a set; {@code last} itself if it is that part. */
    LiveDomain restrictedTo(OfferSet set, @Nullable LiveDomain last) {
        if (last != null && last.whole == this && last.limit == set) {
            return last;
        }
        var part = new LiveDomain(pool, request, this, set);
        part.cursor = cursor;
        return part;
    }

    /** Adds to the number of roots that will use this domain. A domain with one user is not kept. */
    void expect(int moreUsers) {
        users += moreUsers;
    }

    /** Computes the domain now and keeps it; false if there is no memory for that. */
    boolean keep() {
        int bytes = all().offers().bytes();
        kept = kept || pool.reserve(bytes);
        return kept;
    }

    /** Ends the use by a search, unless the domain that it uses next, null for none, is another restriction of the same domain. */
    void release(@Nullable LiveDomain next) {
        LiveDomain base = base();
        if (!base.kept && (next == null || next.base() != base)) {
            base.all = null;
        }
    }

    private LiveDomain base() {
        return whole == null ? this : whole;
    }

    /** The unrestricted domain, with values that are not available any more. */
    Domain all() {
        if (whole != null) {
            return whole.all();
        }
        Domain known = all;
        if (known == null) {
            known = pool.index.domainOnce(request);
            all = known;
            kept = users > 1 && pool.reserve(known.offers().bytes());
        }
        return known;
    }

    /** Whether an entry is a value, available or not. */
    boolean contains(int entry) {
        return all().offers().contains(entry) && (limit == null || limit.contains(entry));
    }

    /** The first available value at or after an entry, or -1. */
    int next(int from) {
        OfferSet offers = all().offers();
        OfferSet available = pool.free();
        return limit == null ? offers.firstCommon(available, from) : offers.firstCommon(available, limit, from);
    }

    /** The first available value, or -1. */
    int first() {
        beginNewEpoch();
        if (cursor >= 0) {
            cursor = next(cursor);
        }
        return cursor;
    }

    /** Whether the domain was found empty in this epoch. */
    boolean isExhausted() {
        beginNewEpoch();
        return cursor < 0;
    }

    /** Whether this domain has fewer available values than another. */
    boolean isSmallerThan(LiveDomain other) {
        beginNewEpoch();
        other.beginNewEpoch();
        boolean both = counted >= 0 && other.counted >= 0;
        if (both && (counted < other.least() || least() >= other.counted)) {
            return counted < other.least();
        }
        return count() < other.count();
    }

    /** A lower bound of the number of available values, by the last number. */
    private int least() {
        return Math.max(0, counted - (pool.removedCount - countedAt));
    }

    /** Number of available values of the domain. */
    int count() {
        beginNewEpoch();
        counted = all().offers().countCommon(pool.free(), limit == null ? pool.free() : limit);
        countedAt = pool.removedCount;
        return counted;
    }

    private void beginNewEpoch() {
        if (epoch != pool.epoch) {
            epoch = pool.epoch;
            cursor = 0;
            counted = -1;
            countedAt = 0;
        }
    }
}
