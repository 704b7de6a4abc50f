package org.metasched.bench.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code metasched bench}: measurements, to be repeated by anybody. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures parts of the program on given workloads.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            BenchClassAdCommand.class,
            BenchSlotsCommand.class,
        })
public final class BenchCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "A command is missing.");
    }
}
