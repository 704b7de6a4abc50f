package org.metasched.publisher;

import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.quartz.DateBuilder;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/**
 * Runs publish loops with Quartz, each at its own interval and with a start spread over the interval, so that a hundred sites
 * that begin together do not all send in the same second. Turns run on threads of their own, at most {@value #MOST_AT_ONCE}, so that
 * sites without an answer do not delay the others. Thread-safe.
 */
public final class PublishSchedule implements AutoCloseable {

    private static final String TURN = "turn";
    /** A loop runs on one thread at a time: sites beyond so many wait while so many are without an answer. */
    private static final int MOST_AT_ONCE = 64;

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Scheduler quartz;
    private final ThreadPoolExecutor turns = new ThreadPoolExecutor(
            MOST_AT_ONCE,
            MOST_AT_ONCE,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            PublishSchedule::daemon);
    private final RandomGenerator jitter;

    /** @param jitter where the spread comes from; a seeded one makes it repeatable */
    public PublishSchedule(RandomGenerator jitter) throws SchedulerException {
        this.jitter = jitter;
        var properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceName", "publish-" + System.identityHashCode(this));
        properties.setProperty("org.quartz.threadPool.threadCount", "2");
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
        properties.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        turns.allowCoreThreadTimeOut(true);
        quartz = new StdSchedulerFactory(properties).getScheduler();
        quartz.start();
    }

    /** Begins to send now, and from then on at the loop's interval with a tenth of it as spread. */
    public void add(PublishLoop loop) throws SchedulerException {
        Duration every = loop.template().every();
        var data = new JobDataMap();
        Runnable turn = turnOf(loop);
        data.put(TURN, turn);
        var job = JobBuilder.newJob(Turn.class)
                .withIdentity(loop.template().name())
                .usingJobData(data)
                .build();
        long spread = every.toMillis() / 10;
        long first = spread == 0 ? 0 : jitter.nextLong(spread);
        var trigger = TriggerBuilder.newTrigger()
                .startAt(DateBuilder.futureDate(Math.toIntExact(every.toMillis() - first), IntervalUnit.MILLISECOND))
                .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                        .withIntervalInMilliseconds(every.toMillis())
                        .withMisfireHandlingInstructionNextWithRemainingCount()
                        .repeatForever())
                .build();
        turn.run();
        quartz.scheduleJob(job, trigger);
    }

    /** Begins a turn, unless the last one that was begun still waits for a thread: at most one of each loop waits. */
    private Runnable turnOf(PublishLoop loop) {
        var waits = new AtomicBoolean();
        return () -> {
            if (waits.compareAndSet(false, true)) {
                turns.execute(() -> {
                    waits.set(false);
                    loop.once();
                });
            }
        };
    }

    /** Interrupts turns that run, and does not wait for them. */
    @Override
    public void close() throws SchedulerException {
        quartz.shutdown(true);
        turns.shutdownNow();
    }

    private static Thread daemon(Runnable task) {
        var thread = new Thread(task, "publish-turn");
        thread.setDaemon(true);
        return thread;
    }

    /** Begins one turn of a loop. Public because Quartz makes it. */
    public static final class Turn implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            var turn = (Runnable)
                    Objects.requireNonNull(context.getMergedJobDataMap().get(TURN));
            turn.run();
        }
    }
}
