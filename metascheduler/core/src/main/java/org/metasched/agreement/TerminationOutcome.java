package org.metasched.agreement;

/** What became of a wish to end an agreement. */
public sealed interface TerminationOutcome {

    /** It is ended, or ending while some site does not answer: the state tells. */
    record Ending(Agreement agreement) implements TerminationOutcome {}

    /** It had come to its end before. */
    record AlreadyFinal(Agreement agreement) implements TerminationOutcome {}

    record Unknown(AgreementId id) implements TerminationOutcome {}
}
