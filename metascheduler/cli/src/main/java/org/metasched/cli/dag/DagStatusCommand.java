package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.Completions;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.life.DagPicture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched dag status}: one DAG, node by node. */
@Command(
        name = "status",
        description = {
            "Shows how far a bound DAG is, node by node, whether condor_dagman or Slurm runs it.",
            "Exits with 1 if it has stopped before its end, or was interrupted."
        })
final class DagStatusCommand extends PrintingCommand implements Callable<Integer> {

    private static final int WIDTH = 100;

    @Option(
            names = "--svg",
            paramLabel = "OUT",
            description = "Draw the DAG, its nodes in the colours of their states.")
    private @Nullable Path svg;

    @Parameters(
            paramLabel = "DIR",
            completionCandidates = Completions.Dags.class,
            description = "The directory of a bound DAG.")
    private Path directory = Path.of("");

    @Override
    public Integer call() throws IOException {
        DagOverview sight = DagOverview.of(directory);
        var status = sight.status();
        var picture = new DagPicture(status.dag(), status.binding().site(), status.states());
        if (svg != null) {
            try (var writer = Files.newBufferedWriter(svg)) {
                picture.writeSvg(writer);
            }
        }
        output.print(sight.shown(), out -> {
            sight.lines().forEach(out::println);
            int columns = OutputOptions.columns() > 0 ? OutputOptions.columns() : WIDTH;
            picture.text(columns).forEach(out::println);
        });
        sight.advice().ifPresent(output::say);
        return sight.end().orElse(0);
    }
}
