package org.metasched.server;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;

/** Servers of one process with a database each: the first epoch of every database is 1. */
class ChoresOfTwoDatabasesTest {

    @TempDir
    Path folder;

    @Test
    void eachServerFiresFromItsOwnDatabase() {
        var fired = new AtomicInteger();
        try (var first = database("first");
                var chores = chores(first).shared(Duration.ofMillis(50), "count", fired::incrementAndGet)) {
            try (var second = database("second");
                    var others = chores(second).shared(Duration.ofHours(1), "rest", () -> {})) {
                others.start();
            }
            chores.start();

            await().atMost(Duration.ofSeconds(30)).until(() -> fired.get() >= 3);
        }
    }

    /** The timer would run a task that threw an Error no more. */
    @Test
    void aChoreRunsAgainAfterAnError() {
        var runs = new AtomicInteger();
        try (var first = database("first");
                var chores = chores(first).every(Duration.ofMillis(50), "broken", () -> {
                    if (runs.incrementAndGet() == 1) {
                        throw new StackOverflowError("too deep");
                    }
                })) {
            chores.start();

            await().atMost(Duration.ofSeconds(30)).until(() -> runs.get() >= 2);
        }
    }

    private Database database(String name) {
        return Database.open(new DatabaseSettings("jdbc:h2:file:" + folder.resolve(name), "", "", 4));
    }

    private static ScheduledTasks chores(Database database) {
        return new ScheduledTasks(database, database.node().clock(Clock.systemUTC()), (chore, took) -> {});
    }
}
