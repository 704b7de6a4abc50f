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

    final Asked asked;
    final Duration offset;
    /** The start from which the place is asked first, in seconds since the epoch; {@link #NOT_SET} for the first start that matters. */
    private long wanted = NOT_SET;
    /** Least seconds from the start of the whole to the start of a part with this question. */
    private long head = Long.MAX_VALUE;
    /** Last start that matters, in seconds since the epoch. */
    private long latest = Long.MIN_VALUE;

    /** Whether the site's look-ahead ends before the last start of some part. */
    private boolean isCut;

    private FeasibleStarts starts = FeasibleStarts.NONE;
    private Knowledge knowledge = Knowledge.NONE;
    /** The start in the site's last answer, if it is after {@code latest}; else {@link Long#MAX_VALUE}. */
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
     * @param beside amount that the site is to hold for other parts at the same time; asked for together, if the site can
     * @param part index of the part, if each part has a question of its own; else 0
     */
    record Asked(SiteId site, ResourceRequest request, int beside, int part) {
        /** Hash of site and amount, which tell most questions apart: an offer to any of 10,000 sites needs some 100,000 of them. */
        @Override
        public int hashCode() {
            return 31 * site.value().hashCode() + request.need().amount();
        }

        /** Whether this request is at least as large as another one, which its site has refused, so that the site would refuse both. */
        boolean isAsMuchAs(Asked other) {
            var need = request.need();
            var less = other.request.need();
            return site.equals(other.site)
                    && part == other.part
                    && need.amount() + beside >= less.amount() + other.beside
                    && need.withAmount(less.amount()).equals(less)
                    && request.duration().compareTo(other.request.duration()) >= 0;
        }

        /**
         * The request together with the amount beside it. The request alone if the site never has a start for both: it may be a grid, which
         * serves them by several sites.
         */
        ResourceRequest together(LocalScheduler scheduler, Instant from) throws LocalSchedulerException {
            var whole = request.of(request.need().withAmount(request.need().amount() + beside));
            try {
                return beside > 0 && scheduler.earliestStart(whole, from).isPresent() ? whole : request;
            } catch (Refused e) {
                return request;
            }
        }
    }

    /** @param offset time by which the starts at the site are later than those that this class counts */
    KnownPlace(Asked asked, Duration offset) {
        this.asked = asked;
        this.offset = offset;
    }

    /**
     * Adds a part with this question.
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
     * The same place with a question for a larger amount, which has not been asked yet. Until then a site that does not list its windows
     * counts as having the same starts.
     *
     * @param wanted start from which such a site is asked first
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

    /** Whether the place has neither answered nor failed so far. */
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

    /** Whether the place has failed, and may answer if it is asked once more. */
    boolean mayRecover() {
        return problem != null && !(problem instanceof LocalSchedulerException.Misconfigured);
    }

    /** The first start that the site may have at or after another, perhaps later than matters; {@link Long#MAX_VALUE} if there is none. */
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
        long next = first.map(f -> roundedUp(f.minus(offset))).orElse(Long.MAX_VALUE);
        beyond = next > latest ? next : Long.MAX_VALUE;
        if (next > from) {
            starts = starts.without(from, next == Long.MAX_VALUE ? Long.MAX_VALUE - 1 : next - 1);
        }
        starts = refused.without(starts);
        certain.add(next);
    }

    /** An instant in seconds since the epoch, rounded up: schedulers may count in whole seconds. */
    static long roundedUp(Instant instant) {
        return instant.plusNanos(999_999_999).getEpochSecond();
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
