package org.metasched.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.metasched.agreement.AgreementService.Books;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.Transactions;
import org.metasched.fakes.AgreementRepositoryContract;
import org.metasched.fakes.NegotiationBookContract;
import org.metasched.fakes.OutboxContract;
import org.metasched.fakes.ReservationJournalContract;
import org.metasched.outbox.Outbox;
import org.metasched.publisher.Claims;
import org.metasched.publisher.Evidence;

/** The same rules and the same SQL on a real PostgreSQL, which the test brings with it. */
class PostgresBooksTest {

    private static EmbeddedPostgres postgres;
    private static Database database;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
        database = Database.open(new DatabaseSettings(postgres.getJdbcUrl("postgres", "postgres"), "", "", 4));
    }

    @AfterAll
    static void stop() throws IOException {
        database.close();
        postgres.close();
    }

    @Nested
    class AsClaims extends ClaimsContract {
        @BeforeEach
        void begin() throws SQLException {
            empty();
        }

        @Override
        protected Claims claims(Clock clock, Evidence evidence) {
            return new JdbcClaims(database, clock, evidence);
        }
    }

    private static void empty() throws SQLException {
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "TRUNCATE agreement, agreement_event, reservation_journal, outbox, claim, ad, offer_turn, chore, negotiation, negotiation_offer, offer_hold, seen_proof");
        }
    }

    @Nested
    class AsRepository extends AgreementRepositoryContract {
        @BeforeEach
        void begin() throws SQLException {
            empty();
        }

        @Override
        protected Books books() {
            return database.books();
        }
    }

    @Nested
    class AsJournal extends ReservationJournalContract {
        @Override
        protected void begunByAnother() {
            database.node().leave();
            database.node().beat();
        }

        @BeforeEach
        void begin() throws SQLException {
            empty();
        }

        @Override
        protected Books books() {
            return database.books();
        }
    }

    @Nested
    class AsNegotiationBook extends NegotiationBookContract {
        @BeforeEach
        void begin() throws SQLException {
            empty();
        }

        @Override
        protected NegotiationBook book() {
            return database.books().negotiations();
        }
    }

    @Nested
    class AsOutbox extends OutboxContract {
        @BeforeEach
        void begin() throws SQLException {
            empty();
        }

        @Override
        protected Outbox outbox() {
            return database.outbox();
        }

        @Override
        protected Transactions transactions() {
            return database;
        }
    }

    /** Two servers, each with its own pool, on a database of their own. */
    @Nested
    class AsOneOfTwo extends NodesContract {
        @BeforeEach
        void begin() throws SQLException {
            empty();
        }

        @Override
        Database open() {
            return Database.open(new DatabaseSettings(postgres.getJdbcUrl("postgres", "postgres"), "", "", 4));
        }
    }
}
