package org.metasched.adapter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A certificate's subject in one comparable form, whether it was written as {@code /O=Grid/CN=Alice} or, the other way round, as
 * {@code CN=Alice,O=Grid}. Attribute types compare without case, and aliases such as {@code E} and {@code EMAILADDRESS} as equal; values
 * compare exactly.
 */
public record SubjectName(List<String> parts) {

    private static final Map<String, String> ALIASES =
            Map.of("E", "EMAILADDRESS", "EMAIL", "EMAILADDRESS", "USERID", "UID", "S", "ST");
    private static final Pattern BEGINS_NAME = Pattern.compile("(\\*\\s*,\\s*)?[A-Za-z0-9.]{1,32}\\s*=");
    private static final Pattern PART = Pattern.compile("/(?=[A-Za-z0-9.]{1,32}=)");

    public SubjectName {
        parts = List.copyOf(parts);
    }

    /** The name in a text of either form; a text without {@code TYPE=} is one part. */
    public static SubjectName of(String subject) {
        String text = subject.strip();
        return new SubjectName(text.startsWith("/") ? slashed(text) : commaSeparated(text));
    }

    /**
     * The form {@code /O=Grid/CN=Alice} of a subject, or of a pattern of subjects with {@code *}; any other text, such
     * as the name in a token, unchanged. A slash in a value that could begin a part gets a backslash.
     */
    public static String canonical(String text) {
        String stripped = text.strip();
        if (!stripped.startsWith("/") && !BEGINS_NAME.matcher(stripped).lookingAt()) {
            return text;
        }
        var name = new StringBuilder();
        of(stripped)
                .parts()
                .forEach(part -> name.append('/').append(PART.matcher(part).replaceAll("\\\\/")));
        return name.toString();
    }

    /** Whether two texts name the same subject. */
    public static boolean isSame(String one, String other) {
        return one.equals(other) || canonical(one).equals(canonical(other));
    }

    /** Pattern of the {@link #canonical} names of the subjects that a text describes; {@code *} in the text stands for any characters. */
    public static Pattern pattern(String text) {
        return Pattern.compile(
                Arrays.stream(canonical(text).split("\\*", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*")),
                Pattern.DOTALL);
    }

    /** A slash begins a new part only before {@code TYPE=}: {@code /CN=host/grid.example.org} has one part. */
    private static List<String> slashed(String text) {
        return PART.splitAsStream(text.substring(1)).map(SubjectName::part).toList();
    }

    private static List<String> commaSeparated(String text) {
        var parts = new ArrayList<String>();
        var current = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                current.append(text.charAt(++i));
            } else if (c == ',') {
                parts.add(part(current.toString()));
                current.setLength(0);
            } else {
                current.append(c);
            }
        }
        parts.add(part(current.toString()));
        Collections.reverse(parts);
        return parts;
    }

    private static String part(String text) {
        String stripped = text.strip();
        int equals = stripped.indexOf('=');
        if (equals < 0) {
            return stripped;
        }
        String type = stripped.substring(0, equals).strip().toUpperCase(Locale.ROOT);
        return ALIASES.getOrDefault(type, type) + "="
                + stripped.substring(equals + 1).strip();
    }
}
