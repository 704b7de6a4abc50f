package org.metasched.trust;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts attempts of a key within a minute from the first. Bounded; thread-safe. */
final class AttemptCounter {

    private static final Duration WITHIN = Duration.ofMinutes(1);
    private static final int MOST_KEYS = 10_000;

    private record Tries(Instant since, int count) {}

    private final Map<String, Tries> tries = new ConcurrentHashMap<>();

    /** @return how many there were, this one among them */
    int add(String key, Instant now) {
        if (tries.size() >= MOST_KEYS) {
            tries.values().removeIf(t -> t.since().isBefore(now.minus(WITHIN)));
            if (tries.size() >= MOST_KEYS) {
                tries.clear();
            }
        }
        return tries.compute(
                        key,
                        (same, before) -> before == null || before.since().isBefore(now.minus(WITHIN))
                                ? new Tries(now, 1)
                                : new Tries(before.since(), before.count() + 1))
                .count();
    }

    /** Takes the last addition back. */
    void forgive(String key) {
        tries.computeIfPresent(key, (same, t) -> t.count() > 1 ? new Tries(t.since(), t.count() - 1) : null);
    }

    void forget(String key) {
        tries.remove(key);
    }
}
