package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.metasched.submit.SubmitException;
import org.metasched.submit.SubmitStatement;
import org.metasched.submit.SubmitStatement.Kind;

/**
 * The statements of a submit description.
 *
 * @param statements statements in order; their texts are Latin-1, a character for each byte
 */
record ParsedDescription(List<SubmitStatement> statements) {

    private static final Set<String> GETENV = Set.of("getenv", "get_env");
    private static final Set<String> FALSE = Set.of("false", "no", "f", "0");
    private static final long MOST_BYTES = 64L << 20;
    private static final int MOST_INCLUDES = 100_000;

    ParsedDescription {
        statements = List.copyOf(statements);
    }

    /**
     * Takes a description apart.
     *
     * @param file name for messages
     * @throws IllegalArgumentException if it has a NUL byte, so that it is not text
     */
    static ParsedDescription of(String latin1, String file) {
        try {
            return new ParsedDescription(SubmitStatement.all(latin1, file));
        } catch (SubmitException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Reads a description of at most 64 MiB. */
    static ParsedDescription read(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "The submit description (" + file + ") is longer than " + MOST_BYTES + " bytes.");
        }
        return of(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1), file.toString());
    }

    /** Whether a {@code getenv} command asks for variables of the submitting process. */
    boolean hasGetenv() {
        return statements.stream()
                .anyMatch(statement -> statement.sets(GETENV)
                        && !FALSE.contains(statement.value().toLowerCase(Locale.ROOT)));
    }

    /** Whether a statement sets one of these commands, which are in lower case. */
    boolean sets(Set<String> names) {
        return statements.stream().anyMatch(statement -> statement.sets(names));
    }

    /** The statements that include a file whose name has no macros. */
    List<SubmitStatement> includes() {
        return statements.stream()
                .filter(statement -> statement.kind() == Kind.KEYWORD
                        && !statement.file().isEmpty()
                        && statement.file().indexOf('$') < 0)
                .limit(MOST_INCLUDES)
                .toList();
    }
}
