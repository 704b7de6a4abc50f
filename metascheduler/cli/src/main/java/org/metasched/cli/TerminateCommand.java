package org.metasched.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Ends one agreement. */
@Command(
        name = "terminate",
        mixinStandardHelpOptions = true,
        description = "Ends an agreement and gives its reservations back.")
final class TerminateCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private ServerOption server = new ServerOption();

    @Parameters(paramLabel = "ID", description = "As printed by reserve.")
    private String id = "";

    @Override
    public Integer call() {
        AgreementPrinting.print(output, AgreementCalls.on(server.base(), client -> client.terminate(id)));
        return 0;
    }
}
