package org.metasched.cli.output;

import picocli.CommandLine.Command;

/** A command that only has others below it. */
@Command(mixinStandardHelpOptions = true, synopsisSubcommandLabel = "COMMAND")
public abstract class CommandGroup {}
