package org.metasched.cli.agreement;

import java.util.concurrent.Callable;
import org.metasched.cli.output.Completions;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.cli.server.AgreementPages;
import org.metasched.cli.server.AskingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one agreement. */
@Command(name = "agreement", description = "Shows one agreement.")
public final class AgreementCommand extends AskingCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "ID",
            completionCandidates = Completions.Agreements.class,
            description = "As printed by reserve, or your name for it (reserve --id or --label).")
    private String id = "";

    @Option(names = "--history", description = "Shows what happened to it, from the offer on.")
    private boolean history;

    @Override
    public Integer call() throws InterruptedException {
        String agreement = AgreementPages.idOf(server, id);
        if (history) {
            AgreementPrinting.history(
                    output, agreement, AgreementCalls.on(server, client -> client.history(agreement)));
        } else {
            AgreementPrinting.print(output, AgreementCalls.on(server, client -> client.show(agreement)));
        }
        return 0;
    }
}
