package org.metasched.agreement;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long agreements are remembered: those that have ended for a usual time, or until a time that was asked for. No
 * such time ends an agreement: one that lives is remembered, whatever was asked for, until it has ended. Thread-safe.
 */
public final class AgreementLifetime {

    /** Ten years. */
    private static final Duration LONGEST = Duration.ofDays(3653);

    private final AgreementRetention retention;
    private final Clock clock;
    private final Duration keepEnded;

    /** @param keepEnded time for which agreements are remembered after their end, unless another time was requested */
    public AgreementLifetime(AgreementRetention retention, Clock clock, Duration keepEnded) {
        this.retention = retention;
        this.clock = clock;
        this.keepEnded = keepEnded;
    }

    /** When it will be forgotten, as far as that is known: before its end only if a time was asked for. */
    public Optional<Instant> terminationOf(Agreement agreement) {
        return retention
                .keptUntil(agreement.id())
                .or(() -> agreement.state().isFinal()
                        ? Optional.of(agreement.changed().plus(keepEnded))
                        : Optional.empty());
    }

    /**
     * Sets the time when it may be forgotten.
     *
     * @throws IllegalArgumentException when that time has passed or is too far, or comes before the end of the common slot
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
     * Forgets one at once.
     *
     * @return whether it was forgotten: not when it has not ended
     */
    public boolean destroy(AgreementId id) {
        return retention.forget(id);
    }

    /** Forgets all whose time has come; to be called from time to time. */
    public int forget() {
        var now = clock.instant();
        return retention.forgetFinal(now.minus(keepEnded), now);
    }
}
