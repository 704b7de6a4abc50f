package org.metasched.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.store.ChoreTurns;
import org.quartz.DateBuilder;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.InterruptableJob;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done by the clock: Quartz runs each chore at its interval, never twice at the same time. A chore that fails is
 * logged and runs again when its time comes. Its triggers live in memory: they follow from the configuration, and what the
 * chores work on is in the database. Some chores are each server's own; of the others, {@link ChoreTurns} says which server does
 * them.
 */
final class Chores implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Chores.class);

    /** Between two looks whether a shared chore is due here, at most. */
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final Scheduler scheduler;
    private final ChoreTurns turns;
    private final Map<String, Chore> chores = new ConcurrentHashMap<>();
    private final Map<String, Instant> lastDone = new ConcurrentHashMap<>();
    private final Clock clock;
    private final BiConsumer<String, Duration> observer;

    /** One chore. */
    @FunctionalInterface
    interface Chore {
        void run() throws InterruptedException;
    }

    /**
     * @param turns of the chores that are shared
     * @param observer is told what came to its end, and how long that took
     */
    Chores(String name, ChoreTurns turns, Clock clock, BiConsumer<String, Duration> observer) {
        this.turns = turns;
        this.clock = clock;
        this.observer = observer;
        var properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", name);
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.scheduler.makeSchedulerThreadDaemon", "true");
        properties.setProperty("org.quartz.scheduler.interruptJobsOnShutdownWithWait", "true");
        properties.setProperty("org.quartz.threadPool.threadCount", "8");
        properties.setProperty("org.quartz.threadPool.makeThreadsDaemons", "true");
        properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        try {
            scheduler = new StdSchedulerFactory(properties).getScheduler();
            scheduler.setJobFactory(
                    (bundle, s) -> new Run(bundle.getJobDetail().getKey().getName()));
        } catch (SchedulerException e) {
            throw new IllegalStateException("Quartz cannot be set up: " + e.getMessage(), e);
        }
    }

    /** One that exactly one of the servers on the database does at its time; when that one is gone, another. */
    Chores shared(Duration interval, String name, Chore chore) {
        turns.know(name, interval);
        var half = interval.dividedBy(2);
        return schedule(half.compareTo(LOOK) < 0 ? half : LOOK, name, () -> {
            if (turns.begin(name)) {
                try {
                    timed(name, chore);
                } finally {
                    turns.done(name, interval);
                }
            }
        });
    }

    /** One that this server does, whatever others do. */
    Chores every(Duration interval, String name, Chore chore) {
        return schedule(interval, name, () -> timed(name, chore));
    }

    private void timed(String name, Chore chore) throws InterruptedException {
        long begun = System.nanoTime();
        chore.run();
        lastDone.put(name, clock.instant());
        observer.accept(name, Duration.ofNanos(System.nanoTime() - begun));
    }

    private Chores schedule(Duration interval, String name, Chore chore) {
        chores.put(name, chore);
        var first = DateBuilder.futureDate(Math.toIntExact(interval.toMillis()), IntervalUnit.MILLISECOND);
        try {
            scheduler.scheduleJob(
                    JobBuilder.newJob(Run.class).withIdentity(name).build(),
                    TriggerBuilder.newTrigger()
                            .withIdentity(name)
                            .startAt(first)
                            .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                                    .withIntervalInMilliseconds(interval.toMillis())
                                    .withMisfireHandlingInstructionNextWithRemainingCount()
                                    .repeatForever())
                            .build());
        } catch (SchedulerException e) {
            throw new IllegalStateException("The chore " + name + " cannot be scheduled: " + e.getMessage(), e);
        }
        return this;
    }

    void start() {
        try {
            scheduler.start();
        } catch (SchedulerException e) {
            throw new IllegalStateException("Quartz cannot be started: " + e.getMessage(), e);
        }
    }

    /** When each chore last came to its end here without a failure. */
    Map<String, Instant> lastDone() {
        return Map.copyOf(lastDone);
    }

    /** Interrupts chores that run, which may wait for a silent site, and waits for their end. */
    @Override
    public void close() {
        try {
            scheduler.shutdown(true);
        } catch (SchedulerException e) {
            LOG.warn("Quartz did not stop in order: {}", e.getMessage());
        }
    }

    /** One run of a chore, as Quartz sees it. */
    @DisallowConcurrentExecution
    private final class Run implements InterruptableJob {
        private final String name;
        private volatile @Nullable Thread thread;

        Run(String name) {
            this.name = name;
        }

        @Override
        public void execute(JobExecutionContext context) {
            var chore = chores.get(name);
            if (chore == null) {
                return;
            }
            thread = Thread.currentThread();
            try {
                chore.run();
            } catch (StoreUnavailableException e) {
                LOG.warn("The chore {} waits for the database: {}", name, e.getMessage());
            } catch (InterruptedException e) {
                LOG.debug("The chore {} was cut off by the end of the server", name);
            } catch (RuntimeException e) {
                LOG.error("The chore {} failed and will be tried again", name, e);
            } finally {
                thread = null;
                // Quartz uses the thread again.
                boolean unused = Thread.interrupted();
            }
        }

        @Override
        public void interrupt() {
            var running = thread;
            if (running != null) {
                running.interrupt();
            }
        }
    }
}
