package org.metasched.server;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.store.ScheduledTaskStore;
import org.quartz.DateBuilder;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.InterruptableJob;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.ObjectAlreadyExistsException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.SimpleTrigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.DirectSchedulerFactory;
import org.quartz.simpl.RAMJobStore;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.spi.JobStore;
import org.quartz.spi.ThreadExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done by the clock: Quartz runs each chore at its interval, never twice at the same time. A chore that fails is
 * logged and runs again when its time comes. Some chores are each server's own, with triggers in memory; those that servers share have
 * theirs in the database, see {@link ScheduledTaskStore}, and Quartz lets one server fire each.
 */
final class ScheduledTasks implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduledTasks.class);

    private static final int LOCAL_THREADS = 8;
    private static final int SHARED_THREADS = 4;

    /** Between two looks for a trigger that another server has changed, and after the database was away. */
    private static final Duration IDLE_LOOK = Duration.ofSeconds(5);

    private static final Duration RETRY = Duration.ofSeconds(2);

    private final Scheduler local;
    private final Scheduler shared;
    private final ScheduledTaskStore store;
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
     * @param store of the triggers that servers share
     * @param observer is told what came to its end, and how long that took
     */
    ScheduledTasks(String name, ScheduledTaskStore store, Clock clock, BiConsumer<String, Duration> observer) {
        this.store = store;
        this.clock = clock;
        this.observer = observer;
        try {
            local = scheduler(name, new RAMJobStore(), LOCAL_THREADS);
            shared = scheduler(name + "-shared", store, SHARED_THREADS);
        } catch (SchedulerException e) {
            throw new IllegalStateException("Quartz cannot be set up: " + e.getMessage(), e);
        }
    }

    private Scheduler scheduler(String name, JobStore store, int threads) throws SchedulerException {
        var pool = new SimpleThreadPool(threads, Thread.NORM_PRIORITY);
        pool.setMakeThreadsDaemons(true);
        var factory = DirectSchedulerFactory.getInstance();
        factory.createScheduler(
                name,
                this.store.instance(),
                pool,
                new DaemonThreads(),
                store,
                Map.of(),
                null,
                0,
                IDLE_LOOK.toMillis(),
                RETRY.toMillis(),
                false,
                null);
        var scheduler = factory.getScheduler(name);
        scheduler.setJobFactory(
                (bundle, s) -> new Run(bundle.getJobDetail().getKey().getName()));
        return scheduler;
    }

    /** Starts the threads that Quartz would keep a process alive with. */
    private static final class DaemonThreads implements ThreadExecutor {
        @Override
        public void initialize() {
            // nothing to prepare
        }

        @Override
        public void execute(Thread thread) {
            thread.setDaemon(true);
            thread.start();
        }
    }

    /**
     * One that exactly one of the servers on the database does at its time. What a server that goes leaves undone another one does;
     * what was missed is done once, at once.
     */
    ScheduledTasks shared(Duration interval, String name, Chore chore) {
        chores.put(name, () -> timed(name, chore));
        var trigger = trigger(
                name,
                interval,
                SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionNowWithExistingCount());
        try {
            shared.addJob(job(name).requestRecovery().storeDurably().build(), true);
            if (!(shared.getTrigger(trigger.getKey()) instanceof SimpleTrigger known)) {
                shared.scheduleJob(trigger);
            } else if (known.getRepeatInterval() != interval.toMillis()) {
                shared.rescheduleJob(trigger.getKey(), trigger);
            }
        } catch (ObjectAlreadyExistsException e) {
            LOG.debug("Another server was quicker to schedule {}", name, e);
        } catch (SchedulerException e) {
            throw new IllegalStateException("The chore " + name + " cannot be scheduled: " + e.getMessage(), e);
        }
        return this;
    }

    /** One that this server does, whatever others do. */
    ScheduledTasks every(Duration interval, String name, Chore chore) {
        chores.put(name, () -> timed(name, chore));
        var schedule = SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionNextWithRemainingCount();
        try {
            local.scheduleJob(job(name).build(), trigger(name, interval, schedule));
        } catch (SchedulerException e) {
            throw new IllegalStateException("The chore " + name + " cannot be scheduled: " + e.getMessage(), e);
        }
        return this;
    }

    private static JobBuilder job(String name) {
        return JobBuilder.newJob(Run.class).withIdentity(name);
    }

    private static SimpleTrigger trigger(String name, Duration interval, SimpleScheduleBuilder schedule) {
        return TriggerBuilder.newTrigger()
                .withIdentity(name)
                .forJob(name)
                .startAt(DateBuilder.futureDate(Math.toIntExact(interval.toMillis()), IntervalUnit.MILLISECOND))
                .withSchedule(
                        schedule.withIntervalInMilliseconds(interval.toMillis()).repeatForever())
                .build();
    }

    private void timed(String name, Chore chore) throws InterruptedException {
        long begun = System.nanoTime();
        chore.run();
        lastDone.put(name, clock.instant());
        observer.accept(name, Duration.ofNanos(System.nanoTime() - begun));
    }

    void start() {
        try {
            local.start();
            shared.start();
        } catch (SchedulerException e) {
            throw new IllegalStateException("Quartz cannot be started: " + e.getMessage(), e);
        }
    }

    /** How far this server's clock is ahead of the database's; negative when it is behind. */
    Duration clockOffset() {
        return store.offset();
    }

    /** When each chore last came to its end here without a failure. */
    Map<String, Instant> lastDone() {
        return Map.copyOf(lastDone);
    }

    /** Interrupts chores that run, which may wait for a silent site, and waits for their end. */
    @Override
    public void close() {
        for (var scheduler : List.of(local, shared)) {
            try {
                scheduler.standby();
                for (var running : scheduler.getCurrentlyExecutingJobs()) {
                    scheduler.interrupt(running.getFireInstanceId());
                }
                scheduler.shutdown(true);
            } catch (SchedulerException e) {
                LOG.warn("Quartz did not stop in order: {}", e.getMessage());
            }
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
