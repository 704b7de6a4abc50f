package org.metasched.classad.gang;

import java.util.List;

/** Sebastiano Vigna's splitmix64 with unsigned 64-bit arithmetic: the same numbers on every machine. Not thread-safe. */
final class SplitMix64 {

    /** A value and how many chances it has. */
    record Weighted<T>(T value, int weight) {}

    private long state;

    SplitMix64(long seed) {
        this.state = seed;
    }

    long next() {
        state += 0x9E3779B97F4A7C15L;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** A number in {@code [0, bound)}, from the upper 53 bits. */
    int below(int bound) {
        return (int) ((next() >>> 11) % bound);
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
