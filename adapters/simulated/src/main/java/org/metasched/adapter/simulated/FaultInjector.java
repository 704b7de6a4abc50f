package org.metasched.adapter.simulated;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;

/**
 * Chooses the fault of the next call: the first ordered one if the call can have it, else, after {@link #injectAtRandom}, a random one or
 * none. Random faults are seeded, but concurrent callers get them in the order of their calls. Thread-safe.
 */
final class FaultInjector {

    /** A later start is granted at least so long after the requested one. */
    static final Duration GRANT_DELAY = Duration.ofMinutes(30);

    /** Extra delay of a late answer. */
    static final Duration ANSWER_DELAY = Duration.ofMillis(50);

    /** The faults that a call can have. */
    static final Set<InjectedFault> OF_RESERVING = EnumSet.allOf(InjectedFault.class);

    static final Set<InjectedFault> OF_OTHER_CALLS =
            EnumSet.of(InjectedFault.LOSE_REQUEST, InjectedFault.LOSE_ANSWER, InjectedFault.ANSWER_LATE);

    private final Queue<InjectedFault> ordered = new ArrayDeque<>();
    private Random random = new Random(0);
    private double rate;
    /** Whether the site answers no call. */
    volatile boolean down;
    /** The delay of every answer. */
    volatile Duration latency;

    /** @param latency delay of every answer */
    FaultInjector(Duration latency) {
        this.latency = latency;
    }

    synchronized void order(InjectedFault fault) {
        ordered.add(fault);
    }

    synchronized void injectAtRandom(long seed, double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("The share of faults (" + share + ") must be from 0 to 1.");
        }
        random = new Random(seed);
        rate = share;
    }

    /** @param possible the faults that the call can have */
    synchronized Optional<InjectedFault> next(Set<InjectedFault> possible) {
        var first = ordered.peek();
        if (first != null && possible.contains(first)) {
            return Optional.of(ordered.remove());
        }
        if (rate == 0 || random.nextDouble() >= rate) {
            return Optional.empty();
        }
        var all = possible.toArray(InjectedFault[]::new);
        return Optional.of(all[random.nextInt(all.length)]);
    }
}
