package org.metasched.cli.simulate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.simulation.report.CompletedRun;
import org.metasched.simulation.report.RunComparison;
import org.metasched.simulation.result.RunFiles;
import org.metasched.simulation.result.RunJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code metasched simulate gather}: the runs of a sweep as one result. */
@Command(
        name = "gather",
        description = {
            "Joins the runs of a sweep: means over seeds with 95 %% confidence intervals, to stdout and to DIR/gathered.json.",
            "Exit code 1 when a run of the sweep was not finished; the result says so."
        })
final class SimulateGatherCommand extends PrintingCommand implements Callable<Integer> {

    /** Suffix of the log of a run in a process of its own; a run that succeeds leaves none. */
    static final String LOG = ".log";
    /** The file in a sweep's folder with the names of its runs. */
    static final String RUNS = "sweep.txt";

    @Parameters(paramLabel = "DIR", description = "The folder of the sweep.")
    private Path folder = Path.of("");

    @Override
    public Integer call() throws IOException {
        var comparison = new RunComparison(CompletedRun.readAll(folder), Optional.empty());
        var partial = partial();
        var json = RunJson.object();
        json.put("complete", partial.isEmpty());
        var missing = json.putArray("partial");
        partial.forEach(missing::add);
        json.setAll(comparison.json());
        Files.writeString(folder.resolve("gathered.json"), RunJson.text(json));
        output.print(json, out -> FigureTables.print(out, comparison));
        if (!partial.isEmpty()) {
            output.err()
                    .println("Partial: " + partial.size() + " runs were not finished: " + String.join(", ", partial));
            return ExitCodeException.NO;
        }
        return 0;
    }

    /** The runs of the sweep, and others that began, that did not end; remains of an earlier try of a run that ended later do not count. */
    private List<String> partial() throws IOException {
        var names = new TreeSet<String>();
        var list = folder.resolve(RUNS);
        if (Files.exists(list)) {
            names.addAll(Files.readAllLines(list));
        }
        try (Stream<Path> inside = Files.list(folder)) {
            inside.map(path -> String.valueOf(path.getFileName()))
                    .filter(name -> name.endsWith(RunFiles.PARTIAL) || name.endsWith(LOG))
                    .forEach(name -> names.add(name.substring(0, name.lastIndexOf('.'))));
        }
        return names.stream()
                .filter(name -> !RunFiles.isComplete(folder.resolve(name)))
                .toList();
    }
}
