package org.metasched.cli.output;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Base of commands that print: help, and the options about output. */
@Command(mixinStandardHelpOptions = true)
public abstract class PrintingCommand {

    @Mixin
    protected final OutputOptions output = new OutputOptions();
}
