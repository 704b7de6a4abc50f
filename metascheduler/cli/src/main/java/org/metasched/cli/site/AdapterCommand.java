package org.metasched.cli.site;

import org.metasched.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code metasched adapter}: one local scheduler, served or checked. */
@Command(
        name = "adapter",
        description = "Serves a site's local scheduler, or checks its adapter.",
        subcommands = {AdapterServeCommand.class, AdapterCheckCommand.class})
public final class AdapterCommand extends CommandGroup {}
