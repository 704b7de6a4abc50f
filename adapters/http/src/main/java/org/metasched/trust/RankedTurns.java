package org.metasched.trust;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Turns for an expensive operation, a few at a time. Of the waiting callers, the one of the lowest rank is next; of too many, the one of
 * the highest rank is refused. Thread-safe.
 */
final class RankedTurns {

    private record Waiting(int rank, long number, CompletableFuture<Boolean> turn) {}

    private final int mostRunning;
    private final int mostWaiting;
    private final TreeSet<Waiting> waiting =
            new TreeSet<>(Comparator.comparingInt(Waiting::rank).thenComparingLong(Waiting::number));
    private int running;
    private long arrivals;

    RankedTurns(int mostRunning, int mostWaiting) {
        this.mostRunning = mostRunning;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Waits for a turn.
     *
     * @param rank rank of the caller, such as the number of its earlier attempts
     * @return false when too many wait; else {@link #end} must follow
     */
    boolean await(int rank) {
        var turn = new CompletableFuture<Boolean>();
        synchronized (this) {
            if (running < mostRunning) {
                running++;
                return true;
            }
            waiting.add(new Waiting(rank, arrivals++, turn));
            if (waiting.size() > mostWaiting) {
                waiting.pollLast().turn().complete(false);
            }
        }
        return turn.join();
    }

    synchronized void end() {
        var next = waiting.pollFirst();
        if (next == null) {
            running--;
        } else {
            next.turn().complete(true);
        }
    }
}
