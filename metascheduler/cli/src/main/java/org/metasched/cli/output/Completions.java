package org.metasched.cli.output;

import java.util.Iterator;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;

/**
 * Candidates that a shell asks for when it completes a word: the generated completion evaluates them, so each is a command
 * substitution that calls the program.
 */
public final class Completions {

    private Completions() {}

    /** The completion for bash; the generator's quotes would make one word of all that a command prints. */
    public static String script(CommandLine program) {
        return AutoComplete.bash("metasched", program)
                .replaceAll("\"(\\$\\(metasched complete [a-z ]+ 2>/dev/null\\))\"", "$1");
    }

    private static Iterator<String> of(String kinds) {
        return List.of("$(metasched complete " + kinds + " 2>/dev/null)").iterator();
    }

    /** Names of the sites of a server. */
    public static final class Sites implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return of("sites");
        }
    }

    /** Ids of agreements that have not come to their end. */
    public static final class Agreements implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return of("agreements");
        }
    }

    /** Folders of bound DAGs. */
    public static final class Dags implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return of("dags");
        }
    }

    /** All that can be watched. */
    public static final class Watchable implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return of("sites agreements dags");
        }
    }
}
