package org.metasched.classad;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites a PCRE pattern for java.util.regex where the same text means something else: brackets and {@code &&} inside classes,
 * POSIX classes, braces that are no quantifiers, hexadecimal and octal escapes, comments, the older names of groups.
 */
final class PcreSyntax {

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

    private final String pattern;
    private final boolean extended;
    private final StringBuilder out = new StringBuilder();
    private final int groups;
    private int at;
    private boolean unknownClass;

    private PcreSyntax(String pattern, boolean extended) {
        this.pattern = pattern;
        this.extended = extended;
        this.groups = PcreGroups.count(pattern);
    }

    /** The pattern in Java's syntax, or null if it is malformed in a way that Java would not notice. */
    static @Nullable String translate(String pattern, boolean extended) {
        var syntax = new PcreSyntax(pattern, extended);
        return syntax.all() ? syntax.out.toString() : null;
    }

    private boolean all() {
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            boolean good = switch (c) {
                case '\\' -> escape(false);
                case '[' -> characterClass();
                case '(' -> group();
                case '{' -> brace();
                default -> plain(c);
            };
            if (!good) {
                return false;
            }
        }
        return true;
    }

    private boolean plain(char c) {
        if (extended && c == '#') {
            int end = pattern.indexOf('\n', at);
            at = end < 0 ? pattern.length() : end;
            return true;
        }
        out.append(c == '}' || c == ']' ? "\\" + c : String.valueOf(c));
        at++;
        return true;
    }

    /** A brace is a quantifier if it looks like one, else it is itself. */
    private boolean brace() {
        int i = at + 1;
        int digits = i;
        while (i < pattern.length() && isDigit(pattern.charAt(i))) {
            i++;
        }
        boolean quantifier = i > digits;
        if (quantifier && i < pattern.length() && pattern.charAt(i) == ',') {
            i++;
            while (i < pattern.length() && isDigit(pattern.charAt(i))) {
                i++;
            }
        }
        if (quantifier && i < pattern.length() && pattern.charAt(i) == '}') {
            out.append(pattern, at, i + 1);
            at = i + 1;
        } else {
            out.append("\\{");
            at++;
        }
        return true;
    }

    private boolean group() {
        if (pattern.startsWith("(?#", at)) {
            int end = pattern.indexOf(')', at);
            if (end < 0) {
                return false;
            }
            at = end + 1;
            return true;
        }
        if (pattern.startsWith("(?<", at) && PcreGroups.captures(pattern, at)) {
            return groupName(at + 3, '>', "(?<", ">");
        }
        if (pattern.startsWith("(?P<", at)) {
            return groupName(at + 4, '>', "(?<", ">");
        }
        if (pattern.startsWith("(?'", at)) {
            return groupName(at + 3, '\'', "(?<", ">");
        }
        if (pattern.startsWith("(?P=", at)) {
            return groupName(at + 4, ')', "\\k<", ">");
        }
        out.append('(');
        at++;
        return true;
    }

    private boolean groupName(int from, char close, String before, String after) {
        int end = pattern.indexOf(close, from);
        if (end < 0) {
            return false;
        }
        // Java's group names have no underscores.
        out.append(before)
                .append(pattern.substring(from, end).replace("_", "U95"))
                .append(after);
        at = end + 1;
        return true;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isOctal(char c) {
        return c >= '0' && c <= '7';
    }

    /** An escape, inside a class or outside. */
    private boolean escape(boolean inClass) {
        if (at + 1 >= pattern.length()) {
            return false;
        }
        char c = pattern.charAt(at + 1);
        switch (c) {
            case 'x' -> {
                return hexadecimal();
            }
            case 'p', 'P' -> {
                return property();
            }
            case 'Q' -> {
                return quoted();
            }
            case 'E' -> at += 2;
            case 'o' -> {
                return bracedOctal();
            }
            case 'g' -> {
                return backReference();
            }
            case 'k' -> {
                return namedBackReference();
            }
            default -> {
                if (isDigit(c)) {
                    return number(inClass);
                }
                if (inClass && c == 'b') {
                    out.append("\\x08");
                } else if (c == 'N' && !inClass) {
                    out.append("[^\\n]");
                } else if (c > 127 || c == '_') {
                    out.append(c);
                } else {
                    out.append('\\').append(c);
                }
                at += 2;
            }
        }
        return true;
    }

    private void code(int value) {
        out.append("\\x%02X".formatted(value & 0xff));
    }

    private boolean hexadecimal() {
        int i = at + 2;
        if (i < pattern.length() && pattern.charAt(i) == '{') {
            int end = pattern.indexOf('}', i);
            if (end < 0 || end - i < 2 || end - i > 9) {
                return false;
            }
            try {
                int value = Integer.parseInt(pattern.substring(i + 1, end), 16);
                if (value > 255) {
                    return false;
                }
                code(value);
            } catch (NumberFormatException e) {
                return false;
            }
            at = end + 1;
            return true;
        }
        int value = 0;
        int limit = i + 2;
        while (i < limit && i < pattern.length() && Character.digit(pattern.charAt(i), 16) >= 0) {
            value = value * 16 + Character.digit(pattern.charAt(i++), 16);
        }
        code(value);
        at = i;
        return true;
    }

    private boolean property() {
        int end = at + 3;
        if (at + 2 < pattern.length() && pattern.charAt(at + 2) == '{') {
            end = pattern.indexOf('}', at) + 1;
        }
        if (end <= at + 2 || end > pattern.length()) {
            return false;
        }
        out.append(pattern, at, end);
        at = end;
        return true;
    }

    private boolean bracedOctal() {
        int end = pattern.indexOf('}', at);
        if (at + 2 >= pattern.length() || pattern.charAt(at + 2) != '{' || end < at + 4 || end > at + 8) {
            return false;
        }
        try {
            code(Integer.parseInt(pattern.substring(at + 3, end), 8));
        } catch (NumberFormatException e) {
            return false;
        }
        at = end + 1;
        return true;
    }

    private boolean quoted() {
        int end = pattern.indexOf("\\E", at + 2);
        int stop = end < 0 ? pattern.length() : end;
        for (int i = at + 2; i < stop; i++) {
            code(pattern.charAt(i));
        }
        at = end < 0 ? stop : end + 2;
        return true;
    }

    /** A backslash and digits: an octal code if it begins with 0, is in a class, or is larger than 9 and all octal. */
    private boolean number(boolean inClass) {
        int i = at + 1;
        char first = pattern.charAt(i);
        int end = i;
        while (end < pattern.length() && end < i + 3 && isOctal(pattern.charAt(end))) {
            end++;
        }
        int number = decimal(i);
        boolean reference = first != '0' && !inClass && (number < 10 || first >= '8' || number <= groups);
        if (!reference) {
            if (end == i) {
                // Eights and nines in a class are themselves.
                out.append(first);
                at = i + 1;
            } else {
                code(Integer.parseInt(pattern.substring(i, end), 8));
                at = end;
            }
            return true;
        }
        out.append("(?:\\").append(number).append(')');
        at = i + Integer.toString(number).length();
        return number <= groups;
    }

    /** The decimal number of at most two digits at an offset. */
    private int decimal(int from) {
        int number = 0;
        for (int i = from; i < from + 2 && i < pattern.length() && isDigit(pattern.charAt(i)); i++) {
            number = number * 10 + pattern.charAt(i) - '0';
        }
        return number;
    }

    private boolean backReference() {
        int i = at + 2;
        boolean braced = i < pattern.length() && pattern.charAt(i) == '{';
        int from = braced ? i + 1 : i;
        int end = from;
        while (end < pattern.length() && isDigit(pattern.charAt(end))) {
            end++;
        }
        if (end == from || braced && (end >= pattern.length() || pattern.charAt(end) != '}')) {
            return false;
        }
        out.append("(?:\\").append(pattern, from, end).append(')');
        at = braced ? end + 1 : end;
        return end - from < 3 && decimal(from) <= groups;
    }

    private boolean namedBackReference() {
        if (at + 2 >= pattern.length()) {
            return false;
        }
        char close = switch (pattern.charAt(at + 2)) {
            case '<' -> '>';
            case '{' -> '}';
            case '\'' -> '\'';
            default -> 0;
        };
        return close != 0 && groupName(at + 3, close, "\\k<", ">");
    }

    private boolean characterClass() {
        out.append('[');
        at++;
        if (at < pattern.length() && pattern.charAt(at) == '^') {
            out.append('^');
            at++;
        }
        boolean first = true;
        while (at < pattern.length()) {
            char c = pattern.charAt(at);
            if (c == ']' && !first) {
                out.append(']');
                at++;
                return true;
            }
            first = false;
            if (c == '\\') {
                if (!escape(true)) {
                    return false;
                }
            } else if (c != '[' || !posixClass()) {
                if (unknownClass) {
                    return false;
                }
                boolean special = "[]&^#".indexOf(c) >= 0 || Lexer.isSpace(c);
                out.append(special ? "\\x%02X".formatted((int) c) : String.valueOf(c));
                at++;
            }
        }
        return false;
    }

    /** {@code [:alpha:]} and the like; false, without effect, if this is no such class. */
    private boolean posixClass() {
        if (!pattern.startsWith("[:", at)) {
            return false;
        }
        int end = pattern.indexOf(":]", at + 2);
        if (end < 0) {
            return false;
        }
        boolean negated = pattern.charAt(at + 2) == '^';
        String members = POSIX.get(pattern.substring(at + (negated ? 3 : 2), end));
        if (members == null) {
            unknownClass = true;
            return false;
        }
        out.append(negated ? "[^" + members + "]" : members);
        at = end + 2;
        return true;
    }
}
