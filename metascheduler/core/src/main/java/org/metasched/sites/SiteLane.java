package org.metasched.sites;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The calls of one site: a bulkhead and a circuit breaker. A bounded number is under way; the others wait for their turn without a thread. If
 * the site is full and none of its calls ends, it hangs, and further calls are turned away. After some calls in a row without an answer in
 * time, all are turned away until the site answers a probe. There is one probe in each pause.
 *
 * <p>Thread-safe; the lock is held for {@code O(1)} and never while a site is asked.
 */
final class SiteLane {

    /** Calls in a row without an answer in time after which a site is silent. */
    private static final int SILENT_AFTER = 3;

    /** Time without the end of a call after which a full site hangs, unless half of the timeout is shorter. */
    private static final Duration LONGEST_HANGING = Duration.ofSeconds(2);

    /** Optional answers are waited for this many times as long as answers took. */
    static final int PATIENCE_FACTOR = 4;

    /** Each answer reduces the patience by one part in this many. */
    private static final int PATIENCE_DECAY = 64;

    private final int most;
    private final long hangingAfter;
    /** The pause between two probes, in nanoseconds. */
    final long pause;

    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;
    /** The last instant at which a call ended, or the site became full. */
    private long lastMove = System.nanoTime();

    private int silentInARow;
    private boolean probing;
    private long patience;

    /** @param timeout timeout of a call; the pause between two probes is at most as long, the first patience a tenth of it */
    SiteLane(int most, Duration timeout) {
        this.most = most;
        this.hangingAfter = Math.min(LONGEST_HANGING.toNanos(), timeout.toNanos() / 2);
        this.pause = Math.min(Duration.ofSeconds(5).toNanos(), timeout.toNanos());
        this.patience = timeout.toNanos() / 10;
    }

    /** Time in nanoseconds for which to wait for an optional answer: a multiple of the slowest answers' time, in which older ones count less. */
    synchronized long patience() {
        return patience;
    }

    /** Records the nanoseconds that an answer took. */
    synchronized void recordDuration(long nanos) {
        patience = Math.max(PATIENCE_FACTOR * nanos, patience - patience / PATIENCE_DECAY);
    }

    /** Records that the caller of an optional call left it behind. Patience is zero until the site has answered. */
    synchronized void recordLeftBehind() {
        patience = 0;
    }

    /**
     * Lets a call in, now or when its turn comes.
     *
     * @param start begins the call, on some thread, and does not wait for it
     * @return whether it is let in; otherwise it is turned away
     */
    boolean enter(Runnable start) {
        synchronized (this) {
            if (isClosed()) {
                return false;
            }
            if (running >= most) {
                waiting.add(start);
                return true;
            }
            begin();
        }
        start.run();
        return true;
    }

    private void begin() {
        running++;
        if (running == most) {
            lastMove = System.nanoTime();
        }
    }

    /** Whether a call that came now would be turned away. */
    synchronized boolean isClosed() {
        return isHanging() || silentInARow >= SILENT_AFTER;
    }

    /** Whether the site is full and none of its calls has ended for too long. */
    synchronized boolean isHanging() {
        return running >= most && System.nanoTime() - lastMove > hangingAfter;
    }

    /** Ends a call that was let in, with or without an answer, and starts the next one. */
    void leave() {
        Runnable next;
        synchronized (this) {
            lastMove = System.nanoTime();
            running--;
            next = waiting.poll();
            if (next != null) {
                begin();
            }
        }
        if (next != null) {
            next.run();
        }
    }

    /** Removes a call that waits. */
    synchronized void withdraw(Runnable start) {
        waiting.remove(start);
    }

    /** Records that a call or a probe was answered. */
    synchronized void recordAnswer() {
        silentInARow = 0;
    }

    /** Records that a call had no answer in time; returns whether to probe the site from now on, until {@link #stopProbing} is true. */
    synchronized boolean recordSilence() {
        silentInARow++;
        boolean begins = silentInARow >= SILENT_AFTER && !probing;
        probing |= begins;
        return begins;
    }

    /** Ends probing if a call was answered; returns whether it has ended. */
    synchronized boolean stopProbing() {
        probing = silentInARow >= SILENT_AFTER;
        return !probing;
    }
}
