package org.metasched.adapter;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * A failure at a site. Checked, because an ignored failure leaves an orphan reservation. Its kind tells whether the request may have taken
 * effect: after {@link Unreachable} it may, after any other kind it did not.
 */
public abstract sealed class LocalSchedulerException extends Exception {

    private LocalSchedulerException(String message, Throwable cause) {
        super(message, cause);
    }

    private LocalSchedulerException(String message) {
        super(message);
    }

    /** Whether the call may have taken effect at the site in spite of the error. */
    public boolean mayHaveHappened() {
        return fold(refused -> false, unreachable -> true, misconfigured -> false, unknown -> false);
    }

    /** Whether the site may answer the same call later: it gave no answer now, or was not asked. */
    public boolean isUnanswered() {
        return this instanceof Unreachable || this instanceof NotAsked;
    }

    /**
     * The result of the function for the kind of this exception. A new kind adds a parameter, so that no caller
     * compiles until it handles the new kind.
     */
    public final <T> T fold(
            Function<Refused, T> refused,
            Function<Unreachable, T> unreachable,
            Function<Misconfigured, T> misconfigured,
            Function<UnknownReservation, T> unknownReservation) {
        if (this instanceof Refused refusal) {
            return refused.apply(refusal);
        } else if (this instanceof Unreachable failure) {
            return unreachable.apply(failure);
        }
        return this instanceof Misconfigured fault
                ? misconfigured.apply(fault)
                : unknownReservation.apply((UnknownReservation) this);
    }

    /** The site refused: nothing was done. */
    public static sealed class Refused extends LocalSchedulerException {
        private final transient Optional<Instant> possibleStart;

        public Refused(String message) {
            this(message, Optional.empty());
        }

        /** @param possibleStart the start that the site named in its refusal, if it named one */
        public Refused(String message, Optional<Instant> possibleStart) {
            super(message);
            this.possibleStart = possibleStart;
        }

        /** The start that the site offered instead of the one refused; empty if it named none. */
        public Optional<Instant> possibleStart() {
            return possibleStart;
        }
    }

    /** The site's own rules, or its list of users, do not allow the request: nothing was done. */
    public static final class Forbidden extends Refused {
        public Forbidden(String message) {
            super(message);
        }

        /** @param possibleStart the start from which the rules allow the same request */
        public Forbidden(String message, Optional<Instant> possibleStart) {
            super(message, possibleStart);
        }
    }

    /** The site was not asked: nothing was done. */
    public static final class NotAsked extends Refused {
        public NotAsked(String message) {
            super(message);
        }
    }

    /** The site gave no answer, or no answer that can be understood: the request may have taken effect. */
    public static sealed class Unreachable extends LocalSchedulerException {
        public Unreachable(String message, Throwable cause) {
            super(message, cause);
        }

        public Unreachable(String message) {
            super(message);
        }
    }

    /** The site answered, and its answer cannot be understood: the request may have taken effect. */
    public static final class Unreadable extends Unreachable {
        public Unreadable(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The adapter cannot work as it is set up (a command is missing, a right is lacking): nothing was done. */
    public static final class Misconfigured extends LocalSchedulerException {
        public Misconfigured(String message, Throwable cause) {
            super(message, cause);
        }

        public Misconfigured(String message) {
            super(message);
        }
    }

    /** The site does not know the reservation. */
    public static final class UnknownReservation extends LocalSchedulerException {
        public UnknownReservation(SiteId site, ReservationId id) {
            super("Site " + site + " knows no reservation " + id + ".");
        }

        public UnknownReservation(String message) {
            super(message);
        }
    }
}
