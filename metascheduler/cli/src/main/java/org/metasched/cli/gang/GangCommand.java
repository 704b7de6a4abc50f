package org.metasched.cli.gang;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metasched gang}: gangs by hand, no server needed. */
@Command(
        name = "gang",
        mixinStandardHelpOptions = true,
        description = "Matches any number of ads at once.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = GangMatchCommand.class)
public final class GangCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing.");
    }
}
