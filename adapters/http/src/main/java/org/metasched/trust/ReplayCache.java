package org.metasched.trust;

import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

/** Remembers proofs, so that each counts once. Thread-safe. */
public interface ReplayCache {

    /**
     * Stores a proof.
     *
     * @param proof a digest of at most 64 characters
     * @param now the time by the clock of this server
     * @param until the time from which the proof may be forgotten
     * @return whether the proof is new; false if it was stored before and is not forgotten
     */
    boolean remember(String proof, Instant now, Instant until);

    /** Begin of the memory. Proofs that were made before it may have been used already. */
    Instant begin();

    /** A memory that ends with the process. */
    static ReplayCache inThisProcess(Clock clock) {
        return new ReplayCache() {
            private static final int SWEEP_EVERY = 1_024;
            // Whole seconds, since many clients write the times of their proofs so.
            private final Instant begin = clock.instant().truncatedTo(ChronoUnit.SECONDS);
            private final Map<String, Instant> seen = new HashMap<>();
            private int turn;

            @Override
            public synchronized boolean remember(String proof, Instant now, Instant until) {
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
