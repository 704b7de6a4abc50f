package org.metasched.adapter.command;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.SiteId;

/**
 * Output of a site's reading commands, kept for an interval and shared by all callers: the site runs each command once an interval,
 * whatever the number of agreements. Of several callers that find no fresh output, one runs the command and the others wait for it. A
 * failure is thrown to the waiting callers and not kept. Thread-safe; at most {@value #MOST} answers are held.
 */
public final class SharedReads {

    private static final int MOST = 64;

    /** Asks the site. */
    public interface Read<T> {
        T read() throws LocalSchedulerException;
    }

    /** One answer, or the running call that will give it. */
    private static final class Look {
        private final FutureTask<Object> task;
        private final long startNanos = System.nanoTime();
        private final Instant startTime;
        private volatile boolean interrupted;

        Look(Read<?> read, Instant startTime) {
            this.startTime = startTime;
            this.task = new FutureTask<>(() -> {
                try {
                    return read.read();
                } catch (LocalSchedulerException e) {
                    interrupted = Thread.currentThread().isInterrupted();
                    throw e;
                }
            });
        }

        boolean isFresh(Instant now, Duration interval) {
            return System.nanoTime() - startNanos < interval.toNanos()
                    && Duration.between(startTime, now).abs().compareTo(interval) < 0;
        }
    }

    private final SiteId site;
    private final Clock clock;
    private final Duration interval;
    private final Map<Object, Look> looks = new LinkedHashMap<>(16, 0.75f, true) {

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Look> eldest) {
            return size() > MOST;
        }
    };

    /** @param interval longest age of a shared answer; with zero each call asks the site */
    public SharedReads(SiteId site, Clock clock, Duration interval) {
        this.site = site;
        this.clock = clock;
        this.interval = interval;
    }

    /**
     * The answer to a question, at most an interval old.
     *
     * @param question key of the answer, such as the words of the command
     */
    public <T> T get(Object question, Read<T> read) throws LocalSchedulerException {
        if (interval.isZero()) {
            return read.read();
        }
        while (true) {
            var mine = new Look(read, clock.instant());
            Look look = freshOrPut(question, mine);
            if (look == mine) {
                mine.task.run();
            }
            try {
                return kept(look.task.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Unreachable("Site " + site + ": interrupted while another call looked at it.", e);
            } catch (ExecutionException e) {
                drop(question, look);
                if (look == mine || !look.interrupted) {
                    throw OncePerKey.mishap(e, "A look at a site failed.");
                }
            }
        }
    }

    /** A question always has the same kind of answer. */
    @SuppressWarnings("unchecked")
    private static <T> T kept(Object answer) {
        return (T) answer;
    }

    private synchronized Look freshOrPut(Object question, Look mine) {
        Look known = looks.get(question);
        if (known != null && known.isFresh(mine.startTime, interval)) {
            return known;
        }
        looks.put(question, mine);
        return mine;
    }

    private synchronized void drop(Object question, Look look) {
        looks.remove(question, look);
    }

    /** Drops all answers, after a change of the site or when a record is missing in an answer. */
    public synchronized void forget() {
        looks.clear();
    }
}
