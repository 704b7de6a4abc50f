package org.metasched.cli.output;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Arrays;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line as a whole: takes common options wherever they stand, prints refusals as a sentence and, with {@code --json}, as
 * one JSON object too, and ends with {@link ExitCodeException#OUTSIDE} when its results could not be written.
 */
public final class CommandLineProgram extends CommandLine {

    /** The parser's error for a command that only has others below it. */
    private static final String NO_COMMAND = "Missing required subcommand";

    private final ResultOutput results;

    /** A refusal with {@code --json}. */
    private record Refusal(
            int exit,
            String error,
            @JsonInclude(Include.NON_EMPTY) String code) {}

    /**
     * @param commands function that adds the commands below
     * @param out      writer of the results; its failures end the program
     */
    public CommandLineProgram(Object command, Consumer<CommandLine> commands, Writer out, PrintWriter err) {
        super(command);
        commands.accept(this);
        results = new ResultOutput(out);
        setOut(new PrintWriter(results));
        setErr(err);
        setExecutionExceptionHandler((problem, at, parsed) -> refused(problem, wantsJson(parsed)));
        setParameterExceptionHandler(this::misused);
        setExecutionStrategy(this::run);
    }

    @Override
    public int execute(String... arguments) {
        int exit = arrangedAndRun(arguments);
        getOut().flush();
        if (results.failure().isEmpty()) {
            return exit;
        }
        say("The results could not be written: "
                + ErrorMessages.of(results.failure().get()) + ".");
        return ExitCodeException.OUTSIDE;
    }

    private int arrangedAndRun(String... arguments) {
        try {
            return super.execute(ArgumentOrder.arranged(this, arguments));
        } catch (ParameterException e) {
            return misused(e, arguments);
        }
    }

    private int run(ParseResult parsed) {
        var unreadable = InputFiles.problem(parsed);
        if (unreadable.isPresent()) {
            return refused(ExitCodeException.badInput(unreadable.get()), wantsJson(parsed));
        }
        try {
            int exit = new RunLast().execute(parsed);
            if (exit != 0 && wantsJson(parsed) && results.isEmpty()) {
                printJson("", "", exit);
            }
            return exit;
        } catch (OutOfMemoryError e) {
            say("The memory (" + (Runtime.getRuntime().maxMemory() >> 20)
                    + " MiB) did not suffice.\nMaybe METASCHED_OPTS=-Xmx4g gives enough.");
            return ExitCodeException.OUTSIDE;
        }
    }

    /** Whether the command has the option; the same word may be an argument of a program that it runs. */
    private static boolean wantsJson(ParseResult parsed) {
        return parsed.hasSubcommand()
                ? wantsJson(parsed.subcommand())
                : parsed.hasMatchedOption("--json") || parsed.unmatched().contains("--json");
    }

    /** A stack trace comes only with {@code -Dmetasched.trace=true}. */
    private int refused(Exception problem, boolean json) {
        if (Boolean.getBoolean("metasched.trace")) {
            problem.printStackTrace(getErr());
        }
        String sentence = ErrorMessages.of(problem);
        int exit = ExitCodeException.exitCodeOf(problem);
        say(sentence);
        if (json && results.isEmpty()) {
            printJson(sentence, problem instanceof ExitCodeException failure ? failure.code() : "", exit);
        }
        return exit;
    }

    private int misused(ParameterException problem, String[] arguments) {
        var command = problem.getCommandLine();
        String sentence = NO_COMMAND.equals(problem.getMessage())
                ? "A command is missing."
                : ErrorMessages.cleared(problem.getMessage()).replace("option option", "option");
        say(sentence);
        if (!UnmatchedArgumentException.printSuggestions(problem, getErr())) {
            if (problem instanceof UnmatchedArgumentException
                    && command.getCommandSpec().findOption("--config") != null) {
                getErr().println("Maybe '--config' belongs before the name of a file.");
            }
            if (command.getSubcommands().isEmpty()) {
                getErr().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
            } else {
                command.usage(getErr());
            }
        }
        getErr().flush();
        if (Arrays.asList(arguments).contains("--json")) {
            printJson(sentence, "", ExitCodeException.BAD_INPUT);
        }
        return ExitCodeException.BAD_INPUT;
    }

    private void say(String sentence) {
        getErr().println("metasched: " + sentence);
        getErr().flush();
    }

    private void printJson(String sentence, String code, int exit) {
        getOut().println(ResultMapper.json(new Refusal(exit, sentence, code)));
    }
}
