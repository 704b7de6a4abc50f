package org.metasched.submit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement of a submit description, as it is written: macros are not expanded, and a false condition around it does not remove it.
 *
 * @param kind kind of the statement
 * @param name text before the operator or, of a {@link Kind#KEYWORD}, the keyword in lower case
 * @param words text between a keyword and its colon
 * @param value text behind the operator or the word queue, continuation lines joined
 * @param raw the whole text, with line ends
 * @param line number of its first line, from 1
 */
public record SubmitStatement(Kind kind, String name, String words, String value, String raw, int line) {

    /** Kind of a statement. */
    public enum Kind {
        /** A comment or a blank line. */
        COMMENT,
        /** {@code name = value}. */
        SETTING,
        /** {@code name @=tag}; {@link #TEXT} follows. */
        HERE_DOCUMENT,
        /** include, use, error or warning, with a colon. */
        KEYWORD,
        QUEUE,
        /** A line of a here-document or of the items of a queue statement, also the line that closes them. */
        TEXT,
        /** A condition, or nothing that condor_submit knows. */
        OTHER
    }

    /** The name, the words before the operator, and the rest with it. */
    private static final Pattern FORM =
            Pattern.compile("([^=:\\p{javaWhitespace}]*+)\\p{javaWhitespace}*+([^=:@]*+)(.*+)", Pattern.DOTALL);

    private static final Set<String> KEYWORDS = Set.of("include", "use", "error", "warning");

    /**
     * The statements of a description in order. Their raw texts, joined, are the description.
     *
     * @throws SubmitException if the description has a NUL byte, so that it is no text
     */
    public static List<SubmitStatement> all(String description, String file) throws SubmitException {
        SubmitLines lines = new SubmitLines(description, file, Integer.MAX_VALUE);
        List<SubmitStatement> statements = new ArrayList<>();
        String end = "";
        int begin = 0;
        int number = 1;
        for (String line = lines.next(); line != null; line = lines.next()) {
            String raw = description.substring(begin, lines.position());
            SubmitStatement statement =
                    end.isEmpty() ? of(line, raw, number) : new SubmitStatement(Kind.TEXT, "", "", line, raw, number);
            statements.add(statement);
            if (!end.isEmpty()) {
                boolean ends = end.equals(")") ? line.startsWith(end) : line.equals(end);
                end = ends ? "" : end;
            } else if (statement.kind == Kind.HERE_DOCUMENT) {
                end = "@" + statement.value;
            } else if (statement.kind == Kind.QUEUE && QueueStatement.isOpen(statement.value)) {
                end = ")";
            }
            begin = lines.position();
            number = lines.line() + 1;
        }
        return statements;
    }

    /** The statement in one line, its continuations joined. */
    static SubmitStatement of(String line, String raw, int number) {
        if (line.isEmpty() || line.startsWith("#")) {
            return new SubmitStatement(Kind.COMMENT, "", "", "", raw, number);
        }
        Matcher parts = FORM.matcher(line);
        boolean unused = parts.matches();
        String name = parts.group(1);
        String words = parts.group(2);
        String rest = parts.group(3);
        boolean here = rest.startsWith("@=");
        String value = rest.isEmpty() ? "" : rest.substring(here ? 2 : 1).strip();
        String keyword = (name.startsWith("@") ? name.substring(1) : name).toLowerCase(Locale.ROOT);
        if (rest.startsWith(":") && KEYWORDS.contains(keyword)) {
            return new SubmitStatement(Kind.KEYWORD, keyword, words.strip(), value, raw, number);
        }
        boolean isAssignment = words.isEmpty() && (rest.startsWith("=") || here);
        if (!isAssignment || name.equalsIgnoreCase("queue")) {
            return QueueStatement.arguments(line)
                    .map(arguments -> new SubmitStatement(Kind.QUEUE, "queue", "", arguments, raw, number))
                    .orElse(new SubmitStatement(Kind.OTHER, "", "", line, raw, number));
        }
        return new SubmitStatement(here ? Kind.HERE_DOCUMENT : Kind.SETTING, name, "", value, raw, number);
    }

    /** Whether the statement gives a name a value. */
    public boolean isSetting() {
        return kind == Kind.SETTING || kind == Kind.HERE_DOCUMENT;
    }

    /** Whether the statement sets one of these names, which are in lower case. */
    public boolean sets(Set<String> names) {
        return isSetting() && names.contains(name.toLowerCase(Locale.ROOT));
    }

    /** The index in the raw text at which the value begins, of a statement with an equals sign. */
    public int valueStart() {
        return raw.indexOf('=') + 1;
    }

    /** The file that an include statement names, or the items of a queue statement are in; empty if neither. */
    public String file() {
        if (kind == Kind.KEYWORD && name.equals("include")) {
            String options = words.toLowerCase(Locale.ROOT);
            boolean isFile = options.isEmpty() || options.startsWith("ifexist");
            return isFile && !value.endsWith("|") ? value : "";
        }
        return kind == Kind.QUEUE ? QueueStatement.file(value) : "";
    }
}
