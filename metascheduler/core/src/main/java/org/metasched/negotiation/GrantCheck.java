package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import org.metasched.adapter.Need;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;

/**
 * Compares a site's reservation with the request for it. The reservation must cover the slot, and may be longer only to the next points of
 * the site's grid of times. It may have more of the resource, never less.
 */
public final class GrantCheck {

    private GrantCheck() {}

    /** Objection to the reservation that a site holds for a request, as the end of a sentence about the site; empty if there is none. */
    static Optional<String> objection(ResourceRequest asked, Instant start, Duration grid, Reservation held) {
        var wanted = TimeSlot.of(start, asked.duration());
        if (!held.slot().covers(wanted)) {
            return Optional.of("holds " + shown(held.slot()) + " instead of " + shown(wanted));
        }
        if (!held.slot().start().isAfter(start.minus(grid))
                || !held.slot().end().isBefore(wanted.end().plus(grid))) {
            return Optional.of("holds " + shown(held.slot()) + ", more than its grid of " + grid + " explains for "
                    + shown(wanted));
        }
        return covers(held.granted(), asked.need())
                ? nodeObjection(asked.need(), held)
                : Optional.of("holds " + held.granted() + " instead of " + asked.need());
    }

    /** Whether a grant is at least what was asked for. */
    private static boolean covers(Need granted, Need asked) {
        return granted.amount() >= asked.amount()
                && asked.fold(
                        wanted -> granted instanceof Need.Nodes nodes
                                && nodes.coresPerNode() >= wanted.coresPerNode()
                                && nodes.properties().containsAll(wanted.properties()),
                        wanted -> granted instanceof Need.Bandwidth,
                        wanted -> granted instanceof Need.Licences licences
                                && licences.feature().equals(wanted.feature()));
    }

    /** A site need not name its nodes, but if it does there must be as many as asked for. */
    private static Optional<String> nodeObjection(Need asked, Reservation held) {
        int distinct = new HashSet<>(held.nodeNames()).size();
        return asked instanceof Need.Nodes && distinct > 0 && distinct < asked.amount()
                ? Optional.of("names " + distinct + " nodes instead of " + asked.amount())
                : Optional.empty();
    }

    private static String shown(TimeSlot slot) {
        return "[" + slot.start() + ", " + slot.end() + ")";
    }
}
