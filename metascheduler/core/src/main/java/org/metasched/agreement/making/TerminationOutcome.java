package org.metasched.agreement.making;

import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.negotiation.ResultCase;

/** Outcome of a request to end an agreement. */
public sealed interface TerminationOutcome {

    /** Calls the function of its case. A new case adds a parameter, so that no caller compiles until it handles it. */
    default <R, E extends Exception> R fold(
            ResultCase<Ending, R, E> ending, ResultCase<AlreadyFinal, R, E> ended, ResultCase<Unknown, R, E> unknown)
            throws E {
        if (this instanceof Ending begun) {
            return ending.of(begun);
        }
        return this instanceof AlreadyFinal before ? ended.of(before) : unknown.of((Unknown) this);
    }

    /** The agreement is terminated; or it is being ended, while some site does not answer or its pending offer is being decided. */
    record Ending(Agreement agreement) implements TerminationOutcome {}

    /** The agreement had ended before. */
    record AlreadyFinal(Agreement agreement) implements TerminationOutcome {}

    /** No agreement has this id. */
    record Unknown(AgreementId id) implements TerminationOutcome {}
}
