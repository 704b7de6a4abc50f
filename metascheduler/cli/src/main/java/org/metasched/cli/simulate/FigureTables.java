package org.metasched.cli.simulate;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.metasched.cli.output.OutputOptions;
import org.metasched.simulation.report.RunComparison;

/** Figures of runs for a terminal: a line for each figure, a column for each group of runs. */
final class FigureTables {

    private FigureTables() {}

    static void print(PrintWriter out, RunComparison comparison) {
        print(out, comparison.table());
        for (var table : comparison.differences()) {
            out.println();
            print(out, table);
        }
        comparison.notes().forEach(note -> out.println(OutputOptions.plain(note)));
    }

    /** @param groups columns to be printed: the titles of the figures first, then the figures of each group */
    private static void print(PrintWriter out, List<List<String>> groups) {
        int[] widths = groups.stream()
                .mapToInt(group -> group.stream().mapToInt(String::length).max().orElse(1))
                .toArray();
        for (int figure = 0; figure < groups.get(0).size(); figure++) {
            var line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                // A negative width of a format sets the text to the left.
                int width = i == 0 ? -widths[0] : Math.max(10, widths[i]);
                line.append(String.format(
                        Locale.ROOT,
                        "%" + width + "s  ",
                        OutputOptions.plain(groups.get(i).get(figure))));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
