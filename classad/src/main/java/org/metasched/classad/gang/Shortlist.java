package org.metasched.classad.gang;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.Candidates;
import org.metasched.classad.index.OfferSet;
import org.metasched.classad.index.Request;

/**
 * Who answers a request while a cycle takes offers away. As long as nothing is put back, the first candidate to be had only moves
 * on and their number only falls, so both are kept and corrected when asked about: a number that was right some time ago is
 * too high by what has gone since at most, and often that is enough to tell which of two ports has fewer candidates.
 *
 * <p>Belongs to a pool; not thread-safe.
 */
final class Shortlist {

    /** So many entries that went are looked at one by one before all are counted anew, a word of 64 at a time. */
    private static final int WORDS_PER_ENTRY = 2;

    private final GangPool pool;
    private final Request request;
    private final @Nullable Shortlist whole;
    private final @Nullable OfferSet limit;
    private int askers;
    private @Nullable Candidates candidates;
    private boolean kept;
    private int era;
    private int cursor;
    private int counted = -1;
    private int countedAt;

    private Shortlist(GangPool pool, Request request, @Nullable Shortlist whole, @Nullable OfferSet limit) {
        this.pool = pool;
        this.request = request;
        this.whole = whole;
        this.limit = limit;
        this.era = pool.stock().era();
    }

    static Shortlist of(GangPool pool, Request request) {
        return new Shortlist(pool, request, null, null);
    }

    /** Those of them that are in a set, too. */
    Shortlist within(OfferSet set) {
        var part = new Shortlist(pool, request, this, set);
        part.cursor = cursor;
        return part;
    }

    /** Whether this is that part of a list. */
    boolean isWithin(Shortlist list, OfferSet set) {
        return whole == list && limit == set;
    }

    /** Says that so many more roots will ask. What only one asks is not kept. */
    void expect(int moreAskers) {
        askers += moreAskers;
    }

    /** Answers now and for good; false if there is no memory for that. */
    boolean keep() {
        Candidates answer = candidates();
        if (!kept) {
            kept = pool.reserve(answer.offers().bytes());
        }
        return kept;
    }

    /** Says that a search is over, unless it goes on with another part of the same list. */
    void release(@Nullable Shortlist next) {
        Shortlist base = base();
        if (!base.kept && (next == null || next.base() != base)) {
            base.candidates = null;
        }
    }

    private Shortlist base() {
        return whole == null ? this : whole;
    }

    /** All that answer, whether they are still to be had or not. */
    Candidates candidates() {
        if (whole != null) {
            return whole.candidates();
        }
        Candidates known = candidates;
        if (known == null) {
            known = pool.index().candidatesOnce(request);
            candidates = known;
            kept = askers > 1 && pool.reserve(known.offers().bytes());
        }
        return known;
    }

    boolean contains(int entry) {
        return candidates().offers().contains(entry) && (limit == null || limit.contains(entry));
    }

    /** The first candidate to be had at or after an entry, or -1. */
    int next(int from) {
        OfferSet offers = candidates().offers();
        OfferSet free = pool.stock().free();
        return limit == null ? offers.firstCommon(free, from) : offers.firstCommon(free, limit, from);
    }

    /** The first candidate to be had, or -1. */
    int first() {
        keepUp();
        if (cursor >= 0) {
            cursor = next(cursor);
        }
        return cursor;
    }

    /** Whether it is known, without looking, that none is to be had any more. */
    boolean isExhausted() {
        keepUp();
        return cursor < 0;
    }

    /** Whether there are fewer candidates than another has. */
    boolean isShorterThan(Shortlist other) {
        keepUp();
        other.keepUp();
        if (counted >= 0 && other.counted >= 0) {
            if (counted < other.least()) {
                return true;
            }
            if (least() >= other.counted) {
                return false;
            }
        }
        return count() < other.count();
    }

    private int least() {
        return Math.max(0, counted - (pool.stock().goneCount() - countedAt));
    }

    /** How many candidates are to be had. */
    int count() {
        keepUp();
        Stock stock = pool.stock();
        int gone = stock.goneCount() - countedAt;
        OfferSet offers = candidates().offers();
        if (limit != null) {
            OfferSet part = offers.copy();
            part.retainAll(limit);
            counted = part.countCommon(stock.free());
        } else if (counted < 0 || gone > offers.poolSize() / Long.SIZE / WORDS_PER_ENTRY) {
            counted = offers.countCommon(stock.free());
        } else {
            counted -= stock.goneSince(countedAt, offers);
        }
        countedAt = stock.goneCount();
        return counted;
    }

    private void keepUp() {
        if (era != pool.stock().era()) {
            era = pool.stock().era();
            cursor = 0;
            counted = -1;
            countedAt = 0;
        }
    }
}
