package org.metasched.bench.command;

import picocli.CommandLine.Command;

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
public final class BenchCommand {}
