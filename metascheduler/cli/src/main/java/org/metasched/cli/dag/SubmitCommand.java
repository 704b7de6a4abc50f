package org.metasched.cli.dag;

import picocli.CommandLine.Command;

/** {@code metasched submit}: submit descriptions without a schedd. */
@Command(
        name = "submit",
        mixinStandardHelpOptions = true,
        description = "Looks into submit descriptions.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            SubmitExpandCommand.class,
        })
public final class SubmitCommand {}
