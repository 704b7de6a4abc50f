package org.metasched.classad.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of the language: PCRE over bytes, run by java.util.regex after a translation of what the two write
 * differently. Work is bounded: a match that looks at too many characters gives up. Recently used patterns are kept.
 */
public final class Regex {

    /** Characters that one search may look at unless its caller says otherwise, besides ten for each of its target. */
    public static final int DEFAULT_STEPS = 1_000_000;

    /** A byte of a pattern becomes at most a node of its own. */
    private static final int BYTES_OF_A_BYTE = 100;

    private static final BoundedCache<Regex> CACHE =
            new BoundedCache<>(512, regex -> 512 + (long) BYTES_OF_A_BYTE * regex.pattern.length());
    private static final int LONGEST_PATTERN = 32_768;
    private static final long MOST_REPEATS = 10_000_000;

    /** So many quantifiers look at a target of so many bytes less than a million times, wherever the match begins. */
    private static final int FEW_QUANTIFIERS = 3;

    private static final int SHORT_TARGET = 64;

    private final String pattern;
    private final int flags;
    private final @Nullable Pattern compiled;
    private final char lastLiteral;

    /** Whether a match can begin nowhere but at the start. */
    private final boolean anchored;

    /** Whether the pattern has so few quantifiers, and none around another, that a short target cannot take long. */
    private final boolean simple;

    private Regex(String pattern, int flags) {
        this.pattern = pattern;
        this.flags = flags;
        this.compiled = compile(pattern, flags);
        this.lastLiteral = flags == 0 ? lastLiteral(pattern) : 0;
        this.anchored = flags == 0
                && pattern.startsWith("^")
                && pattern.indexOf('|') < 0
                && !pattern.contains("(?")
                && !pattern.startsWith("*", 1);
        this.simple = pattern.indexOf('(') < 0
                && pattern.chars().filter(c -> "*+?{".indexOf(c) >= 0).count() <= FEW_QUANTIFIERS;
    }

    /** A byte that every match must end with, if the pattern shows it plainly; else 0. Saves hopeless backtracking. */
    private static char lastLiteral(String pattern) {
        char last = pattern.isEmpty() ? 0 : pattern.charAt(pattern.length() - 1);
        boolean plain = pattern.indexOf('\\') < 0 && pattern.indexOf('|') < 0 && !pattern.contains("(?");
        return plain && Character.isLetterOrDigit(last) ? last : 0;
    }

    private static @Nullable Pattern compile(String pattern, int flags) {
        if (pattern.length() > LONGEST_PATTERN || repeatsTooOften(pattern)) {
            return null;
        }
        try {
            String translated = PcreSyntax.translate(pattern, flags);
            return translated == null ? null : Pattern.compile(translated, flags | Pattern.UNIX_LINES);
        } catch (PatternSyntaxException | StackOverflowError malformed) {
            return null;
        }
    }

    /**
     * Whether repetitions, if each is inside the next, come to more than the engine does in a moment: it repeats what is empty
     * without looking at a character, so that nothing is counted.
     */
    private static boolean repeatsTooOften(String pattern) {
        long product = 1;
        for (int i = pattern.indexOf('{'); i >= 0 && product <= MOST_REPEATS; i = pattern.indexOf('{', i + 1)) {
            long times = 0;
            int k = i + 1;
            while (k < pattern.length()
                    && pattern.charAt(k) >= '0'
                    && pattern.charAt(k) <= '9'
                    && times <= MOST_REPEATS) {
                times = times * 10 + pattern.charAt(k++) - '0';
            }
            product *= Math.max(1, times);
        }
        return product > MOST_REPEATS && pattern.indexOf('(') >= 0;
    }

    /** The pattern with option letters {@code i m s x}, others being ignored; null if it is malformed. */
    public static @Nullable Regex of(String pattern, String options) {
        int flags = 0;
        for (int i = 0; i < options.length(); i++) {
            flags |= switch (options.charAt(i)) {
                case 'i' -> Pattern.CASE_INSENSITIVE;
                case 'm' -> Pattern.MULTILINE;
                case 's' -> Pattern.DOTALL;
                case 'x' -> Pattern.COMMENTS;
                default -> 0;
            };
        }
        int hash = pattern.hashCode() * 31 + flags;
        int place = hash ^ hash >>> 9 ^ hash >>> 18;
        Regex cached = CACHE.get(place);
        if (cached == null || cached.flags != flags || !cached.pattern.equals(pattern)) {
            cached = new Regex(pattern, flags);
            CACHE.put(place, cached);
        }
        return cached.compiled == null ? null : cached;
    }

    /** Whether no target without a certain byte can match, and this target lacks it: answered without a search. */
    public boolean cannotMatch(String target) {
        return lastLiteral != 0 && target.indexOf(lastLiteral) < 0;
    }

    /** A search for this pattern; it can be used again for other targets, by one thread at a time. */
    public Search search() {
        return new Search(this);
    }

    /** A matcher and the text it looks at, which can be exchanged. Belongs to one thread. */
    public static final class Search {

        private final Regex regex;
        private final Counted text = new Counted();
        private final Matcher matcher;
        private int given;

        private Search(Regex regex) {
            this.regex = regex;
            if (regex.compiled == null) {
                throw new IllegalStateException("The pattern (%s) was not compiled.".formatted(regex.pattern));
            }
            matcher = regex.compiled.matcher(text);
        }

        /** Whether this searches for that very pattern. */
        public boolean isFor(Regex other) {
            return regex == other;
        }

        /** Whether the pattern is found in a target; beyond the limit it throws {@link TooMuchWork}, and is of no more use. */
        public boolean finds(String target, int steps, boolean countable) {
            Matcher over = over(target, steps, countable);
            return regex.anchored ? over.lookingAt() : over.find();
        }

        /** The matcher over a target, its looks counted. */
        public Matcher over(String target, int steps) {
            return over(target, steps, true);
        }

        private Matcher over(String target, int steps, boolean countable) {
            boolean harmless = !countable && regex.simple && target.length() <= SHORT_TARGET && steps >= DEFAULT_STEPS;
            given = 0;
            text.left = 0;
            if (harmless) {
                return matcher.reset(target);
            }
            text.text = target;
            given = (int) Math.min(Integer.MAX_VALUE, steps + 10L * target.length());
            text.left = given;
            return matcher.reset(text);
        }

        /** The looks that were counted since the target was given. */
        public int looks() {
            return given - Math.max(0, text.left);
        }
    }

    /** A match that takes too long. */
    public static final class TooMuchWork extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooMuchWork() {
            super("The regular expression looks at too many characters.", null, false, false);
        }
    }

    /** A text that counts how often it is looked at. */
    private static final class Counted implements CharSequence {

        private String text = "";
        private int left;

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooMuchWork();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
