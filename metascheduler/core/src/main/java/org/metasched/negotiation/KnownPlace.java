package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.choice.FeasibleStarts;

/**
 * Known starts of one request at one site. A site that does not list its windows is taken to be free from its answer on until it
 * has been asked about a later start. Not thread-safe.
 */
final class KnownPlace {

    private static final long NOT_SET = Long.MIN_VALUE;

    private final Asked asked;
    private final Duration offset;
    private long wanted = NOT_SET;
    private long head = Long.MAX_VALUE;
    private long latest = Long.MIN_VALUE;
    private boolean isCut;
    private FeasibleStarts starts = FeasibleStarts.NONE;
    private Knowledge knowledge = Knowledge.NONE;
    /** The site's last answer, if that is a start after the latest that matters. */
    private long beyond = Long.MAX_VALUE;

    private final TreeSet<Long> certain = new TreeSet<>();
    private final RefusedStarts refused = new RefusedStarts();
    private @Nullable LocalSchedulerException problem;

    /** Knowledge about a site from its answers. */
    private enum Knowledge {
        NONE,
        NEXT_STARTS,
        ALL_STARTS
    }

    /**
     * One question: the same for every part that asks the same.
     *
     * @param part its number, if each part asks for itself; else 0
     */
    record Asked(SiteId site, ResourceRequest request, int part) {
        /** Whether a site that refuses the other would refuse this, too. */
        boolean isAsMuchAs(Asked other) {
            var need = request.need();
            var less = other.request.need();
            return site.equals(other.site)
                    && part == other.part
                    && need.amount() >= less.amount()
                    && need.withAmount(less.amount()).equals(less)
                    && request.duration().compareTo(other.request.duration()) >= 0;
        }
    }

    /** @param offset from a start that is counted here to the site's own */
    KnownPlace(Asked asked, Duration offset) {
        this.asked = asked;
        this.offset = offset;
    }

    /**
     * One more part asks it.
     *
     * @param after the start of the whole at which the part may begin, in seconds
     * @param last start with which it ends in time
     * @param horizon of the site's look-ahead
     */
    void matters(long after, long last, long horizon) {
        head = Math.min(head, after);
        latest = Math.max(latest, Math.min(last, horizon));
        isCut |= horizon < last;
    }

    /**
     * The same for a larger amount, which is not asked yet.
     *
     * @param wanted a site that does not list its windows is asked from this start on, and is taken to have as much as it has of this amount
     */
    KnownPlace forAmount(ResourceRequest request, long wanted) {
        var other = new KnownPlace(new Asked(asked.site(), request, asked.part()), offset);
        other.head = head;
        other.latest = latest;
        other.isCut = isCut;
        boolean isListed = knowledge == Knowledge.ALL_STARTS;
        other.wanted = isListed ? NOT_SET : wanted;
        other.starts = isListed ? FeasibleStarts.NONE : starts;
        return other;
    }

    /** The instant from which the place is asked first, if the whole may begin at a start. */
    long firstWanted(long from) {
        return wanted == NOT_SET ? from + head : wanted;
    }

    boolean isUnasked() {
        return knowledge == Knowledge.NONE && problem == null;
    }

    /** Whether its look-ahead ends before the last start that matters. */
    boolean isCut() {
        return isCut;
    }

    /** The seconds from the start of the whole to the first start that matters. */
    long head() {
        return head;
    }

    Duration offset() {
        return offset;
    }

    Asked asked() {
        return asked;
    }

    long latest() {
        return latest;
    }

    FeasibleStarts starts() {
        return starts;
    }

    Optional<LocalSchedulerException> problem() {
        return Optional.ofNullable(problem);
    }

    /** Whether the place may answer if it is asked once more: reading is harmless. */
    boolean mayRecover() {
        return problem != null && !(problem instanceof LocalSchedulerException.Misconfigured);
    }

    /** The first start at or after another that the site may have, perhaps after the latest that matters; {@link Long#MAX_VALUE} if none. */
    long next(long start) {
        long next = starts.next(start);
        return next == Long.MAX_VALUE ? beyond : next;
    }

    /** Only what the site refused is still known. */
    void forget() {
        starts = FeasibleStarts.NONE;
        knowledge = Knowledge.NONE;
        problem = null;
        beyond = Long.MAX_VALUE;
        certain.clear();
    }

    boolean isCertain(long start) {
        return knowledge == Knowledge.ALL_STARTS || certain.contains(start);
    }

    void learn(FreeWindows windows) {
        problem = null;
        knowledge = Knowledge.ALL_STARTS;
        starts = refused.without(FeasibleStarts.of(windows.starts(), offset));
    }

    /** The site's first start at or after the one it was asked about; between the two it has none. */
    void learn(long from, Optional<Instant> first) {
        if (starts == FeasibleStarts.NONE && (knowledge == Knowledge.NONE || problem != null)) {
            starts = from <= latest ? FeasibleStarts.of(from, latest) : FeasibleStarts.NONE;
        }
        knowledge = Knowledge.NEXT_STARTS;
        problem = null;
        long next = first.map(f -> f.minus(offset).plusNanos(999_999_999).getEpochSecond())
                .orElse(Long.MAX_VALUE);
        beyond = next > latest ? next : Long.MAX_VALUE;
        if (next > from) {
            starts = starts.without(from, next == Long.MAX_VALUE ? Long.MAX_VALUE - 1 : next - 1);
        }
        starts = refused.without(starts);
        certain.add(next);
    }

    void fail(LocalSchedulerException why) {
        problem = why;
        starts = FeasibleStarts.NONE;
    }

    /** The site did not confirm this start, so it is not tried again. */
    void refused(long start, Duration grid) {
        refused.add(Instant.ofEpochSecond(start), grid);
        starts = refused.without(starts);
    }
}
