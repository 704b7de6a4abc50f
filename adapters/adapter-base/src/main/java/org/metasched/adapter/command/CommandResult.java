package org.metasched.adapter.command;

import java.util.List;
import org.metasched.adapter.DisplayText;

/**
 * The end of a command. Adapters do not trust an exit code alone; {@code docs/adapters} has the measured rules.
 *
 * @param command the argument vector as the adapter gave it
 * @param exit exit code
 * @param out standard output; its first 4096 bytes if it was streamed. Decoded as UTF-8, with U+FFFD for invalid bytes
 * @param err all of standard error
 */
public record CommandResult(List<String> command, int exit, String out, String err) {

    public CommandResult {
        command = List.copyOf(command);
    }

    public boolean ok() {
        return exit == 0;
    }

    /** Name of the program, without its folder. */
    public String program() {
        return command.get(0).substring(command.get(0).lastIndexOf('/') + 1);
    }

    /** Exit code and output for a message: {@code pbs_rsub exited with 1, "Reservation denied"}. */
    public String words() {
        String output = DisplayText.lines(err.isBlank() ? out : err);
        return program() + " exited with " + exit + (output.isEmpty() ? " and said nothing" : ", \"" + output + "\"");
    }
}
