package org.metasched.cli.agreement;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.client.OfferWriter;
import org.w3c.dom.Document;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Mixin of a program that runs on the nodes of every site. */
final class ProgramOptions {

    @Option(names = "--per-node", paramLabel = "K", description = "Processes on each node (default: ${DEFAULT-VALUE}).")
    private int perNode = 1;

    @Option(
            names = "--together",
            paramLabel = "SPAN",
            description = "How long processes wait for those of all other sites before they give up.")
    private @Nullable Duration together;

    @Parameters(
            arity = "0..*",
            paramLabel = "PROGRAM [ARGUMENT...]",
            description =
                    "A program to run on the nodes of every site, when the slot begins; all that follows it is its"
                            + " own. 'agreement ID' tells its exit code, job id and output. Without one, nodes are only reserved.")
    private List<String> words = List.of();

    /** Passes all words after a program to the program, as other commands do that run one. */
    @Spec(Target.MIXEE)
    void spec(CommandSpec spec) {
        spec.parser().stopAtPositional(true);
    }

    /** @throws ExitCodeException if the options of a program are given, and no program */
    boolean isGiven() {
        ExitCodeException.badInputIf(
                words.isEmpty() && (perNode != 1 || together != null),
                "--per-node and --together say how a program runs, and PROGRAM is missing.");
        return !words.isEmpty();
    }

    /** Writes the program into each part of an offer. */
    void writeInto(Document offer) {
        ExitCodeException.badInputIf(perNode < 1, "--per-node (%s) must be at least 1.", perNode);
        OfferWriter.run(offer, words, perNode, Optional.ofNullable(together));
    }

    /** The program and its options as they stand in a command. */
    List<String> arguments() {
        var arguments = new ArrayList<>(List.of("--per-node", String.valueOf(perNode)));
        if (together != null) {
            arguments.addAll(List.of("--together", together.toString()));
        }
        arguments.addAll(words);
        return arguments;
    }

    String name() {
        return words.get(0);
    }
}
