package org.metasched.cli.dag;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metasched submit}: submit descriptions without a schedd. */
@Command(
        name = "submit",
        mixinStandardHelpOptions = true,
        description = "Looks into submit descriptions.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            SubmitExpandCommand.class,
        })
public final class SubmitCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing.");
    }
}
