package org.metasched.cli.agreement;

import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.AgreementState;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.server.AgreementPages;
import org.metasched.cli.server.AskingCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists agreements, the newest first. */
@Command(name = "agreements", description = "Lists the agreements of a server.")
public final class AgreementsCommand extends AskingCommand implements Callable<Integer> {

    @Option(names = "--state", paramLabel = "STATE", description = "Only those in this state, such as Observed.")
    private @Nullable String state;

    @Option(names = "--limit", paramLabel = "N", description = "Only the newest N; all if not given.")
    private int most = Integer.MAX_VALUE;

    @Override
    public Integer call() throws InterruptedException {
        ExitCodeException.badInputIf(most < 1, "--limit (%s) must be at least 1.", most);
        String wanted = state == null ? "" : "&state=" + named(state).term();
        AgreementPrinting.list(output, AgreementPages.read(server, wanted, most));
        return 0;
    }

    private static AgreementState named(String text) {
        return AgreementState.named(text)
                .orElseThrow(() -> ExitCodeException.badInput("The state (" + text + ") must be one of "
                        + Arrays.stream(AgreementState.values())
                                .map(AgreementState::term)
                                .toList()
                        + "."));
    }
}
