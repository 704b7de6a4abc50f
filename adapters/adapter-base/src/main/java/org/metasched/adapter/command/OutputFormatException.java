package org.metasched.adapter.command;

import java.util.Locale;

/**
 * Output of a command that does not have the form it should have. The caller that ran the command turns it into
 * {@link org.metasched.adapter.LocalSchedulerException.Unreachable}, because what cannot be understood may have happened:
 * {@link CommandRunner#ask} does.
 */
public final class OutputFormatException extends RuntimeException {

    public OutputFormatException(String message) {
        super(message);
    }

    public OutputFormatException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Throws one with the message, a format that the values fill, when something is wrong. */
    public static void throwIf(boolean wrong, String message, Object... values) {
        if (wrong) {
            throw new OutputFormatException(String.format(Locale.ROOT, message, values));
        }
    }
}
