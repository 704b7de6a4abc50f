package org.metasched.agreement;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Durable record of the events of agreements and of refused offers. Thread-safe. */
public interface AgreementHistory {

    /** Adds to the history of an existing agreement; the history is deleted with the agreement. */
    void record(AgreementId id, List<AgreementEvent> events);

    /** The events of an agreement, the oldest first, at most {@value AgreementEvent#MOST}; none for an unknown id. */
    List<AgreementEvent> history(AgreementId id);

    /**
     * An event with its place among those of all agreements.
     *
     * @param number higher than that of any earlier event, on all servers together
     */
    record NumberedEvent(long number, AgreementId agreement, AgreementEvent event) {}

    /**
     * The next events after a number, {@code limit} at most. An event is left out as long as one with a lower number may still be
     * committed. So a reader that continues after the last number misses none.
     */
    List<NumberedEvent> after(long number, int limit);

    /** The next events of one agreement after a number; complete, as the transactions of one agreement follow each other. */
    List<NumberedEvent> of(AgreementId id, long after, int limit);

    /** The number of the newest event; 0 if there is none. */
    long newest();

    /** Stores a refused offer under a new number, ignoring its own. Deletes those of more than a week before, and the oldest of very many. */
    void refuse(RefusedOffer refused);

    /**
     * A page of the offers that were refused in the last week, the newest first.
     *
     * @param now the instant at which the week ends
     * @param before the number of the last offer of the page before; empty for the first page
     */
    List<RefusedOffer> refused(Instant now, Optional<Long> before, int limit);
}
