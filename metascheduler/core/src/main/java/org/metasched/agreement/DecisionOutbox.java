package org.metasched.agreement;

import java.time.Instant;
import java.util.List;

/**
 * The initiators of pending offers who are still to be told what was decided. A notice is written in the transaction of the
 * decision and stays until it is settled, so that each initiator is called at least once, across any crash. Each method
 * returns when its change is durable. Thread-safe.
 */
public interface DecisionOutbox {

    /**
     * What to tell whom.
     *
     * @param accepted whether the offer became an agreement; what became of the agreement since does not matter
     * @param initiator the endpoint reference that came with the offer
     * @param attempts to call that were begun before
     */
    record Notice(AgreementId agreement, boolean accepted, OfferDocument initiator, Instant decided, int attempts) {}

    /** Owes a first notice about an agreement; to be called inside the transaction that saves the decision. */
    void owe(Notice notice);

    /**
     * Takes notices that are due, the longest waiting first. Counts an attempt for each and puts it off, before anybody is
     * called: a courier that dies in the call leaves the notice to the next one, and two couriers never take the same.
     *
     * @param again when a notice that is neither settled nor put off by then is due again
     * @return as they were before, with their earlier attempts
     */
    List<Notice> take(Instant now, int limit, Instant again);

    /** Is to be tried again at another time; one that is not there is passed over. */
    void putOff(AgreementId agreement, Instant due);

    /** All of them are due now: for the start of a server, when whoever took them before is gone. */
    void resume(Instant now);

    /** The initiator knows, or never will. One that is not there is passed over. */
    void settled(AgreementId agreement);
}
