package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Servers fail before the failure of others is known, and new ones begin meanwhile: a failed one is declared gone within the time that the
 * documents state, as long as one server is there. Its end is that of its connections, without a word to the others.
 */
@Tag("full")
class OverlappingTakeoversTest {

    private static final int GROUPS = 13;
    private static final int FAILURES = 8;
    private static final int SERVERS = 3;
    private static final Duration BOUND = Duration.ofSeconds(15);

    @Test
    void aHundredServersThatFailTogetherAreEachTakenOverInTime() throws Exception {
        long seed = Long.getLong("metasched.seed", System.nanoTime());
        var threads = Executors.newFixedThreadPool(GROUPS);
        try (var postgres = EmbeddedPostgres.builder()
                .setServerConfig("max_connections", "300")
                .start()) {
            var groups = new ArrayList<Callable<List<Duration>>>();
            for (int group = 0; group < GROUPS; group++) {
                String name = "takeovers" + group;
                var random = new Random(seed + group);
                try (var connection = postgres.getPostgresDatabase().getConnection();
                        var statement = connection.createStatement()) {
                    statement.execute("CREATE DATABASE " + name);
                }
                groups.add(() -> new Group(postgres, name, random).takeovers());
            }
            var all = new ArrayList<Duration>();
            for (var group : threads.invokeAll(groups)) {
                all.addAll(group.get());
            }
            all.sort(null);
            System.out.printf(
                    "%d overlapping failures, seed %d: taken over after %s, median %s, %s%n",
                    all.size(), seed, all.get(0), all.get(all.size() / 2), all.get(all.size() - 1));
            assertThat(all).hasSize(GROUPS * FAILURES).allMatch(one -> one.compareTo(BOUND) <= 0);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The servers of one database. */
    private static final class Group {

        private final EmbeddedPostgres postgres;
        private final DatabaseSettings settings;
        private final String name;
        private final Random random;
        private final ArrayDeque<Database> living = new ArrayDeque<>();
        /** By their epochs when those failed that have a row still. */
        private final Map<Long, Long> failed = new HashMap<>();

        private final List<Database> opened = new ArrayList<>();

        private final List<Duration> takeovers = new ArrayList<>();

        Group(EmbeddedPostgres postgres, String name, Random random) {
            this.postgres = postgres;
            this.settings = new DatabaseSettings(postgres.getJdbcUrl("postgres", name), "", "", 2);
            this.name = name;
            this.random = random;
        }

        List<Duration> takeovers() throws SQLException {
            for (int i = 0; i < SERVERS; i++) {
                begin();
            }
            try (var watched = postgres.getDatabase("postgres", name).getConnection()) {
                for (int i = 0; i < FAILURES; i++) {
                    fail(living.removeFirst());
                    watch(watched, random.nextInt(4_000));
                    begin();
                    watch(watched, random.nextInt(2_000));
                }
                while (!failed.isEmpty()) {
                    watch(watched, 100);
                }
            }
            // Those that failed too: their hearts would beat on.
            opened.forEach(Database::close);
            return takeovers;
        }

        private void begin() {
            var server = Database.open(settings);
            opened.add(server);
            living.add(server);
        }

        private void fail(Database server) {
            failed.put(server.node().epoch(), System.nanoTime());
            server.pool.close();
        }

        /** Looks who is gone, for so many milliseconds. */
        private void watch(Connection connection, int milliseconds) throws SQLException {
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
            do {
                var there = new ArrayList<Long>();
                try (var statement = connection.createStatement();
                        var rows = statement.executeQuery("SELECT epoch FROM node")) {
                    while (rows.next()) {
                        there.add(rows.getLong(1));
                    }
                }
                long now = System.nanoTime();
                failed.entrySet().removeIf(one -> {
                    boolean gone = !there.contains(one.getKey());
                    if (gone) {
                        takeovers.add(Duration.ofNanos(now - one.getValue()));
                    }
                    return gone;
                });
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            } while (System.nanoTime() < until);
        }
    }
}
