package org.metasched.cli.dag;

import org.metasched.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code metasched site}: one site for DAGs. */
@Command(
        name = "site",
        description = "Takes a site out of use for DAGs, and puts it back.",
        subcommands = SiteDrainCommand.class)
public final class SiteCommandGroup extends CommandGroup {}
