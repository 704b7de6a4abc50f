package org.metasched.cli.site;

import picocli.CommandLine.Command;

/** {@code metasched adapter}: one local scheduler, served or checked. */
@Command(
        name = "adapter",
        mixinStandardHelpOptions = true,
        description = "Serves a site's local scheduler, or checks its adapter.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {AdapterServeCommand.class, AdapterCheckCommand.class})
public final class AdapterCommand {}
