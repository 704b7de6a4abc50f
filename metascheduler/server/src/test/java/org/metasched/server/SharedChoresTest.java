package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.outbox.Outbox;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;
import org.metasched.store.Database;
import org.metasched.store.Database.Figures;
import org.metasched.store.DatabaseSettings;

/** Chores that servers on one PostgreSQL share.  */
@Tag("full")
class SharedChoresTest {

    private static final Duration WRONG = Duration.ofHours(1);
    /** Twice what another server takes to notice, and some more for a busy machine. */
    private static final Duration TAKEOVER = Duration.ofSeconds(40);

    private final List<Server> servers = new ArrayList<>();
    private final Queue<String> done = new ConcurrentLinkedQueue<>();
    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void startPostgres() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
    }

    @AfterEach
    void stop() {
        servers.forEach(Server::close);
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        postgres.close();
    }

    private final class Server implements AutoCloseable {
        final Database database =
                Database.open(new DatabaseSettings(postgres.getJdbcUrl("postgres", "postgres"), "", "", 4));
        final ScheduledTasks chores =
                new ScheduledTasks(database, database.node().clock(Clock.systemUTC()), (name, took) -> {});

        Server() {
            servers.add(this);
        }

        @Override
        public void close() {
            chores.close();
            database.close();
        }
    }

    @Test
    void eachFiringIsOneServers() {
        var interval = Duration.ofMillis(100);
        var atOnce = new AtomicInteger();
        long begun = System.nanoTime();
        for (String name : List.of("a", "b", "c")) {
            new Server()
                    .chores
                    .shared(interval, "spread", () -> {
                        done.add(atOnce.incrementAndGet() == 1 ? name : "two at once");
                        Thread.sleep(20);
                        atOnce.decrementAndGet();
                    })
                    .start();
        }

        await().atMost(TAKEOVER).until(() -> done.size() >= 20);

        long due = Duration.ofNanos(System.nanoTime() - begun).dividedBy(interval);
        assertThat(done.size()).isLessThanOrEqualTo(Math.toIntExact(due) + 1);
        assertThat(done).doesNotContain("two at once");
    }

    /** Longer than two beats, in which they see each other. */
    @Tag("full")
    @Test
    void aServerThatStillStartsLeavesChoresToOthers() {
        var names = IntStream.range(0, 20).mapToObj(i -> "chore " + i).toList();
        var working = new Server();
        working.chores.start();
        var starting = new Server();

        await().during(Duration.ofSeconds(5))
                .atMost(TAKEOVER)
                .until(() -> names.stream()
                        .allMatch(name -> working.database.node().isOurs(name)
                                && !starting.database.node().isOurs(name)));
        starting.chores.start();

        assertThat(names).anyMatch(starting.database.node()::isOurs);
        await().atMost(TAKEOVER)
                .until(() -> names.stream()
                        .noneMatch(name -> working.database.node().isOurs(name)
                                == starting.database.node().isOurs(name)));
    }

    /** The stopped server stays away: under a new epoch it might win the chore again, which it still does. */
    @Tag("full")
    @Test
    void whatAServerThatIsStoppedHasBegunAnotherOneDoes() {
        var goOn = new CountDownLatch(1);
        var stopped = new ConcurrentLinkedQueue<String>();
        for (String name : List.of("a", "b")) {
            var server = new Server();
            server.chores.shared(Duration.ofSeconds(1), "stopped", () -> {
                synchronized (stopped) {
                    if (stopped.isEmpty()) {
                        stopped.add(name);
                        server.database.close();
                    }
                }
                if (stopped.contains(name)) {
                    goOn.await();
                }
                done.add(name);
            });
            server.chores.start();
        }

        await().atMost(TAKEOVER).until(() -> done.size() >= 2);

        assertThat(stopped).hasSize(1);
        assertThat(done).doesNotContainAnyElementsOf(stopped);
        goOn.countDown();
    }

    @Tag("full")
    @Test
    void aServerWhoseClockIsOffLeavesChoresToOthersUntilItIsMended() {
        var wrong = new Server();
        var right = new Server();
        assertThat(wrong.database.node().clock(Clock.offset(Clock.systemUTC(), WRONG)))
                .isNotNull();
        wrong.chores
                .shared(Duration.ofMillis(250), "mended", () -> done.add("wrong"))
                .start();
        right.chores
                .shared(Duration.ofMillis(250), "mended", () -> done.add("right"))
                .start();

        await().atMost(TAKEOVER).until(() -> done.size() >= 10);

        assertThat(done).containsOnly("right");
        assertThat(wrong.database.node().offset()).isCloseTo(WRONG, Duration.ofSeconds(2));

        assertThat(wrong.database.node().clock(Clock.systemUTC())).isNotNull();
        right.close();
        servers.remove(right);
        await().atMost(TAKEOVER).until(() -> done.contains("wrong"));
        assertThat(wrong.database.node().offset()).isLessThan(Duration.ofSeconds(2));
    }

    /** An interval above that of the counts, and a tick. */
    @Tag("full")
    @Test
    void aChoreWithoutWorkCountsAsDoneAndBeginsWithTheFirstCountThatHasWork() {
        var server = new Server();
        server.database.count();
        server.chores
                .shared(ScheduledTasks.COUNTED_EVERY, "idle", Figures::owed, () -> done.add("done"))
                .start();
        await().during(ScheduledTasks.COUNTED_EVERY.plusSeconds(2))
                .atMost(TAKEOVER)
                .until(done::isEmpty);
        assertThat(server.chores.lastDone()).containsKey("idle");

        server.database
                .outbox()
                .store(List.of(new Message(new MessageKey(Outbox.Kind.NOTICE, "a", "lane"), "receiver", "body", 0)));
        server.database.count();

        await().atMost(Duration.ofSeconds(5)).until(() -> !done.isEmpty());
    }

    @Test
    void aTriggerOutlivesItsServersAndTakesANewInterval() {
        new Server().chores.shared(Duration.ofHours(1), "outliving", () -> done.add("late"));
        servers.get(0).chores.start();
        servers.remove(0).close();

        new Server()
                .chores
                .shared(Duration.ofMillis(250), "outliving", () -> done.add("soon"))
                .start();

        await().atMost(TAKEOVER).until(() -> done.size() >= 2);
    }
}
