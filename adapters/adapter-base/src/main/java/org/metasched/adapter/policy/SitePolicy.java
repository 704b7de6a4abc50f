package org.metasched.adapter.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.TimeSlot;

/**
 * All rules of a site. A request passes when every rule that concerns its users, project and server allows it. Immutable.
 *
 * @param rules in the order of the configuration
 */
record SitePolicy(List<PolicyRule> rules) {

    SitePolicy {
        rules = List.copyOf(rules);
    }

    boolean counts() {
        return rules.stream().anyMatch(PolicyRule::counts);
    }

    boolean needsMachine() {
        return rules.stream().anyMatch(PolicyRule::needsMachine);
    }

    /** The reason why the request is allowed at no time, by the first rule that refuses it; empty if none does. */
    Optional<String> refusal(PolicyRequest request, PolicyRule.Facts facts) {
        return rulesFor(request).stream()
                .flatMap(rule -> rule.refusal(request, facts).stream())
                .findFirst();
    }

    /** The reason why the request is not allowed from a start; empty if it is allowed. */
    Optional<String> refusal(PolicyRequest request, PolicyRule.Facts facts, Instant start) {
        Optional<String> never = refusal(request, facts);
        if (never.isPresent()) {
            return never;
        }
        return closed(request, facts, new TimeSlot(start, start.plusSeconds(1))).stream()
                .filter(closed -> closed.contains(start))
                .map(ForbiddenInterval::why)
                .findFirst();
    }

    /** The first start from {@code from} on, and before {@code until}, that no rule closes. */
    Optional<Instant> firstAllowed(PolicyRequest request, PolicyRule.Facts facts, Instant from, Instant until) {
        if (!from.isBefore(until)) {
            return Optional.empty();
        }
        return firstAllowed(closed(request, facts, new TimeSlot(from, until)), from)
                .filter(start -> start.isBefore(until));
    }

    /**
     * The first start from an instant on that is not closed.
     *
     * @param closed closed intervals, ordered by their start
     */
    static Optional<Instant> firstAllowed(List<ForbiddenInterval> closed, Instant from) {
        Instant start = from;
        for (ForbiddenInterval part : closed) {
            if (part.contains(start)) {
                start = part.until();
            }
        }
        return start.equals(Instant.MAX) ? Optional.empty() : Optional.of(start);
    }

    /** Closed intervals of starts within a span, ordered by their start. */
    List<ForbiddenInterval> closed(PolicyRequest request, PolicyRule.Facts facts, TimeSlot starts) {
        var closed = new ArrayList<ForbiddenInterval>();
        rulesFor(request).forEach(rule -> closed.addAll(rule.closed(request, facts, starts)));
        closed.sort(Comparator.comparing(ForbiddenInterval::from));
        return closed;
    }

    private List<PolicyRule> rulesFor(PolicyRequest request) {
        return rules.stream().filter(rule -> rule.whom().concerns(request)).toList();
    }

    /** Start intervals without the closed starts. */
    static List<StartInterval> without(List<StartInterval> windows, List<ForbiddenInterval> closed) {
        var open = new ArrayList<StartInterval>();
        for (StartInterval window : windows) {
            Instant from = window.earliest();
            for (ForbiddenInterval part : closed) {
                if (part.until().isAfter(from) && !part.from().isAfter(window.latest())) {
                    if (part.from().isAfter(from)) {
                        open.add(new StartInterval(from, part.from().minusNanos(1)));
                    }
                    from = part.until();
                }
            }
            if (!from.isAfter(window.latest())) {
                open.add(new StartInterval(from, window.latest()));
            }
        }
        return open;
    }
}
