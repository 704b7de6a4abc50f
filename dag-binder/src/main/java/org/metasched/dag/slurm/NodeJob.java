package org.metasched.dag.slurm;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One proc of a node, as its submit description asks for it.
 *
 * @param program absolute path, or {@code apptainer} for a job in a container
 * @param environment variables beside those of the Slurm job
 * @param directory absolute path, to which names of files are relative
 * @param linked files elsewhere that are linked into the directory under their file names
 */
record NodeJob(
        String program,
        List<String> arguments,
        Map<String, String> environment,
        Path directory,
        String input,
        String output,
        String error,
        List<String> linked) {

    NodeJob {
        arguments = List.copyOf(arguments);
        linked = List.copyOf(linked);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }

    /** The program with its arguments and redirections, as a shell command. */
    String command() {
        return ShellText.quote(program)
                + (arguments.isEmpty() ? "" : " " + ShellText.words(arguments))
                + " < " + ShellText.quote(input)
                + " > " + ShellText.quote(output)
                + (error.equals(output) ? " 2>&1" : " 2> " + ShellText.quote(error));
    }
}
