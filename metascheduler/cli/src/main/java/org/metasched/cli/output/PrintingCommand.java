package org.metasched.cli.output;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What every command has that prints something: help, and the options about its output. */
@Command(mixinStandardHelpOptions = true)
public abstract class PrintingCommand {

    @Mixin
    protected final OutputOptions output = new OutputOptions();
}
