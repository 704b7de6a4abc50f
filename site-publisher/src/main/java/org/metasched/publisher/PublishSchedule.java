package org.metasched.publisher;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Schedule of publish loops, each at its own interval. The second turns are spread over a tenth of the interval: a hundred sites that begin
 * together then no longer send in the same second. Turns run on threads of their own, at most {@value #MOST_AT_ONCE}, so
 * that sites without an answer do not delay the others. Thread-safe.
 */
public final class PublishSchedule implements AutoCloseable {

    /** Most turns that run at once; further turns wait for a thread. */
    private static final int MOST_AT_ONCE = 64;

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(PublishSchedule::daemon);
    private final ThreadPoolExecutor turns = new ThreadPoolExecutor(
            MOST_AT_ONCE,
            MOST_AT_ONCE,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            PublishSchedule::daemon);
    private final RandomGenerator jitter;

    /** @param jitter source of the spread; a seeded one makes it repeatable */
    public PublishSchedule(RandomGenerator jitter) {
        this.jitter = jitter;
        turns.allowCoreThreadTimeOut(true);
    }

    /** Takes the first turn now, the second up to a tenth of the loop's interval early, and further ones at the interval. */
    public void add(PublishLoop loop) {
        long every = loop.template().every().toMillis();
        long spread = every / 10;
        loop.execute(turns);
        timer.scheduleAtFixedRate(
                () -> loop.execute(turns),
                every - (spread == 0 ? 0 : jitter.nextLong(spread)),
                every,
                TimeUnit.MILLISECONDS);
    }

    /** Interrupts turns that run, and does not wait for them. */
    @Override
    public void close() {
        timer.shutdownNow();
        turns.shutdownNow();
    }

    private static Thread daemon(Runnable task) {
        var thread = new Thread(task, "publish-turn");
        thread.setDaemon(true);
        return thread;
    }
}
