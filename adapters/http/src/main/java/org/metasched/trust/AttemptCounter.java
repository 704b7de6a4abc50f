package org.metasched.trust;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Counts attempts by key within a minute from the first. Bounded; thread-safe. */
final class AttemptCounter {

    private static final Duration WITHIN = Duration.ofMinutes(1);
    private static final int MOST_KEYS = 10_000;

    private record Tries(Instant since, int count) {}

    private final Map<String, Tries> tries = new ConcurrentHashMap<>();

    /**
     * Adds an attempt.
     *
     * @return number of the key's attempts, this one included
     */
    int add(String key, Instant now) {
        bound(tries, t -> t.since().isBefore(now.minus(WITHIN)));
        return tries.compute(
                        key,
                        (same, before) -> before == null || before.since().isBefore(now.minus(WITHIN))
                                ? new Tries(now, 1)
                                : new Tries(before.since(), before.count() + 1))
                .count();
    }

    /** Makes room in a full map: removes its old values, or all if none is old. */
    static <T> void bound(Map<String, T> map, Predicate<T> old) {
        if (map.size() >= MOST_KEYS) {
            map.values().removeIf(old);
            if (map.size() >= MOST_KEYS) {
                map.clear();
            }
        }
    }

    /** Takes one attempt back. */
    void forgive(String key) {
        tries.computeIfPresent(key, (same, t) -> t.count() > 1 ? new Tries(t.since(), t.count() - 1) : null);
    }

    void forget(String key) {
        tries.remove(key);
    }
}
