package org.metasched.agreement;

import java.util.List;
import java.util.Optional;

/** The events of agreements, and the offers that were refused, durably. Thread-safe. */
public interface AgreementHistory {

    /** Adds to the history of an agreement that is there; it is forgotten with it. */
    void record(AgreementId id, List<AgreementEvent> events);

    /** In the order in which they were recorded, the first {@value AgreementEvent#MOST}. */
    List<AgreementEvent> history(AgreementId id);

    /** Remembers a refused offer, whatever its number says: for a week, and of very many the newest ones only. */
    void refuse(RefusedOffer refused);

    /**
     * A page of the refused offers, the newest first.
     *
     * @param before the number of the last one of the page before; nothing for the first page
     */
    List<RefusedOffer> refused(Optional<Long> before, int limit);
}
