package org.metasched.classad.text;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A translator of PCRE patterns for java.util.regex, where the same text means something else: brackets and {@code &&} inside classes,
 * POSIX classes, braces that are no quantifiers, comments, the older names of groups, a {@code ^} before an empty line at the
 * end. Patterns that PCRE refuses are refused even if Java accepts them. {@link PcreEscapes} translates the escapes.
 *
 * <p>A method rewrites the item at the current offset and moves behind it; false means that PCRE refuses it, or Java cannot do it.
 */
final class PcreSyntax {

    /** The largest count of a quantifier in PCRE. */
    private static final int MOST_REPEATS = 65_535;

    /** The members of each POSIX class in Java's syntax, in the C locale. */
    private static final Map<String, String> POSIX = Map.ofEntries(
            Map.entry("alpha", "a-zA-Z"),
            Map.entry("digit", "0-9"),
            Map.entry("alnum", "a-zA-Z0-9"),
            Map.entry("upper", "A-Z"),
            Map.entry("lower", "a-z"),
            Map.entry("space", "\\t\\n\\x0B\\f\\r\\x20"),
            Map.entry("blank", "\\x20\\t"),
            Map.entry("punct", "!-/:-@\\x5B-`{-~"),
            Map.entry("print", "\\x20-~"),
            Map.entry("graph", "!-~"),
            Map.entry("cntrl", "\\x00-\\x1F\\x7F"),
            Map.entry("xdigit", "0-9A-Fa-f"),
            Map.entry("word", "a-zA-Z0-9_"),
            Map.entry("ascii", "\\x00-\\x7F"));

    final String pattern;

    /** The translation so far. */
    final StringBuilder out = new StringBuilder();

    /** The number of capturing groups in the whole pattern. */
    final int groups;

    /** The current offset in the pattern. */
    int at;

    /** The number of capturing groups that begin before the current offset. */
    int opened;

    /** Whether a quantifier may stand here: after an item, but not after an assertion or another quantifier. */
    boolean repeatable;

    /** Whether the last member of a class was a set of characters, which cannot begin a range. */
    boolean afterSet;

    private final PcreEscapes escapes = new PcreEscapes(this);

    /** Whether the option {@code x} is set: white space and comments are ignored. */
    private final boolean extended;

    /** Whether the option {@code m} is or has been set: {@code ^} also matches behind a line feed. */
    private boolean multiline;

    private PcreSyntax(String pattern, int flags) {
        this.pattern = pattern;
        this.extended = (flags & Pattern.COMMENTS) != 0;
        this.multiline = (flags & Pattern.MULTILINE) != 0;
        this.groups = groups(pattern);
    }

    /** The pattern in Java's syntax, or null if PCRE would refuse it or Java cannot do it. */
    static @Nullable String translate(String pattern, int flags) {
        var syntax = new PcreSyntax(pattern, flags);
        return syntax.all() ? syntax.out.toString() : null;
    }

    /** Translates the whole pattern. */
    private boolean all() {
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            boolean good = switch (c) {
                case '\\' -> escapes.outside();
                case '[' -> characterClass();
                case '(' -> group();
                case '{' -> brace();
                case '*', '+', '?' -> quantifier(at + 1);
                default -> plain(c);
            };
            if (!good) {
                return false;
            }
        }
        return true;
    }

    /** Whether the pattern has this text at the current offset. */
    boolean startsWith(String text) {
        return pattern.startsWith(text, at);
    }

    /** The character {@code ahead} places behind the current offset; NUL behind the end. */
    char peek(int ahead) {
        int i = at + ahead;
        return i < pattern.length() ? pattern.charAt(i) : 0;
    }

    /** Appends to the translation, and moves the current offset by the consumed characters. */
    void emit(String text, int consumed) {
        out.append(text);
        at += consumed;
    }

    /** A character that is itself, a comment, or an assertion. */
    private boolean plain(char c) {
        if (extended && c == '#') {
            int end = pattern.indexOf('\n', at);
            at = end < 0 ? pattern.length() : end;
            return true;
        }
        if (!extended || !Bytes.isSpace(c)) {
            repeatable = c != '^' && c != '$' && c != '|';
        }
        // Java's ^ does not match at the end of the target, not even if that is empty.
        boolean caret = c == '^' && multiline;
        emit(caret ? "(?:^|\\A)" : c == '}' || c == ']' ? "\\" + c : String.valueOf(c), 1);
        return true;
    }

    /** A quantifier that ends at an offset; a sign there that makes it lazy or possessive belongs to it. */
    private boolean quantifier(int end) {
        if (!repeatable) {
            return false;
        }
        repeatable = false;
        int stop = end < pattern.length() && "+?".indexOf(pattern.charAt(end)) >= 0 ? end + 1 : end;
        emit(pattern.substring(at, stop), stop - at);
        return true;
    }

    /** A brace, which is a quantifier if it looks like one, and else itself. */
    private boolean brace() {
        int first = digitsEnd(at + 1);
        int last = first < pattern.length() && pattern.charAt(first) == ',' ? digitsEnd(first + 1) : first;
        if (first == at + 1 || last >= pattern.length() || pattern.charAt(last) != '}') {
            repeatable = true;
            emit("\\{", 1);
            return true;
        }
        boolean bounded = last == first || last == first + 1;
        return number(at + 1, first) <= MOST_REPEATS
                && (bounded || number(first + 1, last) <= MOST_REPEATS)
                && quantifier(last + 1);
    }

    private int digitsEnd(int from) {
        int i = from;
        while (i < pattern.length() && pattern.charAt(i) >= '0' && pattern.charAt(i) <= '9') {
            i++;
        }
        return i;
    }

    /** The number in {@code pattern[from..to)}; more than {@link #MOST_REPEATS} if it has more than five digits. */
    private int number(int from, int to) {
        return to - from > 5 ? MOST_REPEATS + 1 : Integer.parseInt(pattern, from, to, 10);
    }

    /** A parenthesis, with what follows it up to the first item of the group; or a comment. */
    private boolean group() {
        if (startsWith("(?#")) {
            int end = pattern.indexOf(')', at);
            at = end + 1;
            return end >= 0;
        }
        repeatable = false;
        boolean captures = captures(pattern, at);
        opened += captures ? 1 : 0;
        if (!startsWith("(?")) {
            boolean verb = startsWith("(*");
            emit("(", 1);
            return !verb;
        }
        if (captures) {
            boolean python = peek(2) == 'P';
            char close = peek(2) == '\'' ? '\'' : '>';
            return groupName(at + (python ? 4 : 3), close, "(?<", ">");
        }
        if (startsWith("(?P=")) {
            repeatable = true;
            return groupName(at + 4, ')', "\\k<", ">");
        }
        return groupHead();
    }

    /** The head of a group that captures nothing: an assertion, an atomic group, or options. */
    private boolean groupHead() {
        char kind = peek(2);
        if (kind == '<' || ":=!>".indexOf(kind) >= 0) {
            int length = kind == '<' ? 4 : 3;
            boolean good = kind != '<' || peek(3) == '=' || peek(3) == '!';
            emit(pattern.substring(at, Math.min(pattern.length(), at + length)), length);
            return good;
        }
        int end = at + 2;
        var options = new StringBuilder();
        if (kind == '^') {
            options.append("-imsx");
            end++;
        }
        while (end < pattern.length() && "imsx-".indexOf(pattern.charAt(end)) >= 0) {
            options.append(pattern.charAt(end++));
        }
        String set = options.toString();
        // In PCRE xx also ignores blanks in classes, which Java cannot do.
        if (end >= pattern.length() || pattern.charAt(end) != ')' && pattern.charAt(end) != ':' || set.contains("xx")) {
            return false;
        }
        if (kind == '^') {
            set = set.substring(5) + set.substring(0, 5);
        }
        multiline |= set.indexOf('m') >= 0 && (set.indexOf('-') < 0 || set.indexOf('m') < set.indexOf('-'));
        emit("(?" + set + pattern.charAt(end), end + 1 - at);
        return true;
    }

    /**
     * A named group or a reference to one. Underscores, which Java refuses in names of groups, become {@code U95}.
     *
     * @param from the offset of the name
     * @param close the character behind the name
     * @param before the translation of the text in front of the name
     * @param after the translation of the character behind the name
     */
    boolean groupName(int from, char close, String before, String after) {
        int end = pattern.indexOf(close, from);
        if (end < 0) {
            return false;
        }
        emit(before + pattern.substring(from, end).replace("_", "U95") + after, end + 1 - at);
        return true;
    }

    /** A class of characters, {@code [...]}. */
    private boolean characterClass() {
        if (startsWith("[:") && closesPosix(':')) {
            return false;
        }
        repeatable = true;
        afterSet = false;
        emit("[", 1);
        if (peek(0) == '^') {
            emit("^", 1);
        }
        boolean first = true;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (c == ']' && !first) {
                emit("]", 1);
                return true;
            }
            first = false;
            if (afterSet && c == '-' && peek(1) != ']') {
                return false;
            }
            afterSet = false;
            if (!member(c)) {
                return false;
            }
        }
        return false;
    }

    /** A member of a class: a character, an escape, or a POSIX class. */
    private boolean member(char c) {
        if (c == '\\') {
            return escapes.inside();
        }
        if (c == '[' && (peek(1) == '.' || peek(1) == '=') && closesPosix(peek(1))) {
            return false;
        }
        if (c == '[' && peek(1) == ':' && closesPosix(':')) {
            return posixClass();
        }
        boolean special = "[]&^#".indexOf(c) >= 0 || Bytes.isSpace(c);
        emit(special ? "\\x%02X".formatted((int) c) : String.valueOf(c), 1);
        return true;
    }

    /** Whether the bracket and the sign here have their counterpart, {@code :]} for the sign {@code :}, before the class ends. */
    private boolean closesPosix(char sign) {
        int i = at + 2;
        while (i < pattern.length() && "]\\[".indexOf(pattern.charAt(i)) < 0 && pattern.charAt(i) != sign) {
            i++;
        }
        return i + 1 < pattern.length() && pattern.charAt(i) == sign && pattern.charAt(i + 1) == ']';
    }

    /** A POSIX class, such as {@code [:alpha:]} or {@code [:^alpha:]}. */
    private boolean posixClass() {
        int end = pattern.indexOf(":]", at + 2);
        boolean negated = peek(2) == '^';
        String members = POSIX.get(pattern.substring(at + (negated ? 3 : 2), end));
        if (members == null) {
            return false;
        }
        afterSet = true;
        emit(negated ? "[^" + members + "]" : members, end + 2 - at);
        return true;
    }

    /** The number of capturing groups of a pattern. */
    private static int groups(String pattern) {
        int groups = 0;
        boolean inClass = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '[') {
                inClass = true;
            } else if (c == ']') {
                inClass = false;
            } else if (c == '(' && !inClass && captures(pattern, i)) {
                groups++;
            }
        }
        return groups;
    }

    /** Whether the parenthesis at an offset opens a group that captures. */
    private static boolean captures(String pattern, int open) {
        if (!pattern.startsWith("(?", open)) {
            return !pattern.startsWith("(*", open);
        }
        boolean named = pattern.startsWith("(?<", open)
                && !pattern.startsWith("(?<=", open)
                && !pattern.startsWith("(?<!", open);
        return named || pattern.startsWith("(?P<", open) || pattern.startsWith("(?'", open);
    }
}
