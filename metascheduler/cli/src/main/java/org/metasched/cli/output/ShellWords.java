package org.metasched.cli.output;

import java.util.List;
import java.util.stream.Collectors;

/** Words of a command, to be pasted into a POSIX shell. */
public final class ShellWords {

    private ShellWords() {}

    /** The words as one line, each quoted if the shell would change it. */
    public static String line(List<String> words) {
        return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9._=:+%,@/-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
