package org.metasched.bench.command;

import java.util.Objects;
import org.metasched.cli.CommandProvider;
import picocli.CommandLine;

/** The benches for the command line, which finds them as a service. */
public final class BenchCommands implements CommandProvider {

    @Override
    public void addTo(CommandLine program) {
        program.addSubcommand(BenchCommand.class);
        Objects.requireNonNull(program.getSubcommands().get("gang"), "the command gang")
                .addSubcommand(GangBenchCommand.class);
    }
}
