package org.metasched.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metasched dag}: DAGs of jobs, checked and bound to sites. */
@Command(
        name = "dag",
        mixinStandardHelpOptions = true,
        description = "Checks DAGs and binds them to sites.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            DagBindCommand.class,
            DagCheckCommand.class,
            DagReleaseCommand.class,
            DagRebindCommand.class,
        })
final class DagCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing.");
    }
}
