package org.metasched.cli.dag;

import org.metasched.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code metasched submit}: submit descriptions without a schedd. */
@Command(
        name = "submit",
        description = "Expands submit descriptions into job ads.",
        subcommands = SubmitExpandCommand.class)
public final class SubmitCommand extends CommandGroup {}
