package org.metasched.fakes;

import org.junit.jupiter.api.Nested;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.StoreTransactions;
import org.metasched.outbox.Outbox;

/** The fakes keep the rules of the real ones; their journal is the product's {@code InMemoryJournal}. */
class InMemoryBooksTest {

    @Nested
    class AsRepository extends AgreementRepositoryContract {
        @Override
        protected AgreementBooks books() {
            return new InMemoryBooks().books();
        }
    }

    @Nested
    class AsJournal extends ReservationJournalContract {
        @Override
        protected AgreementBooks books() {
            return new InMemoryBooks().books();
        }
    }

    @Nested
    class AsNegotiationBook extends NegotiationBookContract {
        private final InMemoryBooks books = new InMemoryBooks();

        @Override
        protected NegotiationBook book() {
            return books;
        }
    }

    @Nested
    class AsOutbox extends OutboxContract {
        private final InMemoryBooks books = new InMemoryBooks();

        @Override
        protected Outbox outbox() {
            return books;
        }

        @Override
        protected StoreTransactions transactions() {
            return books;
        }
    }
}
