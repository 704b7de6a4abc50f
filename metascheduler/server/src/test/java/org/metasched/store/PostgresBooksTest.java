package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.AgreementService.Books;
import org.metasched.agreement.Transactions;
import org.metasched.fakes.AgreementRepositoryContract;
import org.metasched.fakes.OutboxContract;
import org.metasched.fakes.ReservationJournalContract;
import org.metasched.negotiation.StoreUnavailableException;
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
            statement.execute("TRUNCATE agreement, agreement_event, reservation_journal, outbox, claim");
        }
    }

    @Test
    void aSecondServerIsKeptOffUntilTheFirstIsGone() throws Exception {
        try (var other = postgres.getPostgresDatabase().getConnection();
                var statement = other.createStatement()) {
            statement.execute("CREATE DATABASE contested");
        }
        var settings = new DatabaseSettings(postgres.getJdbcUrl("postgres", "contested"), "", "", 2);
        var first = Database.open(settings);

        assertThatThrownBy(() -> Database.open(settings))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("another metasched server works on it")
                .hasMessageContaining("Maybe a server that you thought was stopped still runs");
        assertThat(first.answers()).isTrue();
        first.close();

        Database.open(settings).close();
    }

    @Test
    void aServerWhoseSessionBrokeTakesTheLockAgain() throws Exception {
        try (var other = postgres.getPostgresDatabase().getConnection();
                var statement = other.createStatement()) {
            statement.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'");
        }

        assertThat(database.answers()).isTrue();
        assertThatThrownBy(() ->
                        Database.open(new DatabaseSettings(postgres.getJdbcUrl("postgres", "postgres"), "", "", 4)))
                .hasMessageContaining("another metasched server works on it");
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
}
