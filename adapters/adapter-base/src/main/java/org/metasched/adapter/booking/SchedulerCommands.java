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
        /** The scheduler refused: nothing was made. */
        REFUSED,
        /** An administrator is needed; nothing was made. */
        MISCONFIGURED,
        UNCLEAR
    }

    /**
     * Words in the output of a failed command, and their meaning.
     *
     * @param hint a line that begins with "Maybe", line break included, or an empty text
     */
    protected record Saying(Meaning meaning, String hint, List<String> words) {
        private static final Saying NONE = of(Meaning.UNCLEAR, "");

        public static Saying of(Meaning meaning, String hint, String... words) {
            return new Saying(meaning, hint, List.of(words));
        }
    }

    protected final CommandRunner runner;
    private final List<Saying> sayings;

    /** @param sayings known outputs; the first that has a word in the output counts */
    protected SchedulerCommands(CommandRunner runner, List<Saying> sayings) {
        this.runner = runner;
        this.sayings = sayings;
    }

    /**
     * Runs a command that must succeed.
     *
     * @param what words for the action in the message of a failure
     */
    protected final CommandResult succeed(String what, List<String> words) throws LocalSchedulerException {
        CommandResult result = runner.run(words);
        failIf(!result.ok(), what, result);
        return result;
    }

    protected final <T> T read(List<String> words, Function<String, T> reader) throws LocalSchedulerException {
        return understand(succeed("", words), reader);
    }

    protected final <T> T understand(CommandResult result, Function<String, T> reader) throws Unreachable {
        return runner.read(result, printed -> reader.apply(printed.out()));
    }

    protected final void failIf(boolean failed, String what, CommandResult result) throws LocalSchedulerException {
        if (failed) {
            throw failure(what, result);
        }
    }

    protected LocalSchedulerException failure(String what, CommandResult result) {
        String output = result.out() + "\n" + result.err();
        Saying known = sayings.stream()
                .filter(saying -> saying.words().stream().anyMatch(output::contains))
                .findFirst()
                .orElse(Saying.NONE);
        String site = "Site " + runner.site();
        String why = ": " + words(result) + "." + known.hint();
        return switch (known.meaning()) {
            case DOWN -> new Unreachable(site + why);
            case REFUSED -> refused(site + " refused " + what + why, output);
            case MISCONFIGURED -> new Misconfigured(site + " cannot be used as it is set up" + why);
            case UNCLEAR -> new Unreachable(site + (what.isEmpty() ? "" : ": " + what) + why);
        };
    }

    /** The scheduler's words about a failure. */
    protected String words(CommandResult result) {
        return result.words();
    }

    protected Refused refused(String message, String output) {
        return new Refused(message);
    }
}
