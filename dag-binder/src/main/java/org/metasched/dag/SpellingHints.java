package org.metasched.dag;

import java.util.Optional;
import org.metasched.adapter.text.NearestKey;

/** Finds the word a user may have meant, by edit distance. */
final class SpellingHints {

    /** Longer words get no hint: the distance of two words costs the product of their lengths. */
    private static final int LONGEST = 64;

    private SpellingHints() {}

    /**
     * The nearest of the candidates, if it is near enough to be a slip: at most a third of the letters differ, at least one, at most three.
     */
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
            int distance = NearestKey.edits(word, candidate);
            if (distance <= allowed && !candidate.equals(word)) {
                best = candidate;
                allowed = distance - 1;
            }
        }
        return Optional.ofNullable(best);
    }
}
