package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.AgreementService.Books;
import org.metasched.agreement.AgreementState;
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

    /** Among 20,000 agreements that have ended, those that matter are found by an index, whatever is asked. */
    @Test
    void noQuestionReadsAllAgreements() throws SQLException {
        empty();
        var repository = database.books().repository();
        var now = Instant.now();
        var living =
                repository.save(AgreementRepositoryContract.observed("ag-1", AgreementRepositoryContract.offer("1")));
        execute(
                "INSERT INTO agreement SELECT 'ended-' || n, version, 'COMPLETE', 'digest-' || n, created - n * INTERVAL '1 minute', now(), document,"
                        + " acceptance, content, NULL, owner, initiator, node_hours, NULL FROM agreement, generate_series(1, 20000) n");
        execute("INSERT INTO agreement SELECT 'living-' || n, version, state, 'd-' || n, created, now(), document,"
                + " acceptance, content, NULL, owner, initiator, node_hours, now() FROM agreement, generate_series(1, 100) n"
                + " WHERE id = 'ag-1'");
        execute("VACUUM ANALYZE agreement");
        long before = number("seq_scan");
        long indexed = number("idx_scan");

        repository.takeDue(now, now.plusSeconds(60), 50);
        repository.lookAt(Map.of(living.id(), now), now.plusSeconds(60));
        repository.takeOver(EnumSet.of(AgreementState.PENDING), 10);
        repository.inState(EnumSet.of(AgreementState.OBSERVED), 10);
        repository.held(EnumSet.of(AgreementState.OBSERVED));
        repository.newest(EnumSet.allOf(AgreementState.class), Optional.of(living.id()), 10);
        repository.find(living.id());
        repository.findByOffer(living.offer().key());
        repository.forgetFinal(now.minusSeconds(86_400), now);

        Awaitility.await().until(() -> number("idx_scan") >= indexed + 9);
        assertThat(number("seq_scan")).as("whole scans of the table").isEqualTo(before);
    }

    private static void execute(String sql) throws SQLException {
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
            // Counts its scans before it answers.
            statement.execute("SELECT pg_stat_force_next_flush()");
        }
    }

    private static long number(String column) throws SQLException {
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT " + column + " FROM pg_stat_user_tables WHERE relname = 'agreement'")) {
            row.next();
            return row.getLong(1);
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
