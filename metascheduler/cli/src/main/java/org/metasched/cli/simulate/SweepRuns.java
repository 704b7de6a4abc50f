package org.metasched.cli.simulate;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.metasched.adapter.command.ShellQuoting;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.simulation.RunEvaluation;
import org.metasched.simulation.SiteWire;
import org.metasched.simulation.report.CompletedRun;
import org.metasched.simulation.result.RunFiles;
import org.metasched.simulation.scenario.ScenarioReader;
import org.metasched.simulation.sweep.ParallelProcesses;
import org.metasched.simulation.sweep.RunFingerprint;
import org.metasched.simulation.sweep.SweepCell;

/**
 * The runs of a sweep: here one after the other, as processes beside each other, or printed for a batch system.
 *
 * @param runs the runs, each with its fingerprint
 */
record SweepRuns(
        ScenarioReader reader, Map<SweepCell, String> runs, RunPaths files, boolean overSoap, OutputOptions output) {

    private static final int MOST_PROCESSES = 1_024;

    /** @param out folder of the results */
    record RunPaths(Path scenario, Map<String, Path> traces, Path out) {}

    /** The runs of these cells. Reads the scenario of each now, so that a mistake in the last does not show after a night. */
    static SweepRuns of(
            ScenarioReader reader, List<SweepCell> cells, RunPaths files, boolean overSoap, OutputOptions output)
            throws IOException {
        var runs = new LinkedHashMap<SweepCell, String>();
        for (var cell : cells) {
            var read = AdvertisedSites.checked(reader.read(cell.alterations()));
            var traces = new TreeMap<>(files.traces());
            traces.putAll(reader.traceFiles());
            runs.put(cell, RunFingerprint.of(files.scenario(), read, traces));
        }
        reader.warnings().forEach(output::say);
        return new SweepRuns(reader, runs, files, overSoap, output);
    }

    /** Prints commands for a batch system, one a line; each is complete in itself, and may be run again. */
    void list() throws IOException {
        begin();
        for (var cell : missing()) {
            var words = arguments(cell).stream().map(OutputOptions::plain).toList();
            output.out().println("metasched " + ShellQuoting.line(words));
        }
        output.out().flush();
    }

    /** @param processes number of runs beside each other; 1 for all in this process, as is a run without a sweep */
    void run(int processes) throws IOException, InterruptedException {
        ExitCodeException.badInputIf(
                processes < 1 || processes > MOST_PROCESSES,
                "The number of processes (%s) must be from 1 to %s.",
                processes,
                MOST_PROCESSES);
        if (begin() && processes > 1) {
            runInProcesses(processes);
            return;
        }
        int number = 0;
        for (var cell : runs.keySet()) {
            number++;
            runHere(cell, cell.name().isEmpty() ? "" : "run " + number + " of " + runs.size() + ": ");
        }
    }

    /** Writes the names of all runs to the folder, for what gathers them; returns whether they are a sweep. */
    private boolean begin() throws IOException {
        var names = runs.keySet().stream().map(SweepCell::name).toList();
        if (names.contains("")) {
            return false;
        }
        Files.createDirectories(files.out());
        Files.write(files.out().resolve(SimulateGatherCommand.RUNS), names);
        return true;
    }

    /** The sweep's runs, when all are complete; another sweep may have left more in their folder. */
    List<CompletedRun> results() throws IOException {
        var results = new ArrayList<CompletedRun>();
        for (var cell : runs.keySet()) {
            results.add(CompletedRun.read(folder(cell)));
        }
        return results;
    }

    private void runHere(SweepCell cell, String where) throws IOException, InterruptedException {
        var folder = folder(cell);
        if (isDone(cell)) {
            output.say(folder + " is complete.");
            return;
        }
        if (Files.exists(folder)) {
            throw ExitCodeException.badInput("The folder " + folder
                    + " is there and does not hold this run.\nMaybe the scenario has changed; name another folder.");
        }
        RunFiles.begin(folder);
        try (var soap = new SoapWire()) {
            var wire = overSoap ? soap : SiteWire.NONE;
            var read = reader.read(cell.alterations());
            var evaluation = RunEvaluation.of(read, wire, new AdvertisedSites(), new ProgressLine(output, where));
            evaluation.figures().put(RunFingerprint.KEY, runs.get(cell));
            evaluation.write(folder);
        }
    }

    private boolean isDone(SweepCell cell) throws IOException {
        return RunFingerprint.isIn(folder(cell), String.valueOf(runs.get(cell)));
    }

    private void runInProcesses(int most) throws IOException, InterruptedException {
        var orders = new ArrayList<ParallelProcesses.Order>();
        for (var cell : missing()) {
            var command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC"));
            // Each run may have as much memory as this process.
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .filter(option -> option.startsWith("-Xmx"))
                    .forEach(command::add);
            command.addAll(List.of("-cp", System.getProperty("java.class.path", "."), "org.metasched.cli.Main"));
            command.addAll(arguments(cell));
            // A sweep that is killed must not leave runs behind that write where the next one writes.
            command.addAll(List.of("--quiet", "--with-parent"));
            orders.add(
                    new ParallelProcesses.Order(command, files.out().resolve(cell.name() + SimulateGatherCommand.LOG)));
        }
        int done = runs.size() - orders.size();
        output.say(done + " of " + runs.size() + " runs are complete.");
        long began = System.nanoTime();
        var failures = new ParallelProcesses(most).run(orders, ended -> {
            long left = Math.round((System.nanoTime() - began) / 1e9 * (orders.size() - ended) / ended);
            output.say((done + ended) + " of " + runs.size() + " runs are over, " + left + " s left");
        });
        if (!failures.isEmpty()) {
            throw ExitCodeException.outside(
                    failures.size() + " of " + orders.size() + " runs failed:\n" + String.join("\n", failures));
        }
    }

    private List<SweepCell> missing() throws IOException {
        var missing = new ArrayList<SweepCell>();
        for (var cell : runs.keySet()) {
            if (!isDone(cell)) {
                missing.add(cell);
            }
        }
        return missing;
    }

    private Path folder(SweepCell cell) {
        return cell.name().isEmpty() ? files.out() : files.out().resolve(cell.name());
    }

    private List<String> arguments(SweepCell cell) {
        var arguments =
                new ArrayList<>(List.of("simulate", "run", files.scenario().toString()));
        files.traces().forEach((name, file) -> arguments.addAll(List.of("--trace", name + "=" + file)));
        cell.alterations().forEach((path, value) -> arguments.addAll(List.of("--set", path + "=" + value)));
        if (overSoap) {
            arguments.add("--over-soap");
        }
        arguments.addAll(List.of("--out", folder(cell).toString()));
        return arguments;
    }
}
