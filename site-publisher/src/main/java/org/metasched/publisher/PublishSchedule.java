package org.metasched.publisher;

import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.random.RandomGenerator;
import org.quartz.DateBuilder;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.DisallowConcurrentExecution;
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
 * that begin together do not all send in the same second.
 */
public final class PublishSchedule implements AutoCloseable {

    private static final String LOOP = "loop";

    private final Scheduler quartz;
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
        quartz = new StdSchedulerFactory(properties).getScheduler();
        quartz.start();
    }

    /** Sends now, and from then on at the loop's interval with a tenth of it as spread. */
    public void add(PublishLoop loop) throws SchedulerException {
        Duration every = loop.template().every();
        var data = new JobDataMap();
        data.put(LOOP, loop);
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
        loop.once();
        quartz.scheduleJob(job, trigger);
    }

    @Override
    public void close() throws SchedulerException {
        quartz.shutdown(true);
    }

    /** One turn of a loop. Public because Quartz makes it. */
    @DisallowConcurrentExecution
    public static final class Turn implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            var loop = (PublishLoop)
                    Objects.requireNonNull(context.getMergedJobDataMap().get(LOOP));
            loop.once();
        }
    }
}
