package org.metasched.adapter.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The nearest request that the rules allow, for one that they do not: later, with fewer nodes, shorter, or all of these together. Each
 * suggestion has passed the same rules. Judges {@code O(log n)} requests for n nodes or minutes.
 *
 * @param until end of the starts that are tried, not included
 */
record NearestRequest(SitePolicy policy, PolicyRule.Facts facts, Instant until) {

    private static final Duration UNIT = Duration.ofMinutes(1);

    /**
     * A request that would be granted.
     *
     * @param request the suggested request
     * @param start begin of its slot
     * @param words description for a message
     */
    record Suggestion(PolicyRequest request, Instant start, String words) {}

    /**
     * The suggestion for a request: the same at a later start, else with fewer nodes, else shorter, else with the most nodes that are
     * allowed for a minute and then the greatest length allowed with them. A request for another resource has 0 nodes.
     */
    Optional<Suggestion> to(PolicyRequest request, Instant start) {
        return later(request, start)
                .or(() -> fewer(request, start).flatMap(less -> later(less, start)))
                .or(() -> shorter(request, start).flatMap(less -> later(less, start)))
                .or(() -> fewer(request.withLength(UNIT), start)
                        .flatMap(less -> shorter(request.withNodes(less.nodes()), start))
                        .flatMap(less -> later(less, start)));
    }

    private Optional<Suggestion> later(PolicyRequest request, Instant start) {
        if (policy.refusal(request, facts).isPresent()) {
            return Optional.empty();
        }
        return policy.firstAllowed(request, facts, start, until)
                .map(first -> new Suggestion(
                        request, first, request.need().words() + " for " + request.length() + " from " + first));
    }

    /** The request with the most nodes for which the rules allow some start. */
    private Optional<PolicyRequest> fewer(PolicyRequest request, Instant start) {
        int most = largest(
                request.nodes(), nodes -> later(request.withNodes(nodes), start).isPresent());
        return most == 0 ? Optional.empty() : Optional.of(request.withNodes(most));
    }

    /** The request with the greatest length, in whole minutes, for which the rules allow some start. */
    private Optional<PolicyRequest> shorter(PolicyRequest request, Instant start) {
        int minutes = (int) Math.min(Integer.MAX_VALUE, request.length().toMinutes());
        int most = largest(
                minutes,
                length -> later(request.withLength(UNIT.multipliedBy(length)), start)
                        .isPresent());
        return most == 0 ? Optional.empty() : Optional.of(request.withLength(UNIT.multipliedBy(most)));
    }

    /** The largest number up to a bound that passes, where every smaller one passes too; 0 when 1 does not. */
    private static int largest(int bound, IntPredicate passes) {
        int low = 0;
        int high = bound;
        while (low < high) {
            int middle = low + (high - low + 1) / 2;
            if (passes.test(middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
