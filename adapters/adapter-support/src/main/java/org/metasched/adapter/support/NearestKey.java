package org.metasched.adapter.support;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/** Finds the word somebody meant. */
public final class NearestKey {

    private NearestKey() {}

    /** The candidate with the fewest edits, if there are few enough to look like a slip. {@code O(n·m²)}. */
    public static Optional<String> of(String word, Collection<String> candidates) {
        String wanted = word.toLowerCase(Locale.ROOT);
        int fewest = Math.max(2, wanted.length() / 3) + 1;
        Optional<String> nearest = Optional.empty();
        if (wanted.length() > 64) {
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

    /** " Maybe …" for a message, or nothing. */
    static String hint(String word, Collection<String> candidates) {
        return of(word, candidates)
                .map(nearest -> "\nMaybe '" + nearest + "' was meant.")
                .orElse("");
    }

    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
