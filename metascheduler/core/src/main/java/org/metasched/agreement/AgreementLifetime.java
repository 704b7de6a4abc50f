package org.metasched.agreement;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when ended agreements are forgotten: after the usual time, or at a termination time that was requested. Neither time
 * ends an agreement, and no agreement is forgotten before its end. Thread-safe.
 *
 * @param keepEnded time for which agreements are remembered after their end, unless another time was requested
 */
public record AgreementLifetime(AgreementRetention retention, Clock clock, Duration keepEnded) {

    /** Ten years. */
    private static final Duration LONGEST = Duration.ofDays(3653);

    /** The time from which an agreement may be forgotten; empty if it lives and no time was requested. */
    public Optional<Instant> terminationOf(Agreement agreement) {
        return retention
                .keptUntil(agreement.id())
                .or(() -> agreement.state().isFinal()
                        ? Optional.of(agreement.changed().plus(keepEnded))
                        : Optional.empty());
    }

    /**
     * Sets the time from which an agreement may be forgotten.
     *
     * @throws IllegalArgumentException when that time has passed or is more than ten years ahead, or when the agreement lives and its
     *     slot ends later
     */
    public void terminateAt(Agreement agreement, Instant when) {
        var now = clock.instant();
        if (!when.isAfter(now) || when.isAfter(now.plus(LONGEST))) {
            throw new IllegalArgumentException("The termination time (" + when + ") must be after the present (" + now
                    + ") and within ten years.\nMaybe Destroy is what you want, to have it forgotten at once.");
        }
        boolean lives = !agreement.state().isFinal();
        if (lives && agreement.slot().filter(s -> when.isBefore(s.end())).isPresent()) {
            throw new IllegalArgumentException("The termination time (" + when
                    + ") must not be before the end of the slot ("
                    + agreement.slot().get().end() + ") of an agreement that is "
                    + agreement.state().term() + ".\nMaybe Terminate is what you want, to end the agreement itself.");
        }
        retention.keepUntil(agreement.id(), when);
    }

    /**
     * Forgets an agreement at once, if it has ended.
     *
     * @return whether it was forgotten
     */
    public boolean destroy(AgreementId id) {
        return retention.forget(id);
    }

    /** Forgets ended agreements whose time has come, and returns their number; to be called from time to time. */
    public int forget() {
        var now = clock.instant();
        return retention.forgetFinal(now.minus(keepEnded), now);
    }
}
