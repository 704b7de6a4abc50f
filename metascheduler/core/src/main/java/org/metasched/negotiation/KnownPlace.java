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
 * What is known of the starts of one request at one site, on the time line of the common start. A site that does not list its
 * windows is taken to be free from its answer on until it has been asked about a later start. Not thread-safe.
 */
final class KnownPlace {

    private final Asked asked;
    private final long latest;
    private Starts starts = Starts.NONE;
    private boolean listed;
    private boolean answered;
    private final TreeSet<Long> certain = new TreeSet<>();
    private @Nullable LocalSchedulerException problem;

    /** One question: the same for every part that asks the same. */
    record Asked(SiteId site, ResourceRequest request, Duration offset) {}

    /** @param latest the last common start that matters */
    KnownPlace(Asked asked, long latest) {
        this.asked = asked;
        this.latest = latest;
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
        starts = Starts.of(windows.starts(), asked.offset());
    }

    /** The site's first start at or after the one it was asked about; between the two it has none. */
    void learn(long from, Optional<Instant> first) {
        problem = null;
        if (!answered) {
            answered = true;
            starts = from <= latest ? Starts.of(from, latest) : Starts.NONE;
        }
        long next = first.map(
                        f -> Starts.of(List.of(new FreeWindows.StartInterval(f, f.plusSeconds(1))), asked.offset()))
                .map(s -> s.first(0))
                .orElse(Long.MAX_VALUE);
        if (next > from) {
            starts = starts.without(from, next == Long.MAX_VALUE ? Long.MAX_VALUE - 1 : next - 1);
        }
        certain.add(next);
    }

    void fail(LocalSchedulerException why) {
        problem = why;
        starts = Starts.NONE;
    }

    /** The site refused this start, so it is not tried again. */
    void refused(long start, long next) {
        starts = starts.without(start, Math.max(start, next - 1));
    }
}
