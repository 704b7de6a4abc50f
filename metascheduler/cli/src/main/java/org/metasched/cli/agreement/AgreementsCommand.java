package org.metasched.cli.agreement;

import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.AgreementState;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.cli.server.ServerOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists agreements, the newest first. */
@Command(name = "agreements", mixinStandardHelpOptions = true, description = "Lists the agreements of a server.")
public final class AgreementsCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private ServerOption server = new ServerOption();

    @Option(names = "--state", paramLabel = "STATE", description = "Only those in this state, such as Observed.")
    private @Nullable String state;

    @Override
    public Integer call() {
        var wanted = state == null ? null : named(state);
        var agreements = AgreementCalls.on(server, client -> client.list());
        AgreementPrinting.list(
                output,
                agreements.stream()
                        .filter(a -> wanted == null || a.state().equals(wanted.term()))
                        .toList());
        return 0;
    }

    private static AgreementState named(String text) {
        return AgreementState.named(text)
                .orElseThrow(() -> Failure.badInput("The state (" + text + ") must be one of "
                        + Arrays.stream(AgreementState.values())
                                .map(AgreementState::term)
                                .toList()
                        + "."));
    }
}
