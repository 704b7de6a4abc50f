package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.life.DagPicture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code metasched dag status}: DAGs, node by node. */
@Command(
        name = "status",
        description = {
            "Shows how far bound DAGs are, node by node, run by condor_dagman or by Slurm.",
            "Exits with 1 if one has stopped before its end, or was interrupted."
        })
final class DagStatusCommand extends PrintingCommand implements Callable<Integer> {

    /** The width of the picture where stdout is no terminal. */
    private static final int WIDTH = 100;

    @Option(names = "--svg", paramLabel = "OUT", description = "Draw the DAG, its nodes in colours of their states.")
    private @Nullable Path svg;

    @Mixin
    private BoundDags dags = new BoundDags();

    @Override
    public Integer call() throws IOException {
        List<Path> directories = dags.directories();
        if (svg != null && directories.size() > 1) {
            throw ExitCodeException.badInput(
                    "One picture (--svg) shows one DAG, and there are " + directories.size() + ".");
        }
        return new DagBatch(output, directories).each(directory -> show(DagOverview.of(directory)));
    }

    private int show(DagOverview overview) throws IOException {
        var status = overview.status();
        var picture = new DagPicture(status.dag(), status.binding().site(), status.states());
        if (svg != null) {
            try (var writer = Files.newBufferedWriter(svg)) {
                picture.writeSvg(writer);
            }
        }
        output.print(overview.shown(), out -> {
            overview.lines().forEach(out::println);
            int columns = OutputOptions.columns() > 0 ? OutputOptions.columns() : WIDTH;
            picture.text(columns).forEach(out::println);
        });
        overview.advice().ifPresent(output::say);
        return overview.end().orElse(0);
    }
}
