package org.metasched.bench.command;

import org.metasched.cli.CommandProvider;
import picocli.CommandLine;

/** The benches for the command line, which loads them by {@link java.util.ServiceLoader}. */
public final class BenchCommands implements CommandProvider {

    @Override
    public void addTo(CommandLine program, CommandLine gang) {
        program.addSubcommand(BenchCommand.class);
        gang.addSubcommand(GangBenchCommand.class);
    }
}
