package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.h2.api.Trigger;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.SettableClock;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementBooks;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementHistory.NumberedEvent;
import org.metasched.agreement.NegotiationBook;
import org.metasched.agreement.StoreTransactions;
import org.metasched.classad.ClassAd;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.NothingKept;
import org.metasched.fakes.AgreementRepositoryContract;
import org.metasched.fakes.NegotiationBookContract;
import org.metasched.fakes.OutboxContract;
import org.metasched.fakes.ReservationJournalContract;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchLeasesContract;
import org.metasched.negotiation.ReservationJournal.Intent;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.outbox.Outbox;

class H2BooksTest {

    /** Bytes. */
    private static final long LONGEST = 22 << 20;

    private static Database memory() {
        return Database.open(new DatabaseSettings("jdbc:h2:mem:" + UUID.randomUUID(), "", "", 4));
    }

    @Nested
    class AsRepository extends AgreementRepositoryContract {
        private final Database database = memory();

        @Override
        protected AgreementBooks books() {
            return database.books();
        }

        /** A watcher that goes on after the later event would miss the earlier one. */
        @Test
        void anEventIsToldOnlyWhenNoneBeforeItCanStillCome() throws Exception {
            var books = books();
            var one = books.agreements().save(observed("a1", offer("1"))).id();
            var other = books.agreements().save(observed("a2", offer("2"))).id();
            var event = new AgreementEvent(Instant.now(), AgreementEvent.Kind.STATE, "Pending to Observed");
            books.history().record(one, List.of(event));
            var recorded = new CountDownLatch(1);
            var seen = new CountDownLatch(1);
            var slow = CompletableFuture.runAsync(() -> books.transactions().inTransaction(() -> {
                books.history().record(one, List.of(event));
                recorded.countDown();
                await(seen);
            }));
            await(recorded);
            books.history().record(other, List.of(event));

            assertThat(books.history().after(0, 10)).hasSize(1);
            seen.countDown();
            slow.get();
            assertThat(books.history().after(0, 10))
                    .extracting(NumberedEvent::agreement)
                    .containsExactly(one, one, other);
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @AfterEach
        void close() {
            database.close();
        }
    }

    @Test
    void theLimitOfTheLookWhetherItAnswersIsNotThatOfTheNextUserOfTheConnection() throws SQLException {
        try (var database = Database.open(new DatabaseSettings("jdbc:h2:mem:" + UUID.randomUUID(), "", "", 2))) {
            assertThat(database.node().answers()).isTrue();

            int limit = database.execute(connection -> {
                try (var statement = connection.createStatement()) {
                    return statement.getQueryTimeout();
                }
            });

            assertThat(limit).isZero();
        }
    }

    @Test
    void aPageOfAListIsARangeOfAnIndex() throws SQLException {
        try (var database = memory()) {
            var plan = database.execute(connection -> {
                try (var statement = connection.createStatement();
                        var row = statement.executeQuery(
                                "EXPLAIN SELECT id FROM agreement WHERE state = 'TERMINATED' AND created <="
                                        + " CURRENT_TIMESTAMP ORDER BY state, created DESC, id FETCH FIRST 50 ROWS ONLY")) {
                    row.next();
                    return row.getString(1);
                }
            });

            assertThat(plan).contains("AGREEMENT_NEWEST_OF_STATE").contains("index sorted");
        }
    }

    @Nested
    class AsLeases extends MatchLeasesContract {
        private final Database database = memory();

        @Override
        protected LeaseStore store(Clock clock, HolderEvidence evidence) {
            return database.leases(clock, evidence);
        }

        @AfterEach
        void close() {
            database.close();
        }
    }

    @Nested
    class AsJournal extends ReservationJournalContract {
        private final Database database = memory();

        @Override
        protected void begunByAnother() {
            database.node().leave();
        }

        @Override
        protected AgreementBooks books() {
            return database.books();
        }

        @AfterEach
        void close() {
            database.close();
        }
    }

    @Nested
    class AsNegotiationBook extends NegotiationBookContract {
        private final Database database = memory();

        @Override
        protected NegotiationBook book() {
            return database.books().negotiations();
        }

        @AfterEach
        void close() {
            database.close();
        }
    }

    @Nested
    class AsOutbox extends OutboxContract {
        private final Database database = memory();

        @Override
        protected Outbox outbox() {
            return database.outbox();
        }

        @Override
        protected StoreTransactions transactions() {
            return database;
        }

        @AfterEach
        void close() {
            database.close();
        }
    }

    @Test
    void aServerThatIsToldToEndClosesTheDatabaseItself() {
        assertThat(new DatabaseSettings("jdbc:h2:file:/x/db", "", "", 2).durableUrl())
                .isEqualTo(
                        "jdbc:h2:async:/x/db;WRITE_DELAY=2147483647;DB_CLOSE_ON_EXIT=FALSE;QUERY_CACHE_SIZE=100;RETENTION_TIME=10000;TRACE_LEVEL_FILE=0");
        assertThat(new DatabaseSettings("jdbc:h2:file:/x/db;Write_Delay=5", "", "", 2).durableUrl())
                .isEqualTo(
                        "jdbc:h2:async:/x/db;Write_Delay=5;DB_CLOSE_ON_EXIT=FALSE;QUERY_CACHE_SIZE=100;RETENTION_TIME=10000;TRACE_LEVEL_FILE=0");
    }

    @Test
    void aFileIsMigratedOnceAndKeepsItsContent(@TempDir Path folder) {
        var settings = new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db"), "", "", 2);

        Database.open(settings).close();

        try (var again = Database.open(settings)) {
            assertThat(again.node().answers()).isTrue();
            assertThat(again.books().journal().orphans(10)).isEmpty();
        }
    }

    @Test
    void adsAndStandingsOutliveTheServerWithTheirAge(@TempDir Path folder) throws Exception {
        var settings = new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db"), "", "", 2);
        var clock = new SettableClock(Instant.parse("2026-01-05T08:00:00Z"));
        try (var database = Database.open(settings);
                var ads = database.ads(clock)) {
            ads.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"m\"; ClassAdLifetime = 100 ]"));
            ads.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"short\"; ClassAdLifetime = 50 ]"));
            var accountant = new Accountant(Duration.ofDays(1), clock, database.accountant(new NothingKept()));
            accountant.setUsage("ann", 7);
            accountant.save();
        }
        clock.advance(Duration.ofSeconds(60));

        try (var database = Database.open(settings);
                var ads = database.ads(clock)) {
            assertThat(ads.snapshot()).singleElement().satisfies(ad -> {
                assertThat(ad.key().name()).isEqualTo("m");
                assertThat(ad.received()).isEqualTo(clock.instant().minusSeconds(60));
            });
            var accountant = new Accountant(Duration.ofDays(1), clock, database.accountant(new NothingKept()));
            assertThat(accountant.standing("ann").usage()).isGreaterThan(6);
        }
    }

    @Test
    void aDatabaseThatTakesNoWritesDoesNotAnswerAndOneThatCameBackDoes(@TempDir Path folder) throws Exception {
        var settings = new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db"), "", "", 2);
        try (var database = Database.open(settings)) {
            execute(database, "ALTER TABLE node RENAME TO gone");
            await().until(() -> !database.node().answers());
            execute(database, "ALTER TABLE gone RENAME TO node");

            // As after a write that found the disk full: the store is closed under its connections.
            assertThatThrownBy(() -> execute(database, "SHUTDOWN IMMEDIATELY")).isInstanceOf(SQLException.class);
            assertThat(Stream.generate(database.node()::answers).limit(3)).contains(true);
            await().ignoreExceptions()
                    .until(() -> database.books().journal().orphans(10).isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"emptied", "other bytes", "without head"})
    void aDamagedFileIsRefusedWithWhatToDoAndLeftAsItIs(String harm, @TempDir Path folder) throws Exception {
        var settings = new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db"), "", "", 2);
        Database.open(settings).close();
        Path file = folder.resolve("db.mv.db");
        byte[] sound = Files.readAllBytes(file);
        byte[] left = new byte[harm.equals("other bytes") ? sound.length : 0];
        if (harm.equals("without head")) {
            left = sound.clone();
            Arrays.fill(left, 0, 8_192, (byte) 0);
        }
        Files.write(file, left);

        assertThatThrownBy(() -> Database.open(settings))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("put a copy from before in its place");
        assertThat(Files.readAllBytes(file)).isEqualTo(left);
        Files.write(file, sound);
        Database.open(settings).close();
    }

    /** Each part of the file that is written at once keeps a row that lives, beside what is soon overwritten. */
    @Tag("full")
    @Test
    void theFileIsNotMuchLongerThanWhatLives(@TempDir Path folder) throws Exception {
        var settings = new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db") + ";RETENTION_TIME=100", "", "", 2);
        try (var database = Database.open(settings)) {
            write(database, 1_500, true);
            assertThat(Files.size(folder.resolve("db.mv.db"))).isLessThan(LONGEST);
        }
    }

    /** What was written bears a time to come then, and would stay until that has come. */
    @Test
    void theFileDoesNotGrowWhileTheClockIsSetBack(@TempDir Path folder) throws Exception {
        var settings = new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db") + ";RETENTION_TIME=100", "", "", 2);
        try (var database = Database.open(settings)) {
            try (var connection = database.pool.getConnection()) {
                var store = ((SessionLocal)
                                connection.unwrap(JdbcConnection.class).getSession())
                        .getDatabase()
                        .getStore()
                        .getMvStore();
                var last = MVStore.class.getDeclaredField("lastTimeAbsolute");
                last.setAccessible(true);
                last.setLong(
                        store, store.getTimeAbsolute() + Duration.ofMinutes(10).toMillis());
            }
            write(database, 1_500, false);
            assertThat(Files.size(folder.resolve("db.mv.db"))).isLessThan(LONGEST);
        }
    }

    private static void write(Database database, int rows, boolean areKept) throws SQLException {
        execute(database, "CREATE TABLE filling (id INT PRIMARY KEY, what VARCHAR)");
        for (int i = 0; i < rows; i++) {
            execute(database, "INSERT INTO filling VALUES (" + i * 7919 % rows + ", '" + i + "x".repeat(3_000) + "')");
            execute(database, "UPDATE ad_clock SET seq = seq + 1");
            if (!areKept) {
                execute(database, "DELETE FROM filling");
            }
            if (i % 50 == 0) {
                database.node().beat();
            }
        }
    }

    private static void execute(Database database, String sql) throws SQLException {
        try (var connection = database.pool.getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
            connection.commit();
            H2File.write(H2File.store(connection));
        }
    }

    @Test
    void aDatabaseOfVersion01IsRefusedWithWhatToDo(@TempDir Path folder) {
        var settings = new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db"), "", "", 2);
        Flyway.configure()
                .dataSource(settings.durableUrl(), "", "")
                .locations("classpath:db-0.1")
                .load()
                .migrate();

        assertThatThrownBy(() -> Database.open(settings))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("its schema is another one")
                .hasMessageContaining("Its tables were made by metasched 0.1")
                .hasMessageContaining("begin with an empty database");
    }

    /** A drain interrupts negotiations, which may be in the middle of a write. */
    @Test
    void threadsThatAreInterruptedDoNotCloseTheDatabaseForTheOthers(@TempDir Path folder) throws Exception {
        try (var database = Database.open(new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db"), "", "", 4))) {
            var journal = database.books().journal();
            var writer = new Thread(() -> {
                for (int i = 0; i < 300; i++) {
                    try {
                        journal.intend(List.of(new Intent(new RequestKey("k" + i), new SiteId("fzj"), Instant.EPOCH)));
                    } catch (StoreUnavailableException e) {
                        // Not to have been written is what may happen to an interrupted thread.
                    }
                }
            });

            writer.start();
            while (writer.isAlive()) {
                writer.interrupt();
                writer.join(1);
            }

            journal.intend(List.of(new Intent(new RequestKey("other"), new SiteId("fzj"), Instant.EPOCH)));
            assertThat(journal.find(List.of(new RequestKey("other")))).hasSize(1);
        }
    }

    /** A copy of the file is what a process that is killed leaves. */
    @Test
    void whatWasAcknowledgedToAWriterOrSeenByAReaderIsInTheFile(@TempDir Path folder) throws Exception {
        var file = folder.resolve("db.mv.db");
        Set<String> told = ConcurrentHashMap.newKeySet();
        var counts = new ArrayList<Integer>();
        try (var database = Database.open(new DatabaseSettings("jdbc:h2:file:" + folder.resolve("db"), "", "", 10))) {
            var journal = database.books().journal();
            var writers = IntStream.range(0, 8)
                    .mapToObj(i -> new Thread(() -> {
                        for (int k = 0; k < 60; k++) {
                            journal.intend(List.of(
                                    new Intent(new RequestKey("k" + i + "-" + k), new SiteId("fzj"), Instant.EPOCH)));
                            told.add("k" + i + "-" + k);
                        }
                    }))
                    .toList();
            writers.forEach(Thread::start);
            while (writers.stream().anyMatch(Thread::isAlive) || counts.isEmpty()) {
                var seen = database.all("SELECT request_key FROM reservation_journal", row -> row.getString(1));
                seen.addAll(told);
                Files.copy(file, folder.resolve("copy.mv.db"), StandardCopyOption.REPLACE_EXISTING);
                assertThat(keysOf(folder.resolve("copy"))).containsAll(seen);
                counts.add(seen.size());
            }
            for (var writer : writers) {
                writer.join();
            }
            Files.copy(file, folder.resolve("copy.mv.db"), StandardCopyOption.REPLACE_EXISTING);
            assertThat(keysOf(folder.resolve("copy"))).hasSize(480).containsAll(told);
        }
    }

    private static List<String> keysOf(Path file) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:h2:file:" + file);
                var rows = connection.createStatement().executeQuery("SELECT request_key FROM reservation_journal")) {
            var keys = new ArrayList<String>();
            while (rows.next()) {
                keys.add(rows.getString(1));
            }
            return keys;
        }
    }

    @Test
    void aDatabaseThatIsNotThereIsNamedWithoutItsPassword() {
        var settings = new DatabaseSettings("jdbc:postgresql://127.0.0.1:1/none?password=secret", "u", "secret", 2);

        assertThatThrownBy(() -> Database.open(settings))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1:1")
                .hasMessageContaining("Maybe it is not running")
                .hasMessageNotContaining("secret");
    }

    @Test
    void h2IsNotSharedOverANetwork() {
        for (var url : List.of("jdbc:h2:tcp://db/x", "jdbc:h2:file:/tmp/x;AUTO_SERVER=TRUE")) {
            assertThatThrownBy(() -> new DatabaseSettings(url, "", "", 2))
                    .hasMessageContaining("Maybe PostgreSQL is what you want");
        }
    }

    @Test
    void anotherKindOfDatabaseIsRefused() {
        assertThatThrownBy(() -> new DatabaseSettings("jdbc:mysql://x/y", "", "", 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("jdbc:h2:");
    }

    /** As a statement fails whose part of the file is removed while it reads, when the file is made smaller. */
    @Test
    void aTransactionRunsAgainWhoseDataWasRemovedWhileItRead() {
        try (var database = memory()) {
            var runs = new AtomicInteger();

            String result = database.execute(connection -> {
                if (runs.incrementAndGet() < 3) {
                    throw DbException.toSQLException(
                            DataUtils.newMVStoreException(DataUtils.ERROR_CHUNK_NOT_FOUND, "Chunk {0} not found", 7));
                }
                return "read";
            });

            assertThat(result).isEqualTo("read");
            assertThat(runs).hasValue(3);
        }
    }

    @Test
    void aTransactionThatIsCommittedDoesNotRunAgainWhenItsWriteFails() {
        try (var database = memory()) {
            var runs = new AtomicInteger();
            assertThatThrownBy(() -> database.execute(connection -> {
                        int unused = runs.incrementAndGet();
                        throw H2File.notWritten(DataUtils.newMVStoreException(
                                DataUtils.ERROR_CHUNK_NOT_FOUND, "Chunk {0} not found", 7));
                    }))
                    .isInstanceOf(StoreUnavailableException.class);

            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void whatHasEndedIsForgottenInSmallTransactions() {
        try (var database = memory()) {
            var books = database.books();
            books.agreements()
                    .save(AgreementRepositoryContract.observed("ag-1", AgreementRepositoryContract.offer("1")));
            database.update(
                    "INSERT INTO agreement (id, version, state, offer_digest, created, changed, document, content)"
                            + " SELECT 'ended-' || n.x, version, 'COMPLETE', 'd-' || n.x, created, changed, '', ''"
                            + " FROM agreement, SYSTEM_RANGE(1, 4321) n(x)");
            database.update("CREATE TRIGGER t AFTER DELETE ON agreement FOR EACH ROW CALL '"
                    + NotedDeletions.class.getName() + "'");

            assertThat(books.retention().forgetFinal(Instant.now().plusSeconds(60), Instant.now()))
                    .isEqualTo(4321);

            assertThat(NotedDeletions.ROWS.values())
                    .hasSizeGreaterThan(1)
                    .allMatch(rows -> rows <= JdbcAgreementRetention.MOST_AT_ONCE);
        }
    }

    /** Counts the deleted rows of each transaction. */
    public static final class NotedDeletions implements Trigger {
        static final Map<String, Integer> ROWS = new ConcurrentHashMap<>();

        @Override
        public void fire(Connection connection, Object[] before, Object[] after) throws SQLException {
            try (var statement = connection.createStatement();
                    var row = statement.executeQuery("SELECT TRANSACTION_ID()")) {
                row.next();
                ROWS.merge(String.valueOf(row.getString(1)), 1, Integer::sum);
            }
        }
    }
}
