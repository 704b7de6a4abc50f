package org.metasched.adapter.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/** What a reader of a command's output must stand: the same output cut short, and with a few characters wrong. */
public final class DamagedOutput {

    private static final int ROUNDS = Integer.getInteger("metasched.fuzz", 2_000);

    private DamagedOutput() {}

    /** Cut at any place but its end, an output with a clear end is refused. */
    public static void cutEverywhere(String whole, Function<String, ?> reader) {
        for (int length = 0; length < whole.strip().length(); length++) {
            String cut = whole.substring(0, length);
            assertThatThrownBy(() -> reader.apply(cut))
                    .as("cut at %d", length)
                    .isInstanceOf(OutputFormatException.class);
        }
    }

    /**
     * Damaged at random, it is refused in few words, or read.
     *
     * @param readings what must be true of what is read all the same
     */
    public static <T> void damage(String whole, Function<String, T> reader, long seed, Consumer<T> readings) {
        var random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            String damaged = damaged(whole, random);
            T read;
            try {
                read = reader.apply(damaged);
            } catch (OutputFormatException refused) {
                assertThat(refused.getMessage()).hasSizeLessThan(600);
                continue;
            }
            assertThat(read).as("seed %d, round %d", seed, round).isNotNull().satisfies(readings::accept);
        }
    }

    private static String damaged(String whole, Random random) {
        var damaged = new StringBuilder(whole);
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(damaged.length());
            switch (random.nextInt(3)) {
                case 0 -> damaged.setCharAt(at, (char) (32 + random.nextInt(95)));
                case 1 -> damaged.deleteCharAt(at);
                default -> damaged.insert(at, (char) random.nextInt(0x300));
            }
        }
        return damaged.toString();
    }
}
