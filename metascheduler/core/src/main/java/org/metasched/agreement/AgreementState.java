package org.metasched.agreement;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** State of an agreement, by the names of WS-Agreement. Owns its edges; {@code docs/states.md} is drawn from them. */
public enum AgreementState {
    /** Offered, not yet decided; no obligations. */
    PENDING("Pending"),
    /** Offered, not yet decided, and its initiator no longer wants it. */
    PENDING_AND_TERMINATING("PendingAndTerminating"),
    /** Both sides are bound; every reservation is confirmed. */
    OBSERVED("Observed"),
    /** Being ended before its time; some reservation may still be held. */
    OBSERVED_AND_TERMINATING("ObservedAndTerminating"),
    /** The offer was declined. Final. */
    REJECTED("Rejected"),
    /** Every service was delivered. Final. */
    COMPLETE("Complete"),
    /** Ended before its time; nothing is held. Final. */
    TERMINATED("Terminated");

    /** The states in which the offer is not yet decided. */
    public static final Set<AgreementState> UNDECIDED = Set.of(PENDING, PENDING_AND_TERMINATING);

    private final String term;

    AgreementState(String term) {
        this.term = term;
    }

    /** The word that the specification writes. */
    public String term() {
        return term;
    }

    /** The state of that name, as the specification or this enum spells it, in any letter case; empty for another text. */
    public static Optional<AgreementState> named(String text) {
        return Arrays.stream(values())
                .filter(s -> s.term.equalsIgnoreCase(text) || s.name().equalsIgnoreCase(text))
                .findFirst();
    }

    /** Whether an agreement in this state may go over to the other one. No state follows itself. */
    public boolean mayBecome(AgreementState next) {
        return switch (this) {
            case PENDING -> Set.of(PENDING_AND_TERMINATING, OBSERVED, REJECTED).contains(next);
            case PENDING_AND_TERMINATING -> next == REJECTED || next == TERMINATED;
            case OBSERVED -> next == OBSERVED_AND_TERMINATING || next == COMPLETE;
            case OBSERVED_AND_TERMINATING -> next == TERMINATED || next == COMPLETE;
            case REJECTED, COMPLETE, TERMINATED -> false;
        };
    }

    /** Whether the agreement has ended and changes no more. */
    public boolean isFinal() {
        return this == REJECTED || this == COMPLETE || this == TERMINATED;
    }

    /** Whether the offer is not yet decided. */
    public boolean isUndecided() {
        return UNDECIDED.contains(this);
    }
}
