package org.metasched.bench.command;

import java.util.List;
import java.util.SplittableRandom;

/** Numbers by Sebastiano Vigna's splitmix64, which {@link SplittableRandom} is: the same on every machine. Not thread-safe. */
final class SplitMix64 {

    /** A value and how many chances it has. */
    record Weighted<T>(T value, int weight) {}

    private final SplittableRandom random;

    SplitMix64(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** A number in {@code [0, bound)}, from the upper 53 bits. */
    int below(int bound) {
        return (int) ((random.nextLong() >>> 11) % bound);
    }

    /** One of the values, as likely as its weight says. */
    <T> T pick(List<Weighted<T>> choices) {
        int total = 0;
        for (Weighted<T> choice : choices) {
            total += choice.weight();
        }
        int rest = below(total);
        for (Weighted<T> choice : choices) {
            if (rest < choice.weight()) {
                return choice.value();
            }
            rest -= choice.weight();
        }
        throw new IllegalArgumentException("The choices " + choices + " have no positive weight.");
    }

    /** Fisher and Yates, from the end. */
    void shuffle(int[] values) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = below(i + 1);
            int swapped = values[i];
            values[i] = values[j];
            values[j] = swapped;
        }
    }
}
