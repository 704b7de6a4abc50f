package org.metasched.cli.claim;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Stack;
import java.util.UUID;
import java.util.function.Function;
import org.metasched.classad.claim.ClaimAnswer;
import org.metasched.classad.claim.ClaimAnswer.Declined;
import org.metasched.cli.output.CommandGroup;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.TextTable;
import org.metasched.cli.server.ServerOption;
import org.metasched.soap.claiming.ClaimedJobs;
import org.metasched.soap.claiming.ClaimingClient;
import org.metasched.soap.claiming.ClaimingClient.Step;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched claim}: the steps of claims after the {@linkplain ClaimRequestCommand request}. */
@Command(
        name = "claim",
        description =
                "Claims advertised resources: request, then activate, and renew every few minutes until the release.",
        subcommands = ClaimRequestCommand.class)
public final class ClaimCommand extends CommandGroup {

    @Command(mixinStandardHelpOptions = true, description = "Begins the use of resources. A repetition renews.")
    int activate(
            @Mixin OutputOptions output,
            @Mixin ServerOption server,
            @Parameters(arity = "1..*", paramLabel = "CLAIM") List<UUID> claims) {
        return take(Step.ACTIVATE, output, server, claims);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Activates a claim, and its site runs a program as agreement claim-CLAIM, until the claim ends.",
                "Exits with 1, and leaves the claim as it is, if the site does not start the program now."
            })
    int run(
            @Mixin OutputOptions output,
            @Mixin ServerOption server,
            @Option(names = "--nodes", paramLabel = "N", defaultValue = "1", description = "1 unless set.") int nodes,
            @Option(names = "--per-node", paramLabel = "K", defaultValue = "1", description = "Processes on each; 1.")
                    int perNode,
            @Option(names = "--duration", paramLabel = "SPAN", defaultValue = "PT1H", description = "At most; PT1H.")
                    Duration duration,
            @Parameters(index = "0", paramLabel = "CLAIM") UUID claim,
            @Parameters(
                            index = "1..*",
                            arity = "1..*",
                            paramLabel = "PROGRAM [ARGUMENT...]",
                            parameterConsumer = ProgramWords.class)
                    List<String> words) {
        var job = new ClaimedJobs.Job(words, nodes, perNode, duration);
        return take(remote -> remote.run(claim, job), output, server, claim);
    }

    /** Passes all words after a program to the program, as other commands do that run one. */
    static final class ProgramWords implements IParameterConsumer {

        @Override
        public void consumeParameters(Stack<String> words, ArgSpec program, CommandSpec command) {
            Collections.reverse(words);
            program.setValue(List.copyOf(words));
            words.clear();
        }
    }

    @Command(mixinStandardHelpOptions = true, description = "Prolongs claims until ten minutes from now.")
    int renew(
            @Mixin OutputOptions output,
            @Mixin ServerOption server,
            @Parameters(arity = "1..*", paramLabel = "CLAIM") List<UUID> claims) {
        return take(Step.RENEW, output, server, claims);
    }

    @Command(mixinStandardHelpOptions = true, description = "Gives claims back, whether they were used or not.")
    int release(
            @Mixin OutputOptions output,
            @Mixin ServerOption server,
            @Parameters(arity = "1..*", paramLabel = "CLAIM") List<UUID> claims) {
        return take(Step.RELEASE, output, server, claims);
    }

    @Command(mixinStandardHelpOptions = true, description = "Takes a resource of one's own back from its claimant.")
    int preempt(
            @Mixin OutputOptions output,
            @Mixin ServerOption server,
            @Parameters(arity = "1..*", paramLabel = "CLAIM") List<UUID> claims) {
        return take(Step.PREEMPT, output, server, claims);
    }

    /** Takes a step with each of the claims, also after one that is declined; returns the greatest exit code. */
    private static int take(Step step, OutputOptions output, ServerOption server, List<UUID> claims) {
        int exit = 0;
        for (UUID claim : claims) {
            exit = Math.max(exit, take(remote -> remote.take(step, claim), output, server, claim));
        }
        return exit;
    }

    private static int take(
            Function<ClaimingClient, ClaimAnswer> step, OutputOptions output, ServerOption server, UUID claim) {
        if (on(server, step) instanceof Declined declined) {
            String reason = OutputOptions.plain(declined.reason());
            output.err().println("metasched: " + claim + ": " + reason + (reason.endsWith(".") ? "" : "."));
            output.err().flush();
            return ExitCodeException.NO;
        }
        return 0;
    }

    @Command(mixinStandardHelpOptions = true, description = "The claims that you may see, oldest first.")
    void list(@Mixin OutputOptions output, @Mixin ServerOption server) {
        List<ClaimingClient.Claim> claims = on(server, ClaimingClient::claims);
        var table = new TextTable("CLAIM", "RESOURCE", "CUSTOMER", "OWNER", "STATE", "LEASE-END");
        claims.forEach(claim -> table.row(
                claim.id(),
                claim.resource(),
                claim.customer(),
                claim.owner(),
                claim.active() ? "active" : "requested",
                claim.leaseEnd()));
        output.print(claims, table::print);
    }

    static <T> T on(ServerOption server, Function<ClaimingClient, T> call) {
        try {
            return call.apply(new ClaimingClient(server.base(), server.caller()));
        } catch (UncheckedIOException e) {
            throw ExitCodeException.outside(
                    ErrorMessages.of(e) + "\nMaybe try the same command again: each step may be repeated.");
        }
    }
}
