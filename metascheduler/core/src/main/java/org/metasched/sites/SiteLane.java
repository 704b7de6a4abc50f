package org.metasched.sites;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The calls of one site: a bulkhead and a circuit breaker. So many are under way, the others wait their turn, and a call that waits
 * takes no thread. While a site is full and none of its calls ends, it hangs: then calls are turned away instead of waiting. After
 * some calls in a row without an answer in time, all are turned away until a probe is answered, one in each pause.
 *
 * <p>Thread-safe; the lock is held for {@code O(1)} and never while a site is asked.
 */
final class SiteLane {

    /** Calls in a row that ran into their timeout, after which a site is taken for silent. */
    private static final int SILENT_AFTER = 3;

    private static final Duration LONGEST_HANGING = Duration.ofSeconds(2);

    /** An optional answer is waited for so many times as long as answers took. */
    static final int PATIENCE = 4;

    private static final int FORGETS = 64;

    private final int most;
    private final long hangingAfter;
    private final long pause;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;
    private long lastMove = System.nanoTime();
    private int silentInARow;
    private boolean probing;
    private long patience;

    /** @param timeout of a call; the pause between two probes is not longer. A site that was not asked yet is waited for a tenth of it */
    SiteLane(int most, Duration timeout) {
        this.most = most;
        this.hangingAfter = Math.min(LONGEST_HANGING.toNanos(), timeout.toNanos() / 2);
        this.pause = Math.min(Duration.ofSeconds(5).toNanos(), timeout.toNanos());
        this.patience = timeout.toNanos() / 10;
    }

    /** How long an optional answer is worth waiting for, in nanoseconds: by its slowest answers, of which old ones fade. */
    synchronized long patience() {
        return patience;
    }

    /** An answer took so many nanoseconds. */
    synchronized void took(long nanos) {
        patience = Math.max(PATIENCE * nanos, patience - patience / FORGETS);
    }

    /** An optional answer was not waited for: neither is the next one, until the site has answered. */
    synchronized void leftBehind() {
        patience = 0;
    }

    /**
     * Lets a call in, now or when it is its turn.
     *
     * @param start begins the call, on some thread, and does not wait for it
     * @return false when it is turned away
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

    /** Whether what waits, waits for nothing. */
    synchronized boolean isHanging() {
        return running >= most && System.nanoTime() - lastMove > hangingAfter;
    }

    /** A call that was let in has ended, in whatever way. */
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

    /** A call that waits is given up. */
    synchronized void withdraw(Runnable start) {
        waiting.remove(start);
    }

    synchronized void answered() {
        silentInARow = 0;
    }

    /** Notes that a call had no answer in time; returns whether to probe the site from now on, until {@link #stopProbing} says so. */
    synchronized boolean silent() {
        silentInARow++;
        boolean begins = silentInARow >= SILENT_AFTER && !probing;
        probing |= begins;
        return begins;
    }

    /** The pause in nanoseconds. */
    long pause() {
        return pause;
    }

    /** Ends probing if a call was answered; returns whether it has ended */
    synchronized boolean stopProbing() {
        probing = silentInARow >= SILENT_AFTER;
        return !probing;
    }
}
