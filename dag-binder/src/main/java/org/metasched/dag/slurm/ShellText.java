package org.metasched.dag.slurm;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import org.metasched.adapter.DisplayText;

/** Text that a POSIX shell takes as it is: in single quotes, within which nothing has a meaning. */
final class ShellText {

    private ShellText() {}

    /** @throws IllegalArgumentException if the text has a line break or another control character, a tab excepted */
    static String quote(String text) {
        if (text.chars().anyMatch(c -> Character.isISOControl(c) && c != '\t')) {
            throw new IllegalArgumentException(
                    "The text (" + DisplayText.of(text) + ") has a line break or another control character in it.");
        }
        return "'" + text.replace("'", "'\\''") + "'";
    }

    static String words(Collection<String> words) {
        return words.stream().map(ShellText::quote).collect(Collectors.joining(" "));
    }

    /**
     * The words to be put before a command that needs more variables. They use a shell, as {@code env} alone would take a program with an
     * equals sign in its name for a variable.
     */
    static String started(Map<String, String> variables) {
        return variables.entrySet().stream()
                .map(entry -> quote(entry.getKey() + "=" + entry.getValue()))
                .collect(Collectors.joining(" ", "env -- ", " /bin/sh -c 'exec \"$@\"' metasched"));
    }
}
