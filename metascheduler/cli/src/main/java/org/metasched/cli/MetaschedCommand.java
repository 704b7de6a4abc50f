package org.metasched.cli;

import org.metasched.cli.output.CommandGroup;
import picocli.CommandLine.Command;

/** The program itself: prints its usage when the arguments name no command. Its commands are in {@link CommandTree}. */
@Command(
        name = "metasched",
        versionProvider = BuildVersion.class,
        description = "Reserves several autonomous clusters at the same time, matches ClassAds, binds DAGs to sites.")
final class MetaschedCommand extends CommandGroup {}
