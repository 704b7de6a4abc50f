package org.metasched.agreement;

import org.metasched.negotiation.ReservationJournal;

/** The stores of agreements and of all that is saved with them in one transaction. */
public record AgreementBooks(
        AgreementRepository agreements,
        OfferLockTable offerLocks,
        DueQueue due,
        AgreementHistory history,
        AgreementRetention retention,
        NegotiationBook negotiations,
        ReservationJournal journal,
        StoreTransactions transactions) {}
