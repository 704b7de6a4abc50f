package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * Fuzzing for cost: what a stranger's message of up to a megabyte costs until its sender is known grows with its bytes. As a test, the inputs
 * of the test resources are run once.
 *
 * <p>An input is a recipe: lines with a number and a piece of text that is repeated so often. In a piece {@code ~} stands for another name of
 * the same hash each time, {@code ^} for the next number, and {@code KNOWN} for a certificate that is believed.
 */
@Tag("full")
class MessageFuzzTest {

    private static final int LONGEST = 1 << 20;
    private static final int MOST_PIECES = 64;
    private static final int TRIES = 10;
    /** Milliseconds for the smallest message, and for a megabyte, with all that a fuzzer counts. */
    private static final double FOR_NOTHING = 200;

    private static final double FOR_A_MEGABYTE = 200;

    private static final StrangersMessage READING = open();

    private static StrangersMessage open() {
        try {
            Path folder = Files.createTempDirectory("metasched-fuzz");
            var reading = new StrangersMessage(folder);
            try (var files = Files.walk(folder)) {
                files.forEach(file -> file.toFile().deleteOnExit());
            }
            return reading;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @FuzzTest
    void costsWhatItsBytesCost(byte[] recipe) {
        byte[] message = message(recipe);
        double most = FOR_NOTHING + FOR_A_MEGABYTE * message.length / LONGEST;
        var costs = new ArrayList<Double>();
        do {
            costs.add(READING.milliseconds(message));
        } while (costs.get(costs.size() - 1) > most && costs.size() < TRIES);

        assertThat(costs).as("milliseconds of %d bytes", message.length).anyMatch(cost -> cost <= most);
    }

    private static byte[] message(byte[] recipe) {
        var text = new StringBuilder();
        for (String line : List.of(new String(recipe, StandardCharsets.ISO_8859_1).split("\n", MOST_PIECES))) {
            int blank = line.indexOf(' ');
            String piece = line.substring(blank + 1);
            int times = Math.min(LONGEST, times(line.substring(0, Math.max(0, blank))));
            for (int i = 0; i < times && text.length() < LONGEST; i++) {
                text.append(piece.replace("~", CostBeforeIdentityTest.equalHash(i))
                        .replace("^", String.valueOf(i))
                        .replace("KNOWN", READING.certificate));
            }
        }
        return text.substring(0, Math.min(LONGEST, text.length())).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static int times(String number) {
        try {
            return Math.max(0, Integer.parseInt(number));
        } catch (NumberFormatException none) {
            return 1;
        }
    }
}
