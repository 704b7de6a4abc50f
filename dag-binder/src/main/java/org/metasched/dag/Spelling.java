package org.metasched.dag;

import java.util.Optional;

/** Finds the word a user may have meant, by edit distance (Damerau's, adjacent letters may be swapped). */
final class Spelling {

    private static final int LONGEST = 64;

    private Spelling() {}

    /** The nearest of the candidates, if it is near enough to be a slip: at most a third of the letters differ. */
    static Optional<String> nearest(String word, Iterable<String> candidates) {
        if (word.isEmpty() || word.length() > LONGEST) {
            return Optional.empty();
        }
        int allowed = Math.max(1, Math.min(3, word.length() / 3));
        String best = null;
        for (String candidate : candidates) {
            if (Math.abs(candidate.length() - word.length()) > allowed || candidate.length() > LONGEST) {
                continue;
            }
            int distance = distance(word, candidate);
            if (distance <= allowed && !candidate.equals(word)) {
                best = candidate;
                allowed = distance - 1;
            }
        }
        return Optional.ofNullable(best);
    }

    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                d[i][j] = i == 0 ? j : j == 0 ? i : cell(d, a, b, i, j);
            }
        }
        return d[a.length()][b.length()];
    }

    private static int cell(int[][] d, String a, String b, int i, int j) {
        int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int least = Math.min(d[i - 1][j - 1] + cost, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, d[i - 2][j - 2] + 1) : least;
    }
}
