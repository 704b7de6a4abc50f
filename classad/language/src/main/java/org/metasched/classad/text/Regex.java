package org.metasched.classad.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of the language: PCRE over byte strings, executed by java.util.regex after {@link PcreSyntax} has translated the
 * pattern. The work is bounded: a search that looks at too many characters is given up. Recently used patterns are cached. Thread-safe.
 */
public final class Regex {

    /** How often one search may look at a character by default, besides ten looks for each character of its target. */
    public static final int DEFAULT_STEPS = 1_000_000;

    /** Bytes of memory for a byte of a pattern, about: it becomes at most one node of the compiled pattern. */
    private static final int BYTES_OF_A_BYTE = 100;

    private static final BoundedCache<Regex> CACHE =
            new BoundedCache<>(512, regex -> 512 + (long) BYTES_OF_A_BYTE * regex.pattern.length());

    /** The most bytes of a pattern. */
    private static final int LONGEST_PATTERN = 32_768;

    /** The largest product of the lower counts in braces, see {@link #repeatsTooOften}. */
    private static final long MOST_REPEATS = 10_000_000;

    /** A pattern with three quantifiers and no groups looks at a target of 64 bytes less than a million times. */
    private static final int FEW_QUANTIFIERS = 3;

    private static final int SHORT_TARGET = 64;

    private final String pattern;
    private final int flags;

    /** The translated pattern; null if the pattern is malformed. */
    private final @Nullable Pattern compiled;

    /** The byte that every match ends with; NUL if unknown. */
    private final char lastLiteral;

    /** Whether a match can begin only at the start of the target. */
    private final boolean anchored;

    /** Whether the pattern has at most {@link #FEW_QUANTIFIERS} and no groups, so that a search of a short target is fast. */
    private final boolean simple;

    private Regex(String pattern, int flags) {
        this.pattern = pattern;
        this.flags = flags;
        this.compiled = compile(pattern, flags);
        this.lastLiteral = flags == 0 ? lastLiteral(pattern) : 0;
        this.anchored = flags == 0 && pattern.startsWith("^") && pattern.indexOf('|') < 0 && !pattern.contains("(?");
        this.simple = pattern.indexOf('(') < 0
                && pattern.chars().filter(c -> "*+?{".indexOf(c) >= 0).count() <= FEW_QUANTIFIERS;
    }

    /** The letter or digit that ends a pattern without alternatives and escapes, else NUL. Saves searches of targets without it. */
    private static char lastLiteral(String pattern) {
        char last = pattern.isEmpty() ? 0 : pattern.charAt(pattern.length() - 1);
        boolean plain = pattern.indexOf('\\') < 0 && pattern.indexOf('|') < 0 && !pattern.contains("(?");
        return plain && Character.isLetterOrDigit(last) ? last : 0;
    }

    /** The pattern of Java, or null if PCRE refuses the pattern, or it would take too long. */
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
     * Whether the lower counts in braces would take too long if each group were inside the next, so that they multiply. Java repeats a
     * group that matches the empty text without looking at a character, so that {@link Counted} could not stop it.
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

    /**
     * The regular expression of a pattern; null if that is malformed.
     *
     * @param pattern a byte string
     * @param options any of the letters {@code i m s x}, as in PCRE; other characters are ignored
     */
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

    /** Whether a target lacks a byte that every match has. If false, only a search can tell. */
    public boolean cannotMatch(String target) {
        return lastLiteral != 0 && target.indexOf(lastLiteral) < 0;
    }

    /** A new search for this pattern, which can be used for many targets by one thread at a time. */
    public Search search() {
        return new Search(this);
    }

    /** A matcher and its target, which can be exchanged. Not thread-safe. */
    public static final class Search {

        private final Regex regex;
        private final Counted text = new Counted();
        private final Matcher matcher;

        /** The looks that are allowed at the current target; 0 if they are not counted. */
        private int allowed;

        private Search(Regex regex) {
            this.regex = regex;
            if (regex.compiled == null) {
                throw new IllegalStateException("The pattern (%s) was not compiled.".formatted(regex.pattern));
            }
            matcher = regex.compiled.matcher(text);
        }

        /** Whether this is a search for that regular expression. */
        public boolean isFor(Regex other) {
            return regex == other;
        }

        /**
         * Whether the pattern is found in a target.
         *
         * @param steps the looks that are allowed, besides ten for each character of the target
         * @param countable whether to count looks even where the search cannot take long, which is slower
         * @throws TooMuchWork beyond the allowed looks; this search must not be used again
         */
        public boolean finds(String target, int steps, boolean countable) {
            Matcher over = over(target, steps, countable);
            return regex.anchored ? over.lookingAt() : over.find();
        }

        /** The matcher over a target, which throws {@link TooMuchWork} beyond {@code steps} looks and ten for each character. */
        public Matcher over(String target, int steps) {
            return over(target, steps, true);
        }

        /** The matcher over a target; see {@link #finds}. */
        private Matcher over(String target, int steps, boolean countable) {
            boolean harmless = !countable && regex.simple && target.length() <= SHORT_TARGET && steps >= DEFAULT_STEPS;
            allowed = 0;
            text.left = 0;
            if (harmless) {
                return matcher.reset(target);
            }
            text.text = target;
            allowed = (int) Math.min(Integer.MAX_VALUE, steps + 10L * target.length());
            text.left = allowed;
            return matcher.reset(text);
        }

        /** The number of looks at the current target, as far as they were counted. */
        public int looks() {
            return allowed - Math.max(0, text.left);
        }
    }

    /** A search that looked at more characters than it may. */
    public static final class TooMuchWork extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooMuchWork() {
            super("A regular expression looked at more characters than its limit of steps allows.", null, false, false);
        }
    }

    /** A target that counts the looks at its characters, and throws when none is left. */
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
