package org.metasched.submit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A file of cases: a line {@code > input}, in which a bar stands for the end of a line and {@code \|} for a backslash before one, then
 * the lines that are expected, then an empty line. What a test finds instead is written to {@code target/golden}, to be read before
 * it is copied.
 */
public final class GoldenCases {

    private GoldenCases() {}

    /** What is said of one input. */
    @FunctionalInterface
    public interface Subject {
        List<String> say(String input) throws IOException;
    }

    /** Compares the whole file. */
    public static void check(Class<?> test, String name, Subject subject) throws IOException {
        String wanted;
        try (var in = Objects.requireNonNull(test.getResourceAsStream(name), name)) {
            wanted = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        List<String> found = new ArrayList<>();
        for (String line : wanted.lines().toList()) {
            if (line.startsWith("#")) {
                found.add(line);
            } else if (line.startsWith("> ")) {
                found.add(line);
                found.addAll(subject.say(line.substring(2)
                        .replace("\\|", "\\\n")
                        .replace('|', '\n')
                        .replace('\u00a6', '|')));
                found.add("");
            }
        }
        Path copy = Files.createDirectories(Path.of("target", "golden")).resolve(name);
        Files.write(copy, found);
        assertThat(found).as("cases, copy in " + copy).isEqualTo(wanted.lines().toList());
    }
}
