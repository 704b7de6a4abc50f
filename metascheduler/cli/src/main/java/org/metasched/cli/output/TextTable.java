package org.metasched.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** A table of aligned columns, numbers to the right. On a narrow terminal the widest columns are cut. Not thread-safe. */
public final class TextTable {

    /** The width below which no column is cut. */
    private static final int NARROWEST = 8;

    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(String... titles) {
        rows.add(List.of(titles));
    }

    /** Adds a row with a cell for each title; control characters become {@code ?}. */
    public TextTable row(Object... cells) {
        rows.add(Arrays.stream(cells)
                .map(cell -> OutputOptions.plain(String.valueOf(cell)))
                .toList());
        return this;
    }

    public void print(PrintWriter out) {
        print(out, OutputOptions.columns());
    }

    /** @param terminalWidth in characters, 0 without a terminal */
    void print(PrintWriter out, int terminalWidth) {
        int[] widths = IntStream.range(0, rows.get(0).size()).map(this::width).toArray();
        if (terminalWidth > 0) {
            fit(widths, terminalWidth);
        }
        var numeric = new BitSet();
        IntStream.range(0, widths.length).filter(this::isNumeric).forEach(numeric::set);
        rows.forEach(row -> out.println(line(row, widths, numeric)));
        out.flush();
    }

    private int width(int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
    }

    /** Narrows the widest columns until all fit, or all are as narrow as allowed. */
    private static void fit(int[] widths, int terminalWidth) {
        int excess = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - terminalWidth;
        while (excess > 0) {
            int widest = IntStream.range(0, widths.length)
                    .reduce((a, b) -> widths[b] > widths[a] ? b : a)
                    .orElseThrow();
            if (widths[widest] <= NARROWEST) {
                return;
            }
            widths[widest]--;
            excess--;
        }
    }

    private static String line(List<String> row, int[] widths, BitSet numeric) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            String cut = cell.length() <= widths[i] ? cell : cell.substring(0, widths[i] - 1) + "…";
            String space = " ".repeat(widths[i] - cut.length());
            line.append(i == 0 ? "" : GAP).append(numeric.get(i) ? space + cut : cut + space);
        }
        return line.toString().stripTrailing();
    }

    private boolean isNumeric(int column) {
        return rows.size() > 1
                && rows.stream().skip(1).allMatch(row -> row.get(column).matches("-|-?[0-9][0-9./]*"));
    }
}
