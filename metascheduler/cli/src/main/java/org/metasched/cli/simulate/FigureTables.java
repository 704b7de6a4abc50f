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
        int figures = groups.get(0).size();
        int first = groups.get(0).stream().mapToInt(String::length).max().orElse(1);
        for (int figure = 0; figure < figures; figure++) {
            var line = new StringBuilder();
            for (var group : groups) {
                // A negative width of a format sets the text to the left.
                int width = group == groups.get(0)
                        ? -first
                        : Math.max(
                                10,
                                group.stream().mapToInt(String::length).max().orElse(10));
                line.append(String.format(Locale.ROOT, "%" + width + "s  ", OutputOptions.plain(group.get(figure))));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
