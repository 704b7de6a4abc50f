package org.metasched.cli.output;

import java.util.Iterator;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;

/** Candidates that a shell asks for when it completes a word: the generated completion runs these commands. */
public final class Completions {

    private static final String FIRST_WORDS = " --quiet 2>/dev/null | sed '1d;s/ .*//'";
    private static final String SITES = "metasched sites" + FIRST_WORDS;
    private static final String AGREEMENTS = "metasched agreements --limit 500" + FIRST_WORDS;
    private static final String DAGS =
            "find . -maxdepth 3 -name metasched-binding.json 2>/dev/null | sed 's#^[.]/##; s#/[^/]*$##'";

    private Completions() {}

    /** The completion for bash; without the generator's quotes, which would make one word of a command's output. */
    public static String script(CommandLine program) {
        return AutoComplete.bash("metasched", program).replaceAll("\\(\"(\\$\\([^\"]*\\))\"\\)", "($1)");
    }

    /** Names of the sites of a server. */
    public static final class Sites implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("$(" + SITES + ")").iterator();
        }
    }

    /** Ids of the newest agreements. */
    public static final class Agreements implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("$(" + AGREEMENTS + ")").iterator();
        }
    }

    /** Folders of bound DAGs. */
    public static final class Dags implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("$(" + DAGS + ")").iterator();
        }
    }

    /** Names of all that can be watched. */
    public static final class Watchable implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return List.of("$(" + SITES + "; " + AGREEMENTS + "; " + DAGS + ")").iterator();
        }
    }
}
