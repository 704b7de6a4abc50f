package org.metasched.adapter.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;

/**
 * Reads the tables and blocks that commands print, and refuses what is cut short, has too many columns or keys twice, or
 * holds control characters: better no answer than a plausible wrong one.
 */
public final class OutputTable {

    private static final int MOST_LINES = 2_000_000;
    private static final Pattern BLANKS = Pattern.compile("[ \\t]+");

    private OutputTable() {}

    /**
     * The lines of an output, without the empty rest after the last line end.
     *
     * @throws OutputFormatException for a control character other than tab and line end
     */
    public static List<String> lines(String output) {
        var lines = new ArrayList<String>();
        int from = 0;
        while (from < output.length()) {
            int end = output.indexOf('\n', from);
            int to = end < 0 ? output.length() : end;
            String line = output.substring(from, to > from && output.charAt(to - 1) == '\r' ? to - 1 : to);
            refuseControls(line, lines.size() + 1);
            lines.add(line);
            OutputFormatException.throwIf(lines.size() > MOST_LINES, "more than %s lines", MOST_LINES);
            from = to + 1;
        }
        return lines;
    }

    private static void refuseControls(String line, int number) {
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c != '\t' && Character.isISOControl(c)) {
                throw new OutputFormatException(
                        "line " + number + ": a control character in (" + DisplayText.of(line) + ")");
            }
        }
    }

    /** Rows with a delimiter between the fields, the first line naming the columns. */
    public static List<NamedFields> delimited(String output, String delimiter) {
        List<String> lines = lines(output);
        OutputFormatException.throwIf(
                lines.isEmpty(), "no output, where a line with the names of the columns was expected");
        List<String> columns = split(lines.get(0), delimiter);
        var rows = new ArrayList<NamedFields>();
        for (int i = 1; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                rows.add(row(i + 1, columns, lines.get(i), delimiter));
            }
        }
        return rows;
    }

    private static List<String> split(String line, String delimiter) {
        return List.of(Pattern.compile(delimiter, Pattern.LITERAL).split(line, -1));
    }

    /**
     * One row, for a reader that skips an odd row and continues.
     *
     * @throws OutputFormatException when it has more or fewer fields than there are columns
     */
    public static NamedFields row(int line, List<String> columns, String text, String delimiter) {
        return row(line, columns, split(text, delimiter));
    }

    /**
     * Rows with blanks between the fields. A column named {@code *}, as the last one, takes the rest of the line.
     *
     * @param skip number of lines before the first row
     */
    public static List<NamedFields> blankSeparated(String output, int skip, List<String> columns) {
        List<String> lines = lines(output);
        boolean hasRest = columns.get(columns.size() - 1).equals("*");
        var rows = new ArrayList<NamedFields>();
        for (int i = skip; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty()) {
                var fields = new ArrayList<>(List.of(BLANKS.split(line, hasRest ? columns.size() : -1)));
                if (hasRest && fields.size() == columns.size() - 1) {
                    fields.add("");
                }
                rows.add(row(i + 1, columns, fields));
            }
        }
        return rows;
    }

    private static NamedFields row(int line, List<String> columns, List<String> fields) {
        if (fields.size() != columns.size()) {
            throw new OutputFormatException("line " + line + ": expected " + columns.size() + " columns "
                    + DisplayText.of(columns.toString()) + ", not " + fields.size());
        }
        var values = new LinkedHashMap<String, String>();
        for (int i = 0; i < columns.size(); i++) {
            if (values.put(columns.get(i).strip(), fields.get(i).strip()) != null) {
                throw new OutputFormatException(
                        "line " + line + ": the column (" + DisplayText.of(columns.get(i)) + ") comes twice");
            }
        }
        return new NamedFields(values, line);
    }

    /**
     * Blocks of {@code key = value} lines, each begun by a line that {@code head} matches; its first group is kept under
     * {@code headName}. A line that begins with a tab continues the value before it. Blank lines are skipped.
     *
     * @throws OutputFormatException for a key that comes twice in a block, and for any other line
     */
    public static List<NamedFields> blocks(String output, Pattern head, String headName) {
        List<String> lines = lines(output);
        var blocks = new ArrayList<NamedFields>();
        Map<String, String> values = new LinkedHashMap<>();
        int firstLine = 0;
        String lastKey = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            var heading = head.matcher(line);
            int equals = line.indexOf(" = ");
            if (heading.matches()) {
                addBlock(blocks, firstLine, values);
                values = new LinkedHashMap<>(Map.of(headName, heading.group(1)));
                firstLine = i + 1;
                lastKey = "";
            } else if (line.startsWith("\t") && !lastKey.isEmpty()) {
                values.merge(lastKey, line.substring(1), String::concat);
            } else if (firstLine > 0 && equals > 0) {
                lastKey = line.substring(0, equals).strip();
                if (values.put(lastKey, line.substring(equals + 3)) != null) {
                    throw new OutputFormatException(
                            "line " + (i + 1) + ": " + DisplayText.of(lastKey) + " comes twice");
                }
            } else if (!line.isBlank()) {
                throw new OutputFormatException(
                        "line " + (i + 1) + ": expected 'key = value', not (" + DisplayText.of(line) + ")");
            }
        }
        addBlock(blocks, firstLine, values);
        return blocks;
    }

    private static void addBlock(List<NamedFields> blocks, int firstLine, Map<String, String> values) {
        if (firstLine > 0) {
            blocks.add(new NamedFields(values, firstLine));
        }
    }
}
