package org.metasched.agreement.making;

import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.negotiation.ResultCase;

/** Outcome of a request to end an agreement. */
public sealed interface TerminationOutcome {

    /** Takes the result apart: a new case does not compile until every caller handles it. */
    <R, E extends Exception> R fold(
            ResultCase<Ending, R, E> ending, ResultCase<AlreadyFinal, R, E> ended, ResultCase<Unknown, R, E> unknown)
            throws E;

    /** The agreement is terminated, or is being ended while some site does not answer; its state tells which. */
    record Ending(Agreement agreement) implements TerminationOutcome {
        @Override
        public <R, E extends Exception> R fold(
                ResultCase<Ending, R, E> ending,
                ResultCase<AlreadyFinal, R, E> ended,
                ResultCase<Unknown, R, E> unknown)
                throws E {
            return ending.of(this);
        }
    }

    /** The agreement had ended before. */
    record AlreadyFinal(Agreement agreement) implements TerminationOutcome {
        @Override
        public <R, E extends Exception> R fold(
                ResultCase<Ending, R, E> ending,
                ResultCase<AlreadyFinal, R, E> ended,
                ResultCase<Unknown, R, E> unknown)
                throws E {
            return ended.of(this);
        }
    }

    /** No agreement has this id. */
    record Unknown(AgreementId id) implements TerminationOutcome {
        @Override
        public <R, E extends Exception> R fold(
                ResultCase<Ending, R, E> ending,
                ResultCase<AlreadyFinal, R, E> ended,
                ResultCase<Unknown, R, E> unknown)
                throws E {
            return unknown.of(this);
        }
    }
}
