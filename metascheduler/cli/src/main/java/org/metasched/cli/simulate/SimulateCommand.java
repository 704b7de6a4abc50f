package org.metasched.cli.simulate;

import org.metasched.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code metasched simulate}: runs scenarios on a virtual clock and lays their results side by side. */
@Command(
        name = "simulate",
        description =
                "Runs co-allocation over simulated sites on a virtual clock: what it gives, and what it costs local users.",
        subcommands = {
            SimulateRunCommand.class,
            SimulateAdviseCommand.class,
            SimulateGatherCommand.class,
            SimulateCompareCommand.class,
        })
public final class SimulateCommand extends CommandGroup {}
