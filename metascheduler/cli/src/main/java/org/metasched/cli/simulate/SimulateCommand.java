package org.metasched.cli.simulate;

import picocli.CommandLine.Command;

/** {@code metasched simulate}: runs scenarios on a virtual clock and lays their results side by side. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description =
                "Runs co-allocation over simulated sites on a virtual clock: what it gives, and what it costs local users.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            SimulateRunCommand.class,
            SimulateGatherCommand.class,
            SimulateCompareCommand.class,
        })
public final class SimulateCommand {}
