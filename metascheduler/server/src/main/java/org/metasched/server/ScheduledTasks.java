package org.metasched.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.sites.FanOutExecutor;
import org.metasched.store.Database;
import org.metasched.store.Database.Figures;
import org.metasched.store.SharedChores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodic tasks, called chores. Each runs at its interval, never twice at the same time on a server. A chore that fails is logged and runs
 * again when its time comes. Some chores are each server's own; those that servers share are done by one of them, see {@link SharedChores}.
 * Intervals are measured by the steady clock of this machine, however its wall clock is set.
 */
final class ScheduledTasks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduledTasks.class);

    /** Chores that run at the same time; one that waits for a silent site keeps its thread. */
    private static final int THREADS = 12;
    /** Interval between two checks, in memory, whether a shared chore is this server's and due. */
    private static final Duration TICK = Duration.ofMillis(500);
    /** Interval of the counts of the database's figures. */
    static final Duration COUNTED_EVERY = Duration.ofSeconds(10);

    private static final ToLongFunction<Figures> ALWAYS = figures -> 1;

    private final ScheduledExecutorService timer =
            Executors.newScheduledThreadPool(THREADS, FanOutExecutor.daemons("chore"));
    private final Database database;
    private final SharedChores chores;
    private final List<Runnable> starts = new ArrayList<>();
    private final Map<String, Instant> lastDone = new ConcurrentHashMap<>();
    private final Clock clock;
    private final BiConsumer<String, Duration> observer;

    /** The work of a periodic task. */
    @FunctionalInterface
    interface Chore {
        void run() throws InterruptedException;
    }

    /**
     * @param database database that knows which chores are this server's
     * @param clock clock of the database
     * @param observer receiver of the name and the duration of each chore that ended
     */
    ScheduledTasks(Database database, Clock clock, BiConsumer<String, Duration> observer) {
        this.database = database;
        this.chores = database.chores();
        this.clock = clock;
        this.observer = observer;
    }

    /**
     * Adds a chore that exactly one of the servers on the database does at its time. Another server takes it over from one that goes;
     * missed times are made up for once, at once.
     */
    ScheduledTasks shared(Duration interval, String name, Chore chore) {
        return shared(interval, name, ALWAYS, chore);
    }

    /** @param work figure of the database that is zero while the chore has nothing to do: then it counts as done and asks no database */
    ScheduledTasks shared(Duration interval, String name, ToLongFunction<Figures> work, Chore chore) {
        chores.note(name, clock.instant().plus(interval));
        return schedule(atMostTick(interval), name, new Turns(interval, name, work, chore)::takeTurn);
    }

    /** Adds a chore that this server does, whatever others do. */
    ScheduledTasks every(Duration interval, String name, Chore chore) {
        return every(interval, name, ALWAYS, chore);
    }

    ScheduledTasks every(Duration interval, String name, ToLongFunction<Figures> work, Chore chore) {
        return schedule(interval, name, () -> {
            if (hasWork(interval, name, work)) {
                timed(name, chore);
            }
        });
    }

    /** Whether there may be work. A chore that is due more often than figures are counted does not rely on them. */
    private boolean hasWork(Duration interval, String name, ToLongFunction<Figures> work) {
        boolean mayHaveWork = interval.compareTo(COUNTED_EVERY) < 0 || database.mayHave(work);
        if (!mayHaveWork) {
            lastDone.put(name, clock.instant());
        }
        return mayHaveWork;
    }

    private static Duration atMostTick(Duration interval) {
        return interval.compareTo(TICK) < 0 ? interval : TICK;
    }

    private ScheduledTasks schedule(Duration interval, String name, Chore chore) {
        starts.add(() -> {
            var unused = timer.scheduleWithFixedDelay(
                    () -> run(name, chore), interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
        });
        return this;
    }

    private void timed(String name, Chore chore) throws InterruptedException {
        long start = System.nanoTime();
        chore.run();
        lastDone.put(name, clock.instant());
        observer.accept(name, Duration.ofNanos(System.nanoTime() - start));
    }

    private static void run(String name, Chore chore) {
        try {
            chore.run();
        } catch (StoreUnavailableException e) {
            LOG.warn("The chore {} waits for the database: {}", name, e.getMessage());
        } catch (InterruptedException e) {
            LOG.debug("The chore {} was cut off by the end of the server", name);
        } catch (RuntimeException | Error e) {
            // Also an Error, such as one of memory: after one the timer would never run the chore again.
            LOG.error("The chore {} failed and will be tried again", name, e);
        }
    }

    void start() {
        database.node().takePart();
        starts.forEach(Runnable::run);
    }

    /** The time at which each chore last came to its end on this server without a failure. */
    Map<String, Instant> lastDone() {
        return Map.copyOf(lastDone);
    }

    /** Interrupts chores that run, which may wait for a silent site, and waits for their end. */
    @Override
    public void close() {
        timer.shutdownNow();
        try {
            if (!timer.awaitTermination(1, TimeUnit.MINUTES)) {
                LOG.warn("A chore did not end when it was interrupted");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The turns of this server at a shared chore, one after the other. */
    private final class Turns {
        private final Duration interval;
        private final String name;
        private final ToLongFunction<Figures> work;
        private final Chore chore;
        private boolean hasTurn;
        /** The steady time before which the database is not asked for a turn. */
        private long next = System.nanoTime();

        Turns(Duration interval, String name, ToLongFunction<Figures> work, Chore chore) {
            this.interval = interval;
            this.name = name;
            this.work = work;
            this.chore = chore;
        }

        void takeTurn() throws InterruptedException {
            if (!database.node().isOurs(name)) {
                if (hasTurn) {
                    chores.handOver(name);
                    hasTurn = false;
                }
                next = System.nanoTime();
            } else if (System.nanoTime() - next >= 0 && hasWork(interval, name, work)) {
                var now = clock.instant();
                if (chores.begin(name, now, now.plus(interval))) {
                    hasTurn = true;
                    next = System.nanoTime() + interval.toNanos();
                    timed(name, chore);
                } else {
                    next = System.nanoTime()
                            + Math.max(
                                    atMostTick(interval).toNanos(),
                                    chores.left(name, now).toNanos());
                }
            }
        }
    }
}
