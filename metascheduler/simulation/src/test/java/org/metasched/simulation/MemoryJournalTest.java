package org.metasched.simulation;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.AgreementService.Books;
import org.metasched.fakes.InMemoryBooks;
import org.metasched.fakes.ReservationJournalContract;

class MemoryJournalTest extends ReservationJournalContract {

    @Override
    protected Books books() {
        var others = new InMemoryBooks();
        return new Books(others, new MemoryJournal(), others);
    }

    @Override
    @Test
    @Disabled("A run keeps no agreements beside its journal, so there are no transactions over both.")
    protected void changesInOneTransactionHappenTogetherOrNotAtAll() {}
}
