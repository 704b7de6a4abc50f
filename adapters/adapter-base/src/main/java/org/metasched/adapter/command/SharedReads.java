package org.metasched.adapter.command;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.metasched.adapter.BoundedMaps;
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

    /** An answer, or the running call that will give it. */
    private static final class SharedAnswer {
        private final FutureTask<Object> task;
        private final long startNanos = System.nanoTime();
        private final Instant startTime;
        private volatile boolean interrupted;

        SharedAnswer(Read<?> read, Instant startTime) {
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

        /** By two clocks: {@code nanoTime} may stand still while the machine sleeps, and the other one may be set. */
        boolean isFresh(Instant now, Duration interval) {
            return System.nanoTime() - startNanos < interval.toNanos()
                    && Duration.between(startTime, now).abs().compareTo(interval) < 0;
        }
    }

    private final SiteId site;
    private final Clock clock;
    private final Duration interval;
    private final Map<Object, SharedAnswer> answers = BoundedMaps.recentlyUsed(MOST);

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
            var mine = new SharedAnswer(read, clock.instant());
            SharedAnswer answer = freshOrPut(question, mine);
            if (answer == mine) {
                mine.task.run();
            }
            try {
                return cast(answer.task.get());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Unreachable(
                        "Site " + site + ": interrupted while it waited for the answer to another call.", e);
            } catch (ExecutionException e) {
                drop(question, answer);
                if (answer == mine || !answer.interrupted) {
                    throw OncePerKey.mishap(e, "Reading from site " + site + " failed.");
                }
            }
        }
    }

    /** Unchecked, as a question always has the same type of answer. */
    @SuppressWarnings("unchecked")
    private static <T> T cast(Object answer) {
        return (T) answer;
    }

    private synchronized SharedAnswer freshOrPut(Object question, SharedAnswer mine) {
        SharedAnswer known = answers.get(question);
        if (known != null && known.isFresh(mine.startTime, interval)) {
            return known;
        }
        answers.put(question, mine);
        return mine;
    }

    private synchronized void drop(Object question, SharedAnswer answer) {
        answers.remove(question, answer);
    }

    /** Drops all answers, after a change of the site or when a record is missing in an answer. */
    public synchronized void forget() {
        answers.clear();
    }
}
