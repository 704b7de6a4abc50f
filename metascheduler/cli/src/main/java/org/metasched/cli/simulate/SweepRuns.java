package org.metasched.cli.simulate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.ShellWords;
import org.metasched.simulation.sweep.ParallelProcesses;
import org.metasched.simulation.sweep.RunFingerprint;
import org.metasched.simulation.sweep.SweepCell;

/** The runs of a sweep as command lines of their own: printed for a batch system, or run beside each other here. */
record SweepRuns(Path scenario, Map<String, Path> traces, Path out, boolean overSoap, OutputOptions output) {

    /** Prints commands for a batch system, one a line; each is complete in itself, and may be run again. */
    void list(List<SweepCell> cells) throws IOException {
        for (var cell : missing(cells)) {
            output.out().println("metasched " + ShellWords.line(arguments(cell)));
        }
        output.out().flush();
    }

    void inProcesses(List<SweepCell> cells, int most) throws IOException, InterruptedException {
        Files.createDirectories(out);
        var orders = new ArrayList<ParallelProcesses.Order>();
        for (var cell : missing(cells)) {
            var command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-cp",
                    System.getProperty("java.class.path", "."),
                    "org.metasched.cli.Main"));
            command.addAll(arguments(cell));
            // A sweep that is killed must not leave runs behind that write where the next one writes.
            command.addAll(List.of("--quiet", "--with-parent"));
            orders.add(new ParallelProcesses.Order(command, out.resolve(cell.name() + SimulateGatherCommand.LOG)));
        }
        int done = cells.size() - orders.size();
        output.say(done + " of " + cells.size() + " runs are complete.");
        long began = System.nanoTime();
        var failures = new ParallelProcesses(most).run(orders, ended -> {
            long left = Math.round((System.nanoTime() - began) / 1e9 * (orders.size() - ended) / ended);
            output.say((done + ended) + " of " + cells.size() + " runs are over, " + left + " s left");
        });
        if (!failures.isEmpty()) {
            throw ExitCodeException.world(
                    failures.size() + " of " + orders.size() + " runs failed:\n" + String.join("\n", failures));
        }
    }

    private List<SweepCell> missing(List<SweepCell> cells) throws IOException {
        var missing = new ArrayList<SweepCell>();
        for (var cell : cells) {
            if (!RunFingerprint.isIn(folder(cell), RunFingerprint.of(scenario, cell.alterations(), traces))) {
                missing.add(cell);
            }
        }
        return missing;
    }

    private Path folder(SweepCell cell) {
        return cell.name().isEmpty() ? out : out.resolve(cell.name());
    }

    private List<String> arguments(SweepCell cell) {
        var arguments = new ArrayList<>(List.of("simulate", "run", scenario.toString()));
        traces.forEach((name, file) -> arguments.addAll(List.of("--trace", name + "=" + file)));
        cell.alterations().forEach((path, value) -> arguments.addAll(List.of("--set", path + "=" + value)));
        if (overSoap) {
            arguments.add("--over-soap");
        }
        arguments.addAll(List.of("--out", folder(cell).toString()));
        return arguments;
    }
}
