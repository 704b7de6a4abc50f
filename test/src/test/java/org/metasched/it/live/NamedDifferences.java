package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Differences that {@code docs/dag-quirks.md} lists, told by what the two sides say. Not thread-safe. */
final class NamedDifferences {

    /**
     * A difference.
     *
     * @param row begin of its row in the document
     * @param theirs found in what HTCondor's command says
     * @param ours found in what ours says
     * @param text found in the text that both read
     */
    record Named(String row, Pattern theirs, Pattern ours, Pattern text) {

        /** They refuse a text that we take. */
        static Named refusedThere(String row, String theirs, String text) {
            return values(row, theirs, NOTHING, text);
        }

        /** We refuse a text that they take. */
        static Named refusedHere(String row, String ours, String text) {
            return values(row, NOTHING, ours, text);
        }

        static Named values(String row, String theirs, String ours, String text) {
            return new Named(row, pattern(theirs), pattern(ours), pattern(text));
        }

        private static Pattern pattern(String regex) {
            return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
        }

        boolean explains(String saidThere, String saidHere, String read) {
            return theirs.matcher(saidThere).find()
                    && ours.matcher(saidHere).find()
                    && text.matcher(read).find();
        }
    }

    private static final String NOTHING = "\\A\\z";

    private final List<Named> named;
    private final Map<String, Integer> seen = new TreeMap<>();
    private final List<String> unnamed = new ArrayList<>();

    NamedDifferences(List<Named> named) {
        this.named = List.copyOf(named);
    }

    /** @param saidThere what HTCondor's command says, empty if it accepts */
    void add(String title, String saidThere, String saidHere, String read) {
        named.stream()
                .filter(one -> one.explains(saidThere, saidHere, read))
                .findFirst()
                .ifPresentOrElse(
                        one -> seen.merge(one.row(), 1, Integer::sum),
                        () -> unnamed.add(title + "\n  theirs: " + saidThere + "\n  ours: " + saidHere + "\n" + read));
    }

    List<String> unnamed() {
        return unnamed;
    }

    int count() {
        return seen.values().stream().mapToInt(Integer::intValue).sum();
    }

    Map<String, Integer> seen() {
        return seen;
    }

    /** Each has its row in the document, and none of them is left over from a version that is gone. */
    void areListedAndSeen() throws IOException {
        Path file = Path.of(System.getProperty("metasched.root"), "docs/dag-quirks.md");
        List<String> rows = Files.readAllLines(file);
        assertThat(named).allSatisfy(one -> {
            assertThat(rows).anyMatch(row -> row.startsWith("| " + one.row()));
            assertThat(seen).containsKey(one.row());
        });
    }
}
