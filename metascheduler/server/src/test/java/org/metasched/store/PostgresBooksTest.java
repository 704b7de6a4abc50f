package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.StoreTransactions;
import org.metasched.fakes.AgreementRepositoryContract;
import org.metasched.fakes.NegotiationBookContract;
import org.metasched.fakes.OutboxContract;
import org.metasched.fakes.ReservationJournalContract;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchLeasesContract;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.outbox.Outbox;

/** The same rules and the same SQL on a real PostgreSQL, which the test brings with it. */
@Tag("full")
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
    class AsLeases extends MatchLeasesContract {
        @BeforeEach
        void begin() throws SQLException {
            empty();
        }

        @Override
        protected LeaseStore store(Clock clock, HolderEvidence evidence) {
            return database.leases(clock, evidence);
        }
    }

    @Test
    void aSignInTellsTheVersionOrWhyNot() {
        var right = new DatabaseSettings(postgres.getJdbcUrl("postgres", "postgres"), "", "", 2);
        assertThat(right.signIn())
                .hasValueSatisfying(version -> assertThat(version).startsWith("PostgreSQL 1"));
        var wrong = new DatabaseSettings(postgres.getJdbcUrl("postgres", "no_such") + "&password=geheim", "", "", 2);
        assertThatThrownBy(wrong::signIn)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("no_such")
                .hasMessageNotContaining("geheim");
        var noDriver = new DatabaseSettings("jdbc:postgresql://here:x/y?password=geheim", "", "", 2);
        assertThatThrownBy(noDriver::signIn).hasMessageNotContaining("geheim");
    }

    private static void empty() throws SQLException {
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute(
                    "TRUNCATE agreement, agreement_poll, agreement_event, reservation_journal, reservation_change, outbox, claim, ad, offer_turn, negotiation, negotiation_offer, offer_hold, seen_proof");
        }
    }

    @Nested
    class AsRepository extends AgreementRepositoryContract {
        @BeforeEach
        void begin() throws SQLException {
            empty();
        }

        @Override
        protected AgreementBooks books() {
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
        protected AgreementBooks books() {
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
        protected StoreTransactions transactions() {
            return database;
        }
    }

    /**
     * Among 20,000 agreements that have ended, those that matter are found by an index, whatever is asked. In a database of its own, whose
     * connections end before its scans are counted: an idle one tells late of what it has scanned.
     */
    /** The connection is new: an earlier user could have committed the limits. */
    @Test
    void theLimitsOfASessionOutliveATransactionThatFailed() throws SQLException {
        execute("postgres", "CREATE DATABASE limits");
        var settings = new DatabaseSettings(postgres.getJdbcUrl("postgres", "limits"), "", "", 2);
        try (var own = Database.open(settings)) {
            own.pool.getHikariPoolMXBean().softEvictConnections();
            try (var connection = own.pool.getConnection()) {
                connection.rollback();
                assertThat(limit(connection, "lock_timeout")).isEqualTo("8s");
                assertThat(limit(connection, "idle_in_transaction_session_timeout"))
                        .isEqualTo("8s");
            }
        }
    }

    private static String limit(Connection connection, String name) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SHOW " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void noQuestionReadsAllAgreements() throws SQLException {
        execute("postgres", "CREATE DATABASE scans");
        var settings = new DatabaseSettings(postgres.getJdbcUrl("postgres", "scans"), "", "", 2);
        var now = Instant.now();
        Agreement living;
        try (var own = Database.open(settings)) {
            living = own.books()
                    .agreements()
                    .save(AgreementRepositoryContract.observed("ag-1", AgreementRepositoryContract.offer("1")));
        }
        execute(
                "scans",
                "INSERT INTO agreement SELECT 'ended-' || n, version, 'COMPLETE', 'digest-' || n, created - n * INTERVAL '1 minute', now(), document,"
                        + " acceptance, content, NULL, owner, initiator, node_hours FROM agreement, generate_series(1, 20000) n");
        execute(
                "scans",
                "INSERT INTO agreement SELECT 'living-' || n, version, state, 'd-' || n, created, now(), document,"
                        + " acceptance, content, NULL, owner, initiator, node_hours FROM agreement, generate_series(1, 100) n"
                        + " WHERE id = 'ag-1'");
        execute(
                "scans",
                "INSERT INTO agreement_poll SELECT 'living-' || n, version, state, now() + n * INTERVAL '1 second'"
                        + " FROM agreement_poll, generate_series(1, 20000) n");
        execute("scans", "VACUUM ANALYZE agreement, agreement_poll");
        await(() -> number("scans", "(SELECT COUNT(*) FROM pg_stat_activity WHERE datname = 'scans') - 1") == 0);
        long before = number("scans", "SUM(seq_scan)");
        long indexed = number("scans", "SUM(idx_scan)");

        try (var own = Database.open(settings)) {
            var books = own.books();
            var repository = books.agreements();
            books.due().take(now, now.plusSeconds(60), 50);
            books.due().schedule(Map.of(living.id(), now), now.plusSeconds(60));
            repository.takeOver(EnumSet.of(AgreementState.PENDING), 10);
            repository.newest(EnumSet.of(AgreementState.OBSERVED), Optional.empty(), 10);
            repository.held(EnumSet.of(AgreementState.OBSERVED));
            repository.holding(living.slot().orElseThrow(), 10);
            repository.newest(EnumSet.allOf(AgreementState.class), Optional.of(living.id()), 10);
            repository.find(living.id());
            repository.findByOffer(living.offer().key());
            books.retention().forgetFinal(now.minusSeconds(86_400), now);
        }

        await(() -> number("scans", "(SELECT COUNT(*) FROM pg_stat_activity WHERE datname = 'scans') - 1") == 0);
        assertThat(number("scans", "SUM(idx_scan)")).isGreaterThanOrEqualTo(indexed + 10);
        assertThat(number("scans", "SUM(seq_scan)"))
                .as("whole scans of the tables")
                .isEqualTo(before);
    }

    @Test
    void whatHasEndedIsForgottenInSmallTransactions() throws SQLException {
        execute("postgres", "CREATE DATABASE ended");
        try (var own = Database.open(new DatabaseSettings(postgres.getJdbcUrl("postgres", "ended"), "", "", 2))) {
            var books = own.books();
            books.agreements()
                    .save(AgreementRepositoryContract.observed("ag-1", AgreementRepositoryContract.offer("1")));
            execute("ended", "CREATE TABLE deletion (tx BIGINT)");
            execute(
                    "ended",
                    "CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS"
                            + " 'BEGIN INSERT INTO deletion VALUES (txid_current()); RETURN NULL; END'");
            execute("ended", "CREATE TRIGGER t AFTER DELETE ON agreement FOR EACH ROW EXECUTE FUNCTION noted()");
            execute(
                    "ended",
                    "INSERT INTO agreement (id, version, state, offer_digest, created, changed, document, content)"
                            + " SELECT 'ended-' || n, version, 'COMPLETE', 'd-' || n, created, changed, '', ''"
                            + " FROM agreement, generate_series(1, 12345) n");

            assertThat(books.retention().forgetFinal(Instant.now().plusSeconds(60), Instant.now()))
                    .isEqualTo(12_345);

            assertThat(own.all("SELECT COUNT(*) FROM deletion GROUP BY tx", row -> row.getInt(1)))
                    .hasSizeGreaterThan(1)
                    .allMatch(rows -> rows <= JdbcAgreementRetention.MOST_AT_ONCE);
        }
    }

    /** All that were taken together have one time until then, which the planner knows nothing of. */
    @Test
    void aTimeIsPutBackWithoutReadingAllThatWereTakenTogether() throws SQLException {
        execute("postgres", "CREATE DATABASE times");
        var settings = new DatabaseSettings(postgres.getJdbcUrl("postgres", "times"), "", "", 2);
        var now = Instant.now();
        try (var own = Database.open(settings)) {
            own.books()
                    .agreements()
                    .save(AgreementRepositoryContract.observed("ag-1", AgreementRepositoryContract.offer("1")));
        }
        execute(
                "times",
                "INSERT INTO agreement_poll SELECT 'living-' || n, version, state, now() - INTERVAL '1 minute' * n FROM agreement_poll,"
                        + " generate_series(1, 1000) n");
        execute("times", "VACUUM ANALYZE agreement_poll");

        try (var own = Database.open(settings)) {
            var again = now.plusSeconds(60).truncatedTo(ChronoUnit.SECONDS);
            own.books().due().take(now, again, 1_001);
            own.books()
                    .due()
                    .schedule(
                            IntStream.rangeClosed(1, 1_000)
                                    .boxed()
                                    .collect(Collectors.toMap(
                                            n -> new AgreementId("living-" + n), n -> again.plusSeconds(n % 100))),
                            again);
        }

        await(() -> number("times", "(SELECT COUNT(*) FROM pg_stat_activity WHERE datname = 'times') - 1") == 0);
        assertThat(number(
                        "times",
                        "(SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'agreement_poll_due')"))
                .as("entries of the index of times that were read")
                .isBetween(1_000L, 10_000L);
        assertThat(number("times", "(SELECT COUNT(DISTINCT due) FROM agreement_poll)"))
                .isEqualTo(100);
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).until(condition);
    }

    private static void execute(String name, String sql) throws SQLException {
        try (var connection = postgres.getDatabase("postgres", name).getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(String name, String what) throws SQLException {
        try (var connection = postgres.getDatabase("postgres", name).getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT " + what + " FROM pg_stat_user_tables"
                        + " WHERE relname IN ('agreement', 'agreement_poll')")) {
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
