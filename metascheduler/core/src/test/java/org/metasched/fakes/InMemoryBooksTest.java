package org.metasched.fakes;

import org.junit.jupiter.api.Nested;
import org.metasched.agreement.AgreementService.Books;
import org.metasched.agreement.Transactions;
import org.metasched.negotiation.InMemoryJournal;
import org.metasched.outbox.Outbox;

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
    class AsJournalOfItsOwn extends ReservationJournalContract {
        @Override
        protected Books books() {
            var others = new InMemoryBooks();
            return new Books(others, new InMemoryJournal(), others);
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
        protected Transactions transactions() {
            return books;
        }
    }
}
