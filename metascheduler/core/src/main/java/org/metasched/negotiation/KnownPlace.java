package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.choice.Starts;

/**
 * What is known of the starts of one request at one site. A site that does not list its
 * windows is taken to be free from its answer on until it has been asked about a later start. Not thread-safe.
 */
final class KnownPlace {

    private static final long NOT_SET = Long.MIN_VALUE;

    private final Asked asked;
    private long wanted = NOT_SET;
    private long head = Long.MAX_VALUE;
    private long latest = Long.MIN_VALUE;
    private boolean isCut;
    private Starts starts = Starts.NONE;
    private boolean listed;
    private boolean answered;
    private final TreeSet<Long> certain = new TreeSet<>();
    private final RefusedStarts refused = new RefusedStarts();
    private @Nullable LocalSchedulerException problem;

    /** One question: the same for every part that asks the same. */
    record Asked(SiteId site, ResourceRequest request) {
        /** Whether a site that refuses the other would refuse this, too. */
        boolean isAsMuchAs(Asked other) {
            var need = request.need();
            var less = other.request.need();
            return site.equals(other.site)
                    && need.amount() >= less.amount()
                    && need.withAmount(less.amount()).equals(less)
                    && request.duration().compareTo(other.request.duration()) >= 0;
        }
    }

    KnownPlace(Asked asked) {
        this.asked = asked;
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
        var other = new KnownPlace(new Asked(asked.site(), request));
        other.head = head;
        other.latest = latest;
        other.isCut = isCut;
        other.wanted = listed ? NOT_SET : wanted;
        other.starts = listed ? Starts.NONE : starts;
        return other;
    }

    /** From when on it is asked first, if the whole may begin at a start. */
    long firstWanted(long from) {
        return wanted == NOT_SET ? from + head : wanted;
    }

    boolean isUnasked() {
        return !listed && !answered && problem == null;
    }

    /** Whether its look-ahead ends before the last start that matters. */
    boolean isCut() {
        return isCut;
    }

    /** From the start of the whole to the first start that matters, in seconds. */
    long head() {
        return head;
    }

    Asked asked() {
        return asked;
    }

    long latest() {
        return latest;
    }

    Starts starts() {
        return starts;
    }

    Optional<LocalSchedulerException> problem() {
        return Optional.ofNullable(problem);
    }

    /** Whether it may answer if it is asked once more: reading is harmless. */
    boolean mayRecover() {
        return problem != null && !(problem instanceof LocalSchedulerException.Misconfigured);
    }

    boolean isCertain(long start) {
        return listed || certain.contains(start);
    }

    void learn(FreeWindows windows) {
        problem = null;
        listed = true;
        starts = refused.without(Starts.of(windows.starts()));
    }

    /** The site's first start at or after the one it was asked about; between the two it has none. */
    void learn(long from, Optional<Instant> first) {
        if (starts == Starts.NONE && (!answered || problem != null)) {
            starts = from <= latest ? Starts.of(from, latest) : Starts.NONE;
        }
        answered = true;
        problem = null;
        long next = first.map(f -> Starts.of(List.of(new FreeWindows.StartInterval(f, f.plusSeconds(1))))
                        .first(0))
                .orElse(Long.MAX_VALUE);
        if (next > from) {
            starts = starts.without(from, next == Long.MAX_VALUE ? Long.MAX_VALUE - 1 : next - 1);
        }
        starts = refused.without(starts);
        certain.add(next);
    }

    void fail(LocalSchedulerException why) {
        problem = why;
        starts = Starts.NONE;
    }

    /** The site did not confirm this start, so it is not tried again. */
    void refused(long start, Duration grid) {
        refused.add(Instant.ofEpochSecond(start), grid);
        starts = refused.without(starts);
    }
}
