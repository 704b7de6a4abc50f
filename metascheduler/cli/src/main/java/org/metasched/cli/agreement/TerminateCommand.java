package org.metasched.cli.agreement;

import java.util.concurrent.Callable;
import org.metasched.cli.output.Completions;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.cli.server.AgreementPages;
import org.metasched.cli.server.AskingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Ends one agreement. */
@Command(name = "terminate", description = "Ends an agreement and gives its reservations back.")
public final class TerminateCommand extends AskingCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "ID",
            completionCandidates = Completions.Agreements.class,
            description = "As printed by reserve, or your name for it (reserve --id or --label).")
    private String id = "";

    @Override
    public Integer call() throws InterruptedException {
        String agreement = AgreementPages.idOf(server, id);
        AgreementPrinting.print(output, AgreementCalls.on(server, client -> client.terminate(agreement)));
        return 0;
    }
}
