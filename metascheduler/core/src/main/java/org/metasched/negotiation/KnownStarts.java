package org.metasched.negotiation;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows;
import org.metasched.negotiation.CoAllocationRequest.SitePart;

/**
 * What one site has said about its starts, on the time line of the common start (the part's offset is taken off). Answers
 * hold for one search; a site may fill up meanwhile, which its confirmation will show. Not thread-safe.
 */
final class KnownStarts {

    private final SitePart part;
    private final RefusedStarts refused;
    private @Nullable FreeWindows listed;
    private @Nullable Instant asked;
    private @Nullable Instant answered;

    /** @param refused common starts that the site did not confirm before */
    KnownStarts(SitePart part, RefusedStarts refused) {
        this.part = part;
        this.refused = refused;
    }

    SitePart part() {
        return part;
    }

    /** Whether the first start at or after an instant can be told without asking. */
    boolean tells(Instant from) {
        return listed != null
                || (asked != null && answered != null && !from.isBefore(asked) && !from.isAfter(answered));
    }

    /** The first start at or after an instant; only after {@link #tells}. */
    Optional<Instant> first(Instant from) {
        var first = named(from);
        if (first.isEmpty()) {
            return first;
        }
        var next = refused.next(first.get());
        return next.equals(first.get()) || !tells(next) ? Optional.of(next) : first(next);
    }

    private Optional<Instant> named(Instant from) {
        if (listed != null) {
            return listed.firstFrom(from.plus(part.offset())).map(s -> s.minus(part.offset()));
        }
        return Optional.ofNullable(answered);
    }

    void learn(FreeWindows windows) {
        listed = windows;
    }

    /** Between the question and its answer the site has no start: rules A1 and A2. */
    void learn(Instant from, Instant start) {
        asked = from;
        answered = start.minus(part.offset());
    }
}
