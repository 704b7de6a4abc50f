package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.submit.SubmitContext;
import org.metasched.submit.SubmitDescription;
import org.metasched.submit.SubmitException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched submit expand}: the job ads of a submit description. */
@Command(
        name = "expand",
        description = {
            "Prints the job ads that a submit description makes, as condor_submit -dry-run does: of each cluster the first job",
            "in full, of the others what differs. Runs nothing. Exits with 2 if condor_submit would refuse the description;",
            "if only files are missing, all ads are printed."
        })
final class SubmitExpandCommand extends PrintingCommand implements Callable<Integer> {

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "A variable for $ENV() and getenv, which overrides that of this process.")
    private Map<String, String> environment = new LinkedHashMap<>();

    @Option(names = "--clean-env", description = "Start from an empty environment instead of that of this process.")
    private boolean cleanEnvironment;

    @Option(
            names = {"-a", "--append"},
            paramLabel = "NAME = VALUE",
            description = "A setting that counts as written before each queue statement.")
    private List<String> appended = List.of();

    @Option(names = "--full", description = "Print every ad in full.")
    private boolean full;

    @Option(names = "--no-file-checks", description = "Do not look for executables and directories.")
    private boolean unchecked;

    @Parameters(index = "0", description = "The submit description; relative names in it start at its own directory.")
    private Path file;

    @Override
    public Integer call() {
        Path absolute = file.toAbsolutePath().normalize();
        Path directory = absolute.getParent();
        Map<String, String> variables = cleanEnvironment ? new HashMap<>() : new HashMap<>(System.getenv());
        variables.putAll(environment);
        SubmitContext context = SubmitContext.of(directory == null ? Path.of("/") : directory, variables);
        try {
            SubmitDescription.Expansion expansion = SubmitDescription.expand(
                    Path.of(String.valueOf(absolute.getFileName())),
                    unchecked ? context.withoutFileChecks() : context,
                    appended,
                    this::print);
            output.out().flush();
            expansion.warnings().forEach(warning -> output.say("WARNING: " + warning));
            expansion.missing().forEach(complaint -> output.err().println("ERROR: " + complaint));
            output.err().flush();
            return expansion.isAccepted() ? 0 : ExitCodeException.BAD_INPUT;
        } catch (SubmitException e) {
            output.out().flush();
            throw ExitCodeException.badInput(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw ExitCodeException.badInput(
                    "The submit description (" + file + ") cannot be read: " + ErrorMessages.of(e));
        }
    }

    private void print(SubmitDescription.Job job) {
        Map<String, String> attributes = full ? job.ad().attributes() : job.printed();
        if (output.json()) {
            output.printJson(attributes);
        } else {
            attributes.forEach((name, text) -> output.out().println(name + " = " + text));
            output.out().println();
        }
    }
}
