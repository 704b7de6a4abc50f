package org.metasched.agreement.monitoring;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.SiteCommitment;

/**
 * Times of the next polls of agreements: often near starts and ends and in trouble, rarely between.
 *
 * @param often the shortest interval, except for programs that wait for each other
 */
record PollSchedule(Duration often, Clock clock) {

    /** Longest interval, in multiples of {@code often}. */
    private static final int RARELY = 20;

    /** Time after the start of a slot in which an agreement whose programs wait for each other is polled every {@link #GATE_INTERVAL}. */
    private static final Duration GATE_PERIOD = Duration.ofMinutes(2);

    private static final Duration GATE_INTERVAL = Duration.ofMillis(400);

    /** The next poll of an agreement: soon if it needs frequent polls, else {@linkplain #halfWayTo half way} to its next event. */
    Instant next(Agreement agreement, List<SiteCommitment> parts, Set<SiteId> silent) {
        Instant now = clock.instant();
        Instant soon = now.plus(often).truncatedTo(ChronoUnit.SECONDS);
        boolean hasBegun = agreement.hasBegun(now);
        if (isGateShut(parts) && hasBegun && !agreement.hasBegun(now.minus(GATE_PERIOD))) {
            return now.plus(GATE_INTERVAL);
        }
        if (agreement.state() != AgreementState.OBSERVED
                || hasBegun && agreement.offer().guarantees().stream().anyMatch(term -> !term.promisesResourcesOnly())
                || parts.stream().anyMatch(part -> needsFrequentPolls(part, silent, now))) {
            return soon;
        }
        var slots = parts.stream()
                .filter(part -> part.state().isHeld())
                .map(part -> part.reservation().slot())
                .toList();
        Instant event = Stream.of(
                        slots.stream().map(TimeSlot::start),
                        slots.stream().map(TimeSlot::end),
                        agreement.offer().expiration().stream())
                .flatMap(times -> times)
                .filter(time -> time.isAfter(now))
                .min(Instant::compareTo)
                .orElse(soon);
        return halfWayTo(event, agreement.id());
    }

    /** A time half way to an event, no sooner than {@code often} and no later than {@link #RARELY} intervals from now, and never past it. */
    Instant halfWayTo(Instant event, AgreementId id) {
        Instant now = clock.instant();
        Instant soon = now.plus(often).truncatedTo(ChronoUnit.SECONDS);
        Instant half = now.plus(Duration.between(now, event).dividedBy(2));
        // Adds jitter so that agreements polled together drift apart.
        long spread = RARELY / 2 * often.toMillis() * (id.hashCode() & 1023) / 1024;
        Instant late =
                now.plus(often.multipliedBy(RARELY / 2)).plusMillis(spread).truncatedTo(ChronoUnit.SECONDS);
        Instant capped = half.isBefore(late) ? half : late;
        Instant next = capped.isAfter(soon) ? capped : soon;
        return event.isBefore(next) ? event : next;
    }

    /** Whether some program waits, or will wait, until all parts run. */
    static boolean isGateShut(List<SiteCommitment> parts) {
        return parts.stream()
                .flatMap(part -> part.run().stream())
                .anyMatch(run -> run.program().together().isPresent()
                        && (run.status().state() == JobStatus.State.NEW
                                || run.status().state() == JobStatus.State.WAITING));
    }

    private static boolean needsFrequentPolls(SiteCommitment part, Set<SiteId> silent, Instant now) {
        var slot = part.reservation().slot();
        boolean late = part.state() == ReservationState.RESERVED && !now.isBefore(slot.start())
                || part.state().isHeld() && !now.isBefore(slot.end());
        boolean waits = part.awaitsProgram()
                && (part.state() != ReservationState.RESERVED
                        || part.run()
                                .filter(run -> run.status().equals(JobStatus.NEW))
                                .isPresent());
        return late || waits || part.isDegraded() || silent.contains(part.site());
    }
}
