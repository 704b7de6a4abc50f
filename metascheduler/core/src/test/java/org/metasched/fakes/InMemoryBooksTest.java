package org.metasched.fakes;

import org.junit.jupiter.api.Nested;
import org.metasched.agreement.AgreementService.Books;

/** The fakes keep the rules of the real ones. */
class InMemoryBooksTest {

    @Nested
    class AsRepository extends AgreementRepositoryContract {
        @Override
        protected Books books() {
            return new InMemoryBooks().books();
        }
    }

    @Nested
    class AsJournal extends ReservationJournalContract {
        @Override
        protected Books books() {
            return new InMemoryBooks().books();
        }
    }

    @Nested
    class AsOutbox extends DecisionOutboxContract {
        @Override
        protected Books books() {
            return new InMemoryBooks().books();
        }
    }
}
