package org.metasched.trust;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Turns at something dear, a few at a time. Of those that wait, the one of the lowest rank is next; of too many, the one of the highest rank is
 * sent away. Thread-safe.
 */
final class RankedTurns {

    private record Waiting(int rank, long number, CompletableFuture<Boolean> turn) {}

    private final int atOnce;
    private final int mostWaiting;
    private final TreeSet<Waiting> waiting =
            new TreeSet<>(Comparator.comparingInt(Waiting::rank).thenComparingLong(Waiting::number));
    private int taken;
    private long arrivals;

    RankedTurns(int atOnce, int mostWaiting) {
        this.atOnce = atOnce;
        this.mostWaiting = mostWaiting;
    }

    /**
     * Waits for a turn.
     *
     * @param rank such as how often it was tried from there
     * @return false when too many wait; else {@link #end} must follow
     */
    boolean await(int rank) {
        var turn = new CompletableFuture<Boolean>();
        synchronized (this) {
            if (taken < atOnce) {
                taken++;
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
            taken--;
        } else {
            next.turn().complete(true);
        }
    }
}
