package org.metasched.classad;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of the language: PCRE over bytes, run by java.util.regex after a translation of what the two write
 * differently. Work is bounded: a match that looks at too many characters gives up. Recently used patterns are kept.
 */
final class Regex {

    private static final int CACHED = 512;
    private static final @Nullable Regex[] CACHE = new Regex[CACHED];
    private static final int LONGEST_PATTERN = 32_768;

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
        if (pattern.length() > LONGEST_PATTERN) {
            return null;
        }
        try {
            String translated = PcreSyntax.translate(pattern, flags);
            return translated == null ? null : Pattern.compile(translated, flags | Pattern.UNIX_LINES);
        } catch (PatternSyntaxException | StackOverflowError malformed) {
            return null;
        }
    }

    /** The pattern with option letters {@code i m s x}, others being ignored; null if it is malformed. */
    static @Nullable Regex of(String pattern, String options) {
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
        int place = (pattern.hashCode() * 31 + flags & 0x7fffffff) % CACHED;
        Regex cached = CACHE[place];
        if (cached == null || cached.flags != flags || !cached.pattern.equals(pattern)) {
            cached = new Regex(pattern, flags);
            CACHE[place] = cached;
        }
        return cached.compiled == null ? null : cached;
    }

    /** Whether the pattern is found in a target; beyond the limit it throws {@link TooMuchWork}. */
    boolean isFoundIn(String target, Evaluation e) {
        if (lastLiteral != 0 && target.indexOf(lastLiteral) < 0) {
            return false;
        }
        Search search = e.search;
        if (search == null || search.regex != this) {
            search = new Search(this);
        }
        // Nobody else may use it meanwhile; after a failure nobody will.
        e.search = null;
        Matcher matcher = search.over(target, e.limits());
        boolean found = anchored ? matcher.lookingAt() : matcher.find();
        e.search = search;
        return found;
    }

    /** A matcher whose every look at a character counts; beyond the limit it throws {@link TooMuchWork}. */
    Matcher matcher(String target, Limits limits) {
        return new Search(this).over(target, limits);
    }

    /** A matcher and the text it looks at, which can be exchanged. Belongs to one thread. */
    static final class Search {

        private final Regex regex;
        private final Counted text = new Counted();
        private final Matcher matcher;

        Search(Regex regex) {
            this.regex = regex;
            if (regex.compiled == null) {
                throw new IllegalStateException("The pattern (%s) was not compiled.".formatted(regex.pattern));
            }
            matcher = regex.compiled.matcher(text);
        }

        Matcher over(String target, Limits limits) {
            boolean harmless = regex.simple
                    && target.length() <= SHORT_TARGET
                    && limits.regexSteps() >= Limits.DEFAULT.regexSteps();
            if (harmless) {
                return matcher.reset(target);
            }
            text.text = target;
            text.left = (int) Math.min(Integer.MAX_VALUE, limits.regexSteps() + 10L * target.length());
            return matcher.reset(text);
        }
    }

    /** A match that takes too long. */
    static final class TooMuchWork extends RuntimeException {

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
