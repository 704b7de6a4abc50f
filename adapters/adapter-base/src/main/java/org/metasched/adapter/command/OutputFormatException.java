package org.metasched.adapter.command;

import java.util.Locale;

/**
 * Output of a command that does not have the form it should have. The caller that ran the command turns it into
 * {@link org.metasched.adapter.LocalSchedulerException.Unreachable}, because the command may have had its effect:
 * {@link CommandRunner#ask} does.
 */
public final class OutputFormatException extends RuntimeException {

    public OutputFormatException(String message) {
        super(message);
    }

    public OutputFormatException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Throws this exception if {@code wrong}.
     *
     * @param message a format string for the values
     */
    public static void throwIf(boolean wrong, String message, Object... values) {
        if (wrong) {
            throw new OutputFormatException(String.format(Locale.ROOT, message, values));
        }
    }
}
