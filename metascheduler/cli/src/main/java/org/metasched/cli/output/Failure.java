package org.metasched.cli.output;

import org.metasched.adapter.InvalidSettingException;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** An end of a command that its user must hear about: a message without a stack trace, and an exit code. */
public final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The answer is no: no match, no common slot, a check failed. */
    public static final int NO = 1;
    /** Usage or bad input. */
    public static final int BAD_INPUT = 2;
    /** A site, the database or the network failed. */
    public static final int WORLD = 3;

    private final int exitCode;

    private Failure(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    public static Failure no(String message) {
        return new Failure(NO, message);
    }

    public static Failure badInput(String message) {
        return new Failure(BAD_INPUT, message);
    }

    public static Failure world(String message) {
        return new Failure(WORLD, message);
    }

    public int exitCode() {
        return exitCode;
    }

    /** Prints what the user can act on. A stack trace comes only with {@code -Dmetasched.trace=true}. */
    public static int report(Exception problem, CommandLine command, ParseResult parsed) {
        var err = command.getErr();
        if (Boolean.getBoolean("metasched.trace")) {
            problem.printStackTrace(err);
        }
        err.println("metasched: " + (problem.getMessage() == null ? problem.toString() : problem.getMessage()));
        err.flush();
        return codeOf(problem);
    }

    private static int codeOf(Exception problem) {
        if (problem instanceof Failure failure) {
            return failure.exitCode;
        }
        return problem instanceof IllegalArgumentException || problem instanceof InvalidSettingException
                ? BAD_INPUT
                : WORLD;
    }
}
