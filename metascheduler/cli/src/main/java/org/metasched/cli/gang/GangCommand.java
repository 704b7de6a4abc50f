package org.metasched.cli.gang;

import org.metasched.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code metasched gang}: gangs by hand, no server needed. */
@Command(
        name = "gang",
        description = "Matches gangs: sets of ads that suit one another, such as job, machine and licence.",
        subcommands = GangMatchCommand.class)
public final class GangCommand extends CommandGroup {}
