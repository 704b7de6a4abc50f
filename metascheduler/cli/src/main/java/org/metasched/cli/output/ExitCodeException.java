package org.metasched.cli.output;

import java.util.Locale;
import org.metasched.adapter.InvalidSettingException;
import picocli.CommandLine.TypeConversionException;

/** Ends a command with a message for the user, without a stack trace, and an exit code. */
public final class ExitCodeException extends RuntimeException {

    /** The answer is no: no match, no common slot, a check failed. */
    public static final int NO = 1;
    /** Usage or bad input. */
    public static final int BAD_INPUT = 2;
    /** Something outside failed: a site, the database or the network. */
    public static final int OUTSIDE = 3;

    private final int exitCode;
    private final String code;

    private ExitCodeException(int exitCode, String code, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
        this.code = code;
    }

    public static ExitCodeException no(String message) {
        return new ExitCodeException(NO, "", message);
    }

    public static ExitCodeException badInput(String message) {
        return new ExitCodeException(BAD_INPUT, "", message);
    }

    /** Throws {@link #badInput} if {@code wrong}. The message is a format for the values. */
    public static void badInputIf(boolean wrong, String message, Object... values) {
        if (wrong) {
            throw badInput(String.format(Locale.ROOT, message, values));
        }
    }

    public static ExitCodeException outside(String message) {
        return new ExitCodeException(OUTSIDE, "", message);
    }

    public int exitCode() {
        return exitCode;
    }

    /** This exception with the code of the fault that caused it. */
    public ExitCodeException coded(String newCode) {
        return new ExitCodeException(exitCode, newCode, String.valueOf(getMessage()));
    }

    /** The code as in the table of fault codes, empty when the failure has none. */
    public String code() {
        return code;
    }

    static int exitCodeOf(Throwable problem) {
        if (problem instanceof ExitCodeException failure) {
            return failure.exitCode;
        }
        return problem instanceof IllegalArgumentException
                        || problem instanceof InvalidSettingException
                        || problem instanceof TypeConversionException
                ? BAD_INPUT
                : OUTSIDE;
    }
}
