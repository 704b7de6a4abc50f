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
 * Output of a site's reading commands, kept for an interval and shared by all questions: the site runs each command once an
 * interval, whatever the number of agreements. Of several callers that find nothing fresh, one runs the command and the others
 * wait for it. A failure goes to those that wait and is not kept. Thread-safe; at most {@value #MOST} answers are held.
 */
public final class SharedReads {

    private static final int MOST = 64;

    /** Asks the site. */
    public interface Read<T> {
        T read() throws LocalSchedulerException;
    }

    /** One answer, or the call that will bring it. */
    private static final class Look {
        private final FutureTask<Object> task;
        private final long nanos = System.nanoTime();
        private final Instant at;
        private volatile boolean interrupted;

        Look(Read<?> read, Instant at) {
            this.at = at;
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
            return System.nanoTime() - nanos < interval.toNanos()
                    && Duration.between(at, now).abs().compareTo(interval) < 0;
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

    /** @param interval for how long an answer is good; zero asks every time */
    public SharedReads(SiteId site, Clock clock, Duration interval) {
        this.site = site;
        this.clock = clock;
        this.interval = interval;
    }

    /**
     * The answer to a question, at most an interval old.
     *
     * @param question equal for equal answers, as the words of the command are
     */
    public <T> T get(Object question, Read<T> read) throws LocalSchedulerException {
        if (interval.isZero()) {
            return read.read();
        }
        while (true) {
            var mine = new Look(read, clock.instant());
            Look look = freshOr(question, mine);
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

    private synchronized Look freshOr(Object question, Look mine) {
        Look known = looks.get(question);
        if (known != null && known.isFresh(mine.at, interval)) {
            return known;
        }
        looks.put(question, mine);
        return mine;
    }

    private synchronized void drop(Object question, Look look) {
        looks.remove(question, look);
    }

    /** Invalidates answers from before now: something has been changed here, or something was missing in it. */
    public synchronized void forget() {
        looks.clear();
    }
}
