package org.metasched.cli.simulate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.simulation.report.CompletedRun;
import org.metasched.simulation.report.RunComparison;
import org.metasched.simulation.scenario.ScenarioReader;
import org.metasched.simulation.sweep.SweepCell;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched simulate run}: one scenario, or all runs of its sweep. */
@Command(
        name = "run",
        description = {
            "Runs a scenario, or every run of its sweep.",
            "A run writes run.json, local-jobs.csv and meta-jobs.csv to a folder that gets its final name when complete.",
            "What is complete is not run again, so that a sweep that was killed goes on where it stopped."
        })
final class SimulateRunCommand extends PrintingCommand implements Callable<Integer> {

    @Parameters(paramLabel = "SCENARIO", description = "The scenario, as YAML.")
    private Path scenario = Path.of("");

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Folder for the results.")
    private Path out = Path.of("");

    @Option(
            names = "--trace",
            paramLabel = "NAME=FILE",
            description = "A trace in the Standard Workload Format, packed or not, by its name in the scenario.")
    private Map<String, Path> traces = new LinkedHashMap<>();

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Alters the scenario: streams.meta.share=0.1. A swept path given here is no longer swept.")
    private Map<String, String> alterations = new LinkedHashMap<>();

    @Option(
            names = "--processes",
            defaultValue = "1",
            description = "Runs of a sweep beside each other, 1 to 1024 (default: ${DEFAULT-VALUE}, in this process).")
    private int processes;

    @Option(names = "--list", description = "Print the command line of each run that is not complete, and run nothing.")
    private boolean list;

    @Option(names = "--over-soap", description = "Put the real site wire, on loopback, between negotiation and sites.")
    private boolean overSoap;

    @Option(names = "--with-parent", hidden = true, description = "End when the process that started this one ends.")
    private boolean withParent;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (withParent) {
            ProcessHandle.current()
                    .parent()
                    .ifPresent(parent ->
                            parent.onExit().thenRun(() -> Runtime.getRuntime().halt(ExitCodeException.OUTSIDE)));
        }
        var reader = ScenarioReader.open(scenario, traces);
        var cells = SweepCell.of(reader.sweep(), alterations);
        var sweep = SweepRuns.of(reader, cells, new SweepRuns.RunPaths(scenario, traces, out), overSoap, output);
        if (list) {
            sweep.list();
            return 0;
        }
        sweep.run(processes);
        if (cells.size() == 1 && cells.get(0).name().isEmpty()) {
            var run = CompletedRun.read(out);
            output.print(
                    run.figures(), text -> FigureTables.print(text, new RunComparison(List.of(run), Optional.empty())));
        } else {
            output.print(
                    new Summary(cells.size(), out),
                    text -> output.say("All " + cells.size() + " runs are in " + out
                            + ". Next: metasched simulate gather " + out));
        }
        return 0;
    }

    private record Summary(int runs, Path out) {}
}
