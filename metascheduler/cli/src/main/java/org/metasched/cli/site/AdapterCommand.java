package org.metasched.cli.site;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metasched adapter}: one local scheduler, served or checked. */
@Command(
        name = "adapter",
        mixinStandardHelpOptions = true,
        description = "Serves a site's local scheduler, or checks its adapter.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {AdapterServeCommand.class, AdapterCheckCommand.class})
public final class AdapterCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing: serve or check.");
    }
}
