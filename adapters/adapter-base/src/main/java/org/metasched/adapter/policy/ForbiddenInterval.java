package org.metasched.adapter.policy;

import java.time.Instant;
import java.util.Optional;

/**
 * Starts that a rule does not allow.
 *
 * @param from first start that is not allowed
 * @param until first later start that this rule allows
 * @param why rule, key and reason, in one line
 */
record ForbiddenInterval(Instant from, Instant until, String why) {

    /** The starts at which the request would overlap a forbidden time. */
    static Optional<ForbiddenInterval> touching(Instant begin, Instant end, PolicyRequest request, String why) {
        return between(begin.minus(request.length()).plusNanos(1), end, why);
    }

    static Optional<ForbiddenInterval> between(Instant from, Instant until, String why) {
        return from.isBefore(until) ? Optional.of(new ForbiddenInterval(from, until, why)) : Optional.empty();
    }

    boolean contains(Instant start) {
        return !start.isBefore(from) && start.isBefore(until);
    }
}
