package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.agreement.AgreementBooks;
import org.metasched.fakes.AgreementRepositoryContract;
import org.metasched.fakes.TestGrid;
import org.metasched.fakes.UnusedPort;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchLeasesContract;

/** Servers behind pgbouncer in transaction mode: transactions of one connection run in any session of PostgreSQL, of which there are few. */
@Tag("full")
class PoolerTest {

    /** Sessions of PostgreSQL for all servers. */
    private static final int SESSIONS = 3;

    private static EmbeddedPostgres postgres;
    private static Process pooler;
    private static String url;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(isInstalled(), "There is no pgbouncer here, so no server works through a pooler.");
        postgres = EmbeddedPostgres.builder().start();
        int port = UnusedPort.next();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var settings =
                Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                postgres = host=localhost port=%d user=postgres connect_query='SET idle_in_transaction_session_timeout = ''8s''; SET lock_timeout = ''8s'''
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                ignore_startup_parameters = extra_float_digits
                """.formatted(postgres.getPort(), port, SESSIONS));
        var command = new ArrayList<>(List.of("pgbouncer", settings.toString()));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(1, List.of("-u", "nobody"));
        }
        pooler = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&prepareThreshold=0";
        await().atMost(Duration.ofSeconds(20)).until(PoolerTest::answers);
        open().close(); // makes the tables
    }

    private static boolean isInstalled() throws InterruptedException {
        try {
            return new ProcessBuilder("pgbouncer", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean answers() {
        try (var connection = DriverManager.getConnection(url)) {
            return connection.isValid(5);
        } catch (SQLException e) {
            return false;
        }
    }

    @AfterAll
    static void stop() throws IOException {
        if (pooler != null) {
            pooler.destroy();
        }
        if (postgres != null) {
            postgres.close();
        }
    }

    private static Database open() {
        return Database.open(new DatabaseSettings(url, "", "", 8));
    }

    @BeforeEach
    void empty() throws SQLException {
        try (var connection = DriverManager.getConnection(url);
                var statement = connection.createStatement()) {
            statement.execute(
                    "TRUNCATE agreement, agreement_poll, agreement_event, reservation_journal, reservation_change, outbox, claim, ad, offer_turn");
        }
    }

    @Test
    void aServerThatFailsIsTakenOverAndItsAgreementIsThere() throws Exception {
        var failing = open();
        try (var other = open();
                var grid = new TestGrid().site("fzj", 8).site("scai", 8).books(failing.books())) {
            var offers = grid.start().service;
            var made = offers.offer(grid.offer("o1", 2, "fzj", "scai"));
            assertThat(made.<Boolean, RuntimeException>fold(created -> true, refused -> false))
                    .isTrue();
            long epoch = failing.node().epoch();

            failing.pool.close();

            await().atMost(Duration.ofSeconds(15)).until(() -> nodes(other, epoch) == 0);
            assertThat(other.node().hasSeenLeave()).isTrue();
            assertThat(other.figures().living()).isEqualTo(1);
        } finally {
            failing.close();
        }
    }

    private static long nodes(Database database, long epoch) {
        return database.first("SELECT COUNT(*) FROM node WHERE epoch = ?", row -> row.getLong(1), epoch)
                .orElseThrow();
    }

    @Nested
    class AsRepository extends AgreementRepositoryContract {

        private final Database database = open();

        @AfterEach
        void end() {
            database.close();
        }

        @Override
        protected AgreementBooks books() {
            return database.books();
        }
    }

    @Nested
    class AsLeases extends MatchLeasesContract {

        private final Database database = open();

        @AfterEach
        void end() {
            database.close();
        }

        @Override
        protected LeaseStore store(Clock clock, HolderEvidence evidence) {
            return database.leases(clock, evidence);
        }
    }

    @Nested
    class AsOneOfTwo extends NodesContract {
        @Override
        Database open() {
            return PoolerTest.open();
        }
    }
}
