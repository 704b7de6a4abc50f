package org.metasched.adapter.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The nearest request that the rules allow, for one that they do not: the same later, with fewer nodes, shorter, or in the
 * end all of that. What is named has been judged by the same rules. {@code O(log n)} judgements.
 */
record NearestRequest(SitePolicy policy, PolicyRule.World world, Instant until) {

    private static final Duration UNIT = Duration.ofMinutes(1);

    /**
     * A request that would be granted.
     *
     * @param start begin of the slot
     * @param words for a message
     */
    record Suggestion(PolicyRequest asked, Instant start, String words) {}

    Optional<Suggestion> to(PolicyRequest asked, Instant start) {
        return later(asked, start)
                .or(() -> fewer(asked, start).flatMap(less -> later(less, start)))
                .or(() -> shorter(asked, start).flatMap(less -> later(less, start)))
                .or(() -> fewer(asked.withLength(UNIT), start)
                        .flatMap(less -> shorter(asked.nodes() == 0 ? asked : asked.withNodes(less.nodes()), start))
                        .flatMap(less -> later(less, start)));
    }

    private Optional<Suggestion> later(PolicyRequest asked, Instant start) {
        if (policy.refusal(asked, world).isPresent()) {
            return Optional.empty();
        }
        return policy.firstAllowed(asked, world, start, until)
                .map(first -> new Suggestion(
                        asked, first, asked.need().words() + " for " + asked.length() + " from " + first));
    }

    /** The most nodes with which it passes at some time. */
    private Optional<PolicyRequest> fewer(PolicyRequest asked, Instant start) {
        int most = largest(
                asked.nodes(), nodes -> later(asked.withNodes(nodes), start).isPresent());
        return most == 0 ? Optional.empty() : Optional.of(asked.withNodes(most));
    }

    /** The greatest length, in whole minutes, with which it passes at some time. */
    private Optional<PolicyRequest> shorter(PolicyRequest asked, Instant start) {
        int minutes = (int) Math.min(Integer.MAX_VALUE, asked.length().toMinutes());
        int most = largest(
                minutes,
                length -> later(asked.withLength(UNIT.multipliedBy(length)), start)
                        .isPresent());
        return most == 0 ? Optional.empty() : Optional.of(asked.withLength(UNIT.multipliedBy(most)));
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
