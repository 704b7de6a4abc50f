package org.metasched.cli.dag;

import org.metasched.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** {@code metasched site}: one site for DAGs. */
@Command(name = "site", description = "Drains a site of DAGs, or ends a drain.", subcommands = SiteDrainCommand.class)
public final class SiteCommandGroup extends CommandGroup {}
