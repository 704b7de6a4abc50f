package org.metasched.dag.binding;

import java.util.List;
import java.util.Set;
import org.metasched.submit.SubmitException;
import org.metasched.submit.SubmitStatement;
import org.metasched.submit.SubmitStatement.Kind;

/**
 * A submit description taken apart.
 *
 * @param statements in order; their texts are Latin-1, a letter for each byte
 */
record DescriptionText(List<SubmitStatement> statements) {

    private static final Set<String> GETENV = Set.of("getenv", "get_env");
    private static final int MOST = 100_000;

    DescriptionText {
        statements = List.copyOf(statements);
    }

    /**
     * Takes a description apart.
     *
     * @param file for complaints
     * @throws IllegalArgumentException if it is no text
     */
    static DescriptionText of(String latin1, String file) {
        try {
            return new DescriptionText(SubmitStatement.all(latin1, file));
        } catch (SubmitException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** Whether a command asks for the environment of the submitting process. */
    boolean hasGetenv() {
        return sets(GETENV);
    }

    /** @param names in lower case */
    boolean sets(Set<String> names) {
        return statements.stream().anyMatch(statement -> statement.sets(names));
    }

    /** The files it includes under a name without macros. */
    List<String> includes() {
        return statements.stream()
                .filter(statement -> statement.kind() == Kind.KEYWORD)
                .map(SubmitStatement::file)
                .filter(name -> !name.isEmpty() && name.indexOf('$') < 0)
                .map(SiteValues::utf8)
                .limit(MOST)
                .toList();
    }
}
