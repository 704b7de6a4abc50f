package org.metasched.adapter.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * A folder of programs that stand in for a scheduler's commands: each answers with recorded output, and writes down how it
 * was called. For tests of an adapter without its scheduler, through real processes. Needs {@code bash}.
 */
public final class ScriptedCommands {

    private static final String SCRIPT = """
            #!/bin/bash
            here=$(dirname "$0")
            call="$(basename "$0") $*"
            printf '%s\\n' "$call" >> "$here/calls"
            for rule in "$here"/rules/*; do
              pattern=$(cat "$rule/pattern")
              if [[ $call == $pattern ]]; then
                cat "$rule/out"
                cat "$rule/err" >&2
                exit=$(cat "$rule/exit")
                [ -e "$rule/once" ] && rm -r "$rule"
                exit "$exit"
              fi
            done
            echo "nothing was scripted for: $call" >&2
            exit 99
            """;

    private final Path folder;
    private int rules;

    /** @param folder an empty folder */
    public ScriptedCommands(Path folder, String... programs) {
        this.folder = folder;
        try {
            Files.createDirectories(folder.resolve("rules"));
            Files.createFile(folder.resolve("calls"));
            for (String program : programs) {
                Path file = Files.writeString(folder.resolve(program), SCRIPT);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The folder, for the setting {@code run: path:}. */
    public Path folder() {
        return folder;
    }

    /**
     * Answers every later call that fits the pattern; of several fitting answers the first one set is given.
     *
     * @param pattern program and arguments with a space between them; {@code *} and {@code ?} as in bash
     */
    public ScriptedCommands answer(String pattern, int exit, String out, String err) {
        return rule(pattern, exit, out, err, false);
    }

    /** Answers the next call that fits the pattern, once. */
    public ScriptedCommands answerOnce(String pattern, int exit, String out, String err) {
        return rule(pattern, exit, out, err, true);
    }

    private ScriptedCommands rule(String pattern, int exit, String out, String err, boolean once) {
        try {
            Path rule = Files.createDirectories(folder.resolve("rules").resolve(String.format("%04d", rules++)));
            Files.writeString(rule.resolve("pattern"), pattern);
            Files.writeString(rule.resolve("exit"), String.valueOf(exit));
            Files.writeString(rule.resolve("out"), out);
            Files.writeString(rule.resolve("err"), err);
            if (once) {
                Files.createFile(rule.resolve("once"));
            }
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The calls so far, in order: program and arguments with a space between them. */
    public List<String> calls() {
        try {
            return Files.readAllLines(folder.resolve("calls"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
