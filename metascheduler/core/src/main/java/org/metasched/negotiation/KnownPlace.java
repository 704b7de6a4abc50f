package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
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
    /** Start from which the place is asked first, in seconds since the epoch, if it is not the first start that matters. */
    private long wanted = NOT_SET;
    /** Least seconds from the start of the whole to the start of a part that asks. */
    private long head = Long.MAX_VALUE;
    /** Last start that matters, in seconds since the epoch. */
    private long latest = Long.MIN_VALUE;

    private boolean isCut;
    private FeasibleStarts starts = FeasibleStarts.NONE;
    private Knowledge knowledge = Knowledge.NONE;
    /** The start in the site's last answer, if that is after {@code latest}. */
    private long beyond = Long.MAX_VALUE;

    /** Starts that the site has named. */
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
     * One question to a site, shared by all parts that ask the same.
     *
     * @param beside how much more the site is to hold at the same time, if it can in one reservation
     * @param part index of the part, if each part asks for itself; else 0
     */
    record Asked(SiteId site, ResourceRequest request, int beside, int part) {
        /** Whether a site that refuses the other request would refuse this one, too. */
        boolean isAsMuchAs(Asked other) {
            var need = request.need();
            var less = other.request.need();
            return site.equals(other.site)
                    && part == other.part
                    && need.amount() + beside >= less.amount() + other.beside
                    && need.withAmount(less.amount()).equals(less)
                    && request.duration().compareTo(other.request.duration()) >= 0;
        }

        /** The request and what is held beside it as one; as it is, if the site never has a start for that: it may be a grid. */
        ResourceRequest together(LocalScheduler scheduler, Instant from) throws LocalSchedulerException {
            var whole = request.of(request.need().withAmount(request.need().amount() + beside));
            try {
                return beside > 0 && scheduler.earliestStart(whole, from).isPresent() ? whole : request;
            } catch (Refused e) {
                return request;
            }
        }
    }

    /** @param offset time from a start as counted here to the start at the site */
    KnownPlace(Asked asked, Duration offset) {
        this.asked = asked;
        this.offset = offset;
    }

    /**
     * Adds a part that asks this question.
     *
     * @param after least seconds from the start of the whole to the start of the part
     * @param last last start with which the part ends in time, in seconds since the epoch
     * @param horizon end of the site's look-ahead, in seconds since the epoch
     */
    void addPart(long after, long last, long horizon) {
        head = Math.min(head, after);
        latest = Math.max(latest, Math.min(last, horizon));
        isCut |= horizon < last;
    }

    /**
     * A question for a larger amount, which has not been asked yet.
     *
     * @param wanted start from which a site that does not list its windows is asked; until it has been asked, it counts as having the same starts
     */
    KnownPlace forAmount(Asked larger, long wanted) {
        var other = new KnownPlace(larger, offset);
        other.head = head;
        other.latest = latest;
        other.isCut = isCut;
        boolean isListed = knowledge == Knowledge.ALL_STARTS;
        other.wanted = isListed ? NOT_SET : wanted;
        other.starts = isListed ? FeasibleStarts.NONE : starts;
        return other;
    }

    /** The instant from which the place is asked first, if the whole begins at {@code from} or later, in seconds since the epoch. */
    long firstWanted(long from) {
        return wanted == NOT_SET ? from + head : wanted;
    }

    /** Whether the place has never answered, not even by a failure. */
    boolean isUnasked() {
        return knowledge == Knowledge.NONE && problem == null;
    }

    /** Whether the site's look-ahead ends before the last start with which a part ends in time. */
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

    /** The last start that matters, in seconds since the epoch. */
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

    /** Forgets all answers; the starts that the site refused stay excluded. */
    void forget() {
        starts = FeasibleStarts.NONE;
        knowledge = Knowledge.NONE;
        problem = null;
        beyond = Long.MAX_VALUE;
        certain.clear();
    }

    /** Whether the site has named this start itself. */
    boolean isCertain(long start) {
        return knowledge == Knowledge.ALL_STARTS || certain.contains(start);
    }

    /** Takes in an answer: all starts of the site. */
    void learn(FreeWindows windows) {
        problem = null;
        knowledge = Knowledge.ALL_STARTS;
        starts = refused.without(FeasibleStarts.of(windows.starts(), offset));
    }

    /** Takes in an answer: the site's first start at or after {@code from}; it has none between the two. */
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

    /** Takes in a failure: the place has no starts until it is asked again. */
    void fail(LocalSchedulerException why) {
        problem = why;
        starts = FeasibleStarts.NONE;
    }

    /** Excludes a start that the site did not confirm, so that it is not tried again. */
    void exclude(long start, Duration grid) {
        refused.add(Instant.ofEpochSecond(start), grid);
        starts = refused.without(starts);
    }
}
