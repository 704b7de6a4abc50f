package org.metasched.cli.gang;

import picocli.CommandLine.Command;

/** {@code metasched gang}: gangs by hand, no server needed. */
@Command(
        name = "gang",
        mixinStandardHelpOptions = true,
        description = "Matches any number of ads at once.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = GangMatchCommand.class)
public final class GangCommand {}
