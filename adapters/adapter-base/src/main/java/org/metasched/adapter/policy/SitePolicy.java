package org.metasched.adapter.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.TimeSlot;

/**
 * All rules of a site. A request passes when every rule that concerns its people, project and server allows it. Immutable.
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

    /** Why the request is allowed at no time, in the words of the first rule that says so. */
    Optional<String> refusal(PolicyRequest asked, PolicyRule.World world) {
        return concerned(asked).stream()
                .flatMap(rule -> rule.refusal(asked, world).stream())
                .findFirst();
    }

    /** Why the request is not allowed from a start. */
    Optional<String> refusal(PolicyRequest asked, PolicyRule.World world, Instant start) {
        Optional<String> never = refusal(asked, world);
        if (never.isPresent()) {
            return never;
        }
        return closed(asked, world, new TimeSlot(start, start.plusSeconds(1))).stream()
                .filter(closed -> closed.contains(start))
                .map(ForbiddenInterval::why)
                .findFirst();
    }

    /** The first start at or after an instant, and before another, that no rule closes. */
    Optional<Instant> firstAllowed(PolicyRequest asked, PolicyRule.World world, Instant from, Instant until) {
        if (!from.isBefore(until)) {
            return Optional.empty();
        }
        return firstAllowed(closed(asked, world, new TimeSlot(from, until)), from)
                .filter(start -> start.isBefore(until));
    }

    /** @param closed ordered by their begin */
    static Optional<Instant> firstAllowed(List<ForbiddenInterval> closed, Instant from) {
        Instant start = from;
        for (ForbiddenInterval part : closed) {
            if (part.contains(start)) {
                start = part.until();
            }
        }
        return start.equals(Instant.MAX) ? Optional.empty() : Optional.of(start);
    }

    /** Closed intervals of starts within a span, ordered by their begin. */
    List<ForbiddenInterval> closed(PolicyRequest asked, PolicyRule.World world, TimeSlot starts) {
        var closed = new ArrayList<ForbiddenInterval>();
        concerned(asked).forEach(rule -> closed.addAll(rule.closed(asked, world, starts)));
        closed.sort(Comparator.comparing(ForbiddenInterval::from));
        return closed;
    }

    private List<PolicyRule> concerned(PolicyRequest asked) {
        return rules.stream().filter(rule -> rule.whom().concerns(asked)).toList();
    }

    /** Start intervals without what is closed. */
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
