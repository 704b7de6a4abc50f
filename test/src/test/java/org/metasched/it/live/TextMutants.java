package org.metasched.it.live;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** Texts of lines and words, each damaged in one place or two. The same seed gives the same texts. Not thread-safe. */
final class TextMutants {

    private final Random random;
    private final List<String> bases;
    private final List<String> words;

    /** @param words that take the place of others */
    TextMutants(long seed, List<String> bases, List<String> words) {
        this.random = new Random(seed);
        this.bases = List.copyOf(bases);
        this.words = List.copyOf(words);
    }

    /** The parts of a resource, which lines of equals signs separate. */
    static List<String> parts(String resource) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(TextMutants.class.getResourceAsStream("/mutants/" + resource), resource)) {
            return List.of(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("(?m)^=====\n"));
        }
    }

    String next() {
        var lines = new ArrayList<>(one(bases).lines().toList());
        for (int left = 1 + random.nextInt(4) / 3; left > 0; left--) {
            if (random.nextInt(3) == 0) {
                mutateLines(lines);
            } else {
                int at = random.nextInt(lines.size());
                lines.set(at, mutated(lines.get(at)));
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private void mutateLines(List<String> lines) {
        int at = random.nextInt(lines.size());
        int other = random.nextInt(lines.size());
        switch (random.nextInt(5)) {
            case 0 -> {
                if (lines.size() > 1) {
                    lines.remove(at);
                }
            }
            case 1 -> lines.add(other, lines.get(at));
            case 2 -> lines.set(at, lines.set(other, lines.get(at)));
            case 3 -> lines.add(at, one(one(bases).lines().toList()));
            default -> lines.set(at, lines.get(at) + " " + lines.get(other).strip());
        }
    }

    private String mutated(String line) {
        if (random.nextInt(3) == 0) {
            return withCharacterChanged(line);
        }
        var all = new ArrayList<>(List.of(line.split(" ", -1)));
        // The first word is a command, and without it a text is refused: the others change more often.
        int at = Math.max(random.nextInt(all.size()), random.nextInt(all.size()));
        int other = random.nextInt(all.size());
        switch (random.nextInt(6)) {
            case 0 -> all.remove(at);
            case 1 -> all.add(at, all.get(at));
            case 2 -> all.set(at, all.set(other, all.get(at)));
            case 3 -> all.set(at, one(words));
            case 4 -> all.add(at, one(words));
            default -> all.set(at, changedCase(all.get(at)));
        }
        return String.join(" ", all);
    }

    private static String changedCase(String word) {
        String lower = word.toLowerCase(java.util.Locale.ROOT);
        return lower.equals(word) ? word.toUpperCase(java.util.Locale.ROOT) : lower;
    }

    /** Drops, doubles or replaces a character, quotes and brackets before others. */
    private String withCharacterChanged(String line) {
        if (line.isEmpty()) {
            return one(words);
        }
        int at = random.nextInt(line.length());
        int special = random.nextInt(2) == 0 ? nextSpecial(line, at) : at;
        String before = line.substring(0, special);
        String after = line.substring(special + 1);
        return switch (random.nextInt(3)) {
            case 0 -> before + after;
            case 1 -> before + line.charAt(special) + line.charAt(special) + after;
            default -> before + "\"'(){}$=\\#,:;+".charAt(random.nextInt(14)) + after;
        };
    }

    private static int nextSpecial(String line, int from) {
        for (int i = 0; i < line.length(); i++) {
            int at = (from + i) % line.length();
            if ("\"'(){}$=\\,:;".indexOf(line.charAt(at)) >= 0) {
                return at;
            }
        }
        return from;
    }

    private <T> T one(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
