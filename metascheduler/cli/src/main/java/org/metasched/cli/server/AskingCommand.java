package org.metasched.cli.server;

import org.metasched.cli.output.PrintingCommand;
import picocli.CommandLine.Mixin;

/** What every command has that asks a server: which one, and who the user is there. */
public abstract class AskingCommand extends PrintingCommand {

    @Mixin
    protected final ServerOption server = new ServerOption();
}
