package org.metasched.trust;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/** Remembers proofs, so that each counts once. Thread-safe. */
public interface ReplayCache {

    /**
     * @param proof a digest of at most 64 characters
     * @param now by the clock of this server
     * @param until when it may be forgotten
     * @return false if it was there before, and is not forgotten
     */
    boolean isFirst(String proof, Instant now, Instant until);

    /** Begin of the memory: proofs that were made earlier may have been used before it. */
    Instant begin();

    /** Ends with the process. */
    static ReplayCache inThisProcess(Clock clock) {
        // Many clients write whole seconds.
        return new ReplayCache() {
            private static final int SWEEP_EVERY = 1_024;
            private final Instant begin = clock.instant().truncatedTo(ChronoUnit.SECONDS);
            private final Map<String, Instant> seen = new HashMap<>();
            private int turn;

            @Override
            public synchronized boolean isFirst(String proof, Instant now, Instant until) {
                if (++turn % SWEEP_EVERY == 0) {
                    seen.values().removeIf(end -> end.isBefore(now));
                }
                return seen.putIfAbsent(proof, until) == null;
            }

            @Override
            public Instant begin() {
                return begin;
            }
        };
    }
}
