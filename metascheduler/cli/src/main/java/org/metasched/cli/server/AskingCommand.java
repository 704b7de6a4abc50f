package org.metasched.cli.server;

import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Mixin;

/** Base of commands that ask a server: its address, and the caller's credentials. */
public abstract class AskingCommand extends PrintingCommand {

    @Mixin
    protected final ServerOption server = new ServerOption();
}
