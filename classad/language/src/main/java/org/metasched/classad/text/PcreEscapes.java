package org.metasched.classad.text;

import java.util.Set;

/**
 * The rewriting of backslash escapes of a PCRE pattern for java.util.regex. A method rewrites the escape whose backslash is at the
 * current offset of {@link PcreSyntax} and moves behind it; false means that PCRE refuses the escape, or Java cannot do it.
 */
final class PcreEscapes {

    /** The boundary between a word character and another one. Bytes beyond ASCII are no word characters, unlike in Java. */
    private static final String BOUNDARY = "(?:(?<=[a-zA-Z0-9_])(?![a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?=[a-zA-Z0-9_]))";

    /** A place that is no boundary. */
    private static final String NO_BOUNDARY = "(?:(?<=[a-zA-Z0-9_])(?=[a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?![a-zA-Z0-9_]))";

    /** The letters of escapes for sets of characters, those for assertions, and those of all escapes that mean the same in Java. */
    private static final String SETS = "dDwWsShHvV";

    private static final String ASSERTIONS = "AzZG";
    private static final String SAME_IN_JAVA = SETS + ASSERTIONS + "RXnrtfae";

    /** The general categories of Unicode that PCRE knows. */
    private static final Set<String> CATEGORIES = Set.of(
            "C", "Cc", "Cf", "Cn", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd",
            "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm", "So", "Z", "Zl", "Zp",
            "Zs");

    private final PcreSyntax in;

    PcreEscapes(PcreSyntax in) {
        this.in = in;
    }

    /** Rewrites an escape outside a class. */
    boolean outside() {
        char c = in.peek(1);
        if (c != 'E' && c != 'Q') {
            in.repeatable = c != 'b' && c != 'B' && ASSERTIONS.indexOf(c) < 0;
        }
        switch (c) {
            case 'E' -> in.at += 2;
            case 'Q' -> quoted();
            case 'b' -> in.emit(BOUNDARY, 2);
            case 'B' -> in.emit(NO_BOUNDARY, 2);
            case 'C' -> in.emit("[\\x00-\\xFF]", 2);
            // PCRE does not go back into a line break of two characters; Java does.
            case 'R' -> in.emit("(?>\\R)", 2);
            case 'N' -> {
                boolean named = in.peek(2) == '{' && !Bytes.isDigit(in.peek(3));
                in.emit("[^\\n]", 2);
                return !named;
            }
            case 'p', 'P' -> {
                // In PCRE the case of letters tells categories apart even where it is ignored.
                in.out.append("(?-i:");
                boolean known = property(c == 'P');
                in.out.append(')');
                return known;
            }
            case 'g' -> {
                return backReference();
            }
            case 'k' -> {
                return namedBackReference();
            }
            default -> {
                return Bytes.isDigit(c) ? number(false) : character(c);
            }
        }
        return true;
    }

    /** Rewrites an escape inside a class of characters, {@code [...]}. */
    boolean inside() {
        char c = in.peek(1);
        switch (c) {
            case 'E' -> in.at += 2;
            case 'Q' -> quoted();
            case 'b' -> code(8, 2);
            default -> {
                in.afterSet = SETS.indexOf(c) >= 0 || c == 'p' || c == 'P';
                return Bytes.isDigit(c) ? number(true) : character(c);
            }
        }
        return true;
    }

    /** Rewrites an escape that means the same inside and outside a class; {@code c} is its letter. */
    private boolean character(char c) {
        return switch (c) {
            case 0 -> false;
            case 'x' -> hexadecimal();
            case 'o' -> in.peek(2) == '{' && braced(3, 8);
            case 'p', 'P' -> property(c == 'P');
            case 'c' -> {
                char control = in.peek(2);
                code(Bytes.upper(control) ^ 64, 3);
                yield control >= ' ' && control < 127;
            }
            default -> {
                if (c > 127 || c == '_') {
                    in.emit(String.valueOf(c), 2);
                    yield true;
                }
                // Digits and the underscore do not come here.
                boolean letter = Name.folded((byte) c) != 0;
                in.emit("\\" + c, 2);
                yield !letter || SAME_IN_JAVA.indexOf(c) >= 0;
            }
        };
    }

    /** Emits the escape of a byte. */
    private void code(int value, int consumed) {
        in.emit("\\x%02X".formatted(value & 0xff), consumed);
    }

    private boolean hexadecimal() {
        if (in.peek(2) == '{') {
            return braced(3, 16);
        }
        int value = 0;
        int length = 2;
        while (length < 4 && in.peek(length) < 128 && Character.digit(in.peek(length), 16) >= 0) {
            value = value * 16 + Character.digit(in.peek(length++), 16);
        }
        code(value, length);
        return true;
    }

    /** The code in braces, whose digits begin {@code from} characters ahead. */
    private boolean braced(int from, int radix) {
        int end = in.pattern.indexOf('}', in.at);
        int length = end - in.at - from;
        if (end < 0 || length < 1) {
            return false;
        }
        int value = 0;
        for (int i = 0; i < length; i++) {
            int digit = Character.digit(in.peek(from + i), radix);
            if (digit < 0) {
                return false;
            }
            // 256 stands for all that is no byte
            value = Math.min(value * radix + digit, 256);
        }
        code(value, end + 1 - in.at);
        return value <= 255;
    }

    /** A property of Unicode: {@code \pL}, {@code \p{Lu}}, {@code \p{^L}}, {@code \p{Greek}}. */
    private boolean property(boolean negated) {
        boolean braced = in.peek(2) == '{';
        int end = braced ? in.pattern.indexOf('}', in.at) : in.at + 2;
        if (end < 0 || end >= in.pattern.length()) {
            return false;
        }
        String name = in.pattern.substring(braced ? in.at + 3 : end, braced ? end : end + 1);
        boolean inverse = name.startsWith("^");
        name = inverse ? name.substring(1) : name;
        String java = name.equals("L&") ? "LC" : CATEGORIES.contains(name) ? name : "Is" + name;
        in.emit((negated != inverse ? "\\P{" : "\\p{") + java + "}", end + 1 - in.at);
        return !name.isEmpty() && name.charAt(0) <= 'Z';
    }

    /** A text in {@code \Q...\E}, each of whose bytes is itself. */
    private void quoted() {
        int end = in.pattern.indexOf("\\E", in.at + 2);
        int stop = end < 0 ? in.pattern.length() : end;
        in.repeatable |= stop > in.at + 2;
        in.at += 2;
        while (in.at < stop) {
            code(in.peek(0), 1);
        }
        in.at = end < 0 ? stop : end + 2;
    }

    /**
     * A backslash and digits: a reference to a group, or an octal code if it begins with 0, is in a class, or exceeds 9 and the
     * number of groups that begin before it.
     */
    private boolean number(boolean inClass) {
        char first = in.peek(1);
        int octal = 0;
        int octals = 0;
        while (octals < 3 && in.peek(1 + octals) >= '0' && in.peek(1 + octals) <= '7') {
            octal = octal * 8 + in.peek(1 + octals++) - '0';
        }
        int number = decimal(1);
        if (first != '0' && !inClass && (number < 10 || first >= '8' || number <= in.opened)) {
            return reference(number, 1 + Integer.toString(number).length());
        }
        if (octals == 0) {
            // An escaped 8 or 9 in a class is the digit itself.
            in.emit(String.valueOf(first), 2);
            return true;
        }
        code(octal, 1 + octals);
        return octal <= 255;
    }

    /** The decimal number that stands {@code ahead} places behind the current offset; any number of more digits is cut to 99,999. */
    private int decimal(int ahead) {
        int number = 0;
        for (int i = ahead; Bytes.isDigit(in.peek(i)); i++) {
            number = Math.min(number * 10 + in.peek(i) - '0', 99_999);
        }
        return number;
    }

    /** Emits a back reference to a group by its number. The group must exist; Java reads two digits only if it has begun, too. */
    private boolean reference(int group, int consumed) {
        in.emit("(?:\\" + group + ")", consumed);
        return group >= 1 && group <= (group < 10 ? in.groups : in.opened);
    }

    /** A back reference {@code \g1}, {@code \g{1}}, {@code \g{-1}} or {@code \g{name}}. */
    private boolean backReference() {
        boolean braced = in.peek(2) == '{';
        int from = braced ? 3 : 2;
        if (braced && Name.folded((byte) in.peek(from)) != 0 && !Bytes.isDigit(in.peek(from))) {
            return in.groupName(in.at + from, '}', "\\k<", ">");
        }
        boolean relative = in.peek(from) == '-';
        int digits = relative ? from + 1 : from;
        int end = digits;
        while (Bytes.isDigit(in.peek(end))) {
            end++;
        }
        if (end == digits || braced && in.peek(end) != '}') {
            return false;
        }
        int number = decimal(digits);
        return reference(relative ? in.opened - number + 1 : number, braced ? end + 1 : end);
    }

    /** A back reference {@code \k<name>}, {@code \k{name}} or {@code \k'name'}. */
    private boolean namedBackReference() {
        char close = switch (in.peek(2)) {
            case '<' -> '>';
            case '{' -> '}';
            case '\'' -> '\'';
            default -> 0;
        };
        return close != 0 && in.groupName(in.at + 3, close, "\\k<", ">");
    }
}
