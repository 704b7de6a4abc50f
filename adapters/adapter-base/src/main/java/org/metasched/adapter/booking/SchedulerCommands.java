package org.metasched.adapter.booking;

import java.util.List;
import java.util.function.Function;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.adapter.jobs.JobQueue;

/**
 * The commands of one scheduler. Known words in the output of a failed command give the meaning of the failure. A failure without them
 * counts as {@link LocalSchedulerException.Unreachable}: the command may have had its effect.
 */
public abstract class SchedulerCommands implements JobQueue {

    /** The meaning of a failure. */
    protected enum Meaning {
        /** The scheduler itself does not answer. */
        DOWN,
        /** The scheduler refused: nothing was made. A question cannot be refused, so that its failure is {@link #UNCLEAR}. */
        REFUSED,
        /** An administrator is needed; nothing was made. */
        MISCONFIGURED,
        /** The command may have had its effect. */
        UNCLEAR
    }

    /**
     * A failure that is known by words in the output of the command.
     *
     * @param hint a line that begins with "Maybe", line break included, or an empty text
     */
    protected record KnownFailure(Meaning meaning, String hint, List<String> words) {
        private static final KnownFailure NONE = of(Meaning.UNCLEAR, "");

        public static KnownFailure of(Meaning meaning, String hint, String... words) {
            return new KnownFailure(meaning, hint, List.of(words));
        }
    }

    protected final CommandRunner runner;
    private final List<KnownFailure> knownFailures;

    /** @param knownFailures the failures known by words; the first that has one of its words in the output counts */
    protected SchedulerCommands(CommandRunner runner, List<KnownFailure> knownFailures) {
        this.runner = runner;
        this.knownFailures = knownFailures;
    }

    /**
     * Runs a command that must succeed.
     *
     * @param what the action, for the message of a failure; empty for a question
     */
    protected final CommandResult succeed(String what, List<String> command) throws LocalSchedulerException {
        CommandResult result = runner.run(command);
        failIf(!result.ok(), what, result);
        return result;
    }

    /** Runs a command that must succeed, and reads its output. */
    protected final <T> T read(List<String> command, Function<String, T> reader) throws LocalSchedulerException {
        return understand(succeed("", command), reader);
    }

    /** Reads the output of a command that has ended. */
    protected final <T> T understand(CommandResult result, Function<String, T> reader) throws Unreachable {
        return runner.read(result, printed -> reader.apply(printed.out()));
    }

    /** Throws {@link #failure} if {@code failed}. */
    protected final void failIf(boolean failed, String what, CommandResult result) throws LocalSchedulerException {
        if (failed) {
            throw failure(what, result);
        }
    }

    /** The exception for a failed command, by the first known failure that its output fits. */
    protected LocalSchedulerException failure(String what, CommandResult result) {
        String output = result.out() + "\n" + result.err();
        KnownFailure known = knownFailures.stream()
                .filter(failure -> failure.words().stream().anyMatch(output::contains))
                .findFirst()
                .orElse(KnownFailure.NONE);
        String site = "Site " + runner.site();
        String why = ": " + words(result) + "." + known.hint();
        return switch (known.meaning()) {
            case DOWN -> new Unreachable(site + why);
            case REFUSED ->
                what.isEmpty() ? new Unreachable(site + why) : refused(site + " refused " + what + why, output);
            case MISCONFIGURED -> new Misconfigured(site + " cannot be used as it is set up" + why);
            case UNCLEAR -> new Unreachable(site + (what.isEmpty() ? "" : ": " + what) + why);
        };
    }

    /** The scheduler's words about a failure. */
    protected String words(CommandResult result) {
        return result.words();
    }

    /** The exception for a refusal, to which an adapter may add what the output tells. */
    protected Refused refused(String message, String output) {
        return new Refused(message);
    }
}
