package org.metasched.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.metasched.agreement.AgreementService.Books;
import org.metasched.fakes.AgreementRepositoryContract;
import org.metasched.fakes.ReservationJournalContract;

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

    private static void empty() throws SQLException {
        try (var connection = postgres.getPostgresDatabase().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("TRUNCATE agreement, reservation_journal");
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
        @BeforeEach
        void begin() throws SQLException {
            empty();
        }

        @Override
        protected Books books() {
            return database.books();
        }
    }
}
