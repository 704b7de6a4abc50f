package org.metasched.cli.simulate;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.simulation.report.CompletedRun;
import org.metasched.simulation.report.HtmlReport;
import org.metasched.simulation.report.HtmlReport.Window;
import org.metasched.simulation.report.RunComparison;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched simulate compare}: a table, plots and a page. */
@Command(
        name = "compare",
        description = {
            "Lays runs or sweeps side by side: a table, and with --out SVG plots and one HTML page without scripts.",
            "Each group is also compared with the first, paired by seed: difference, 95 %% intervals by seeds and by weeks of local jobs,"
                    + " exact p-value, number of pairs, and how many seeds would show a difference of 5 %%."
        })
final class SimulateCompareCommand extends PrintingCommand implements Callable<Integer> {

    private static final Pattern WINDOW = Pattern.compile("(\\d{1,7})\\.\\.(\\d{1,7})");

    @Parameters(arity = "1..*", paramLabel = "DIR", description = "Folders of runs or of sweeps.")
    private List<Path> folders = List.of();

    @Option(names = "--out", paramLabel = "DIR", description = "Folder for plots and report.html.")
    private Optional<Path> out = Optional.empty();

    @Option(
            names = "--by",
            paramLabel = "PATH",
            description = "The parameter on the plots' x axis (default: the first one that differs and is a number).")
    private Optional<String> by = Optional.empty();

    @Option(
            names = "--window",
            paramLabel = "H..H",
            defaultValue = "240..288",
            description = "Hours of the last run that are drawn node by node (default: ${DEFAULT-VALUE}).")
    private String window = "";

    @Override
    public Integer call() throws IOException {
        var drawn = window();
        var runs = new ArrayList<CompletedRun>();
        for (var folder : folders) {
            runs.addAll(CompletedRun.readAll(folder));
        }
        var comparison = new RunComparison(runs, by);
        if (out.isPresent()) {
            HtmlReport.write(out.get(), comparison, drawn);
            output.say("Plots and report.html are in " + out.get() + ".");
        }
        output.print(comparison.json(), out -> FigureTables.print(out, comparison));
        return 0;
    }

    private Window window() {
        var hours = WINDOW.matcher(window);
        if (!hours.matches() || Long.parseLong(hours.group(1)) >= Long.parseLong(hours.group(2))) {
            throw ExitCodeException.badInput(
                    "The window (" + window + ") must be two whole hours in order, such as 240..288.");
        }
        return new Window(3600 * Long.parseLong(hours.group(1)), 3600 * Long.parseLong(hours.group(2)));
    }
}
