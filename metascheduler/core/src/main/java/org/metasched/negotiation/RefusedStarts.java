package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.metasched.choice.FeasibleStarts;

/**
 * Starts that a site did not confirm although it had named them. The first refusal rules out one unit of the site's times (its setting
 * {@code grid}), each further one twice as much time as the one before. So a start lost in a race costs little, and a site that always
 * grants later starts has none left after some tries. Not thread-safe.
 */
final class RefusedStarts {

    /** Bounds the time that a refusal rules out: 49 days if {@code grid} is a second. */
    private static final int MOST_DOUBLINGS = 22;

    private record Span(Instant from, Instant until) {}

    private final List<Span> spans = new ArrayList<>();

    /** Rules out a start, and the time after it. */
    void add(Instant start, Duration grid) {
        long times = 1L << Math.min(spans.size(), MOST_DOUBLINGS);
        spans.add(new Span(start, start.plus(grid.multipliedBy(times))));
    }

    /** The starts that are not ruled out. */
    FeasibleStarts without(FeasibleStarts starts) {
        var rest = starts;
        for (var span : spans) {
            long first = span.from().getEpochSecond();
            rest = rest.without(first, Math.max(first, span.until().getEpochSecond() - 1));
        }
        return rest;
    }
}
