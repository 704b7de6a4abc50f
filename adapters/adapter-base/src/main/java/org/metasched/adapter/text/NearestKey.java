package org.metasched.adapter.text;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** The known word nearest to a misspelt one, for the hint of an error message. */
public final class NearestKey {

    private NearestKey() {}

    /** The candidate with the fewest edits, if there are few enough to look like a slip. {@code O(n·m²)}. */
    public static Optional<String> of(String word, Collection<String> candidates) {
        String wanted = word.toLowerCase(Locale.ROOT);
        int fewest = Math.max(2, wanted.length() / 3) + 1;
        Optional<String> nearest = Optional.empty();
        if (wanted.length() > 64) { // no slip, and costly to compare
            return nearest;
        }
        for (String candidate : new TreeSet<>(candidates)) {
            int edits = edits(wanted, candidate.toLowerCase(Locale.ROOT));
            if (edits < fewest) {
                fewest = edits;
                nearest = Optional.of(candidate);
            }
        }
        return nearest;
    }

    /** A line {@code Maybe '…' was meant.} to append to a message, line break included, or an empty text. */
    public static String hint(String word, Collection<String> candidates) {
        return of(word, candidates)
                .map(nearest -> "\nMaybe '" + nearest + "' was meant.")
                .orElse("");
    }

    /** Damerau's edit distance: characters added, left out, replaced, or swapped with their neighbour. */
    public static int edits(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    edits[i][j] = i + j;
                    continue;
                }
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                int fewest = Math.min(edits[i - 1][j], edits[i][j - 1]) + 1;
                fewest = Math.min(fewest, edits[i - 1][j - 1] + (same ? 0 : 1));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                edits[i][j] = swapped ? Math.min(fewest, edits[i - 2][j - 2] + 1) : fewest;
            }
        }
        return edits[a.length()][b.length()];
    }
}
