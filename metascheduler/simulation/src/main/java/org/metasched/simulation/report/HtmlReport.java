package org.metasched.simulation.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.metasched.drawing.XmlEscapes;
import org.metasched.simulation.result.RunJson;

/** A comparison as one page with its plots in it, and the plots and their data as files of their own. No scripts. */
public final class HtmlReport {

    private static final String STYLE = "body{font-family:sans-serif;margin:2em;max-width:1200px}"
            + "table{border-collapse:collapse;font-size:13px}td,th{border:1px solid #ccc;padding:4px 8px;text-align:right}"
            + "td:first-child,th:first-child{text-align:left}figure{display:inline-block;margin:8px}";

    private HtmlReport() {}

    /**
     * The part of a run that is drawn node by node.
     *
     * @param from first second of the run that is drawn
     * @param until last second that is drawn
     */
    public record Window(long from, long until) {}

    /**
     * Writes a comparison into a folder; the nodes are drawn of the first run of the last group.
     *
     * @throws IOException when a run's files cannot be read or the folder cannot be written
     */
    public static void write(Path folder, RunComparison comparison, Window window) throws IOException {
        Files.createDirectories(folder);
        var plots = comparison.plots();
        var run = comparison.groups().get(comparison.groups().size() - 1).runs().get(0);
        plots.put("gantt.svg", new NodeUsageChart(run, window.from(), window.until()).svg());
        for (var plot : plots.entrySet()) {
            Files.writeString(folder.resolve(plot.getKey()), plot.getValue());
        }
        Files.writeString(folder.resolve("comparison.json"), RunJson.text(comparison.json()));
        Files.writeString(folder.resolve("report.html"), page(comparison, plots));
    }

    private static String page(RunComparison comparison, Map<String, String> plots) {
        var page = new StringBuilder(
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                        + "<title>Simulated co-allocation</title><style>" + STYLE + "</style></head><body>\n"
                        + "<h1>Simulated co-allocation</h1>\n<p>Means, with half the width of the 95 % confidence interval: over seeds"
                        + " where there are several, else by 20 batch means of the run. Intervals by weeks are a bootstrap over weeks of local jobs.</p>\n");
        table(page, comparison.table());
        comparison.differences().forEach(table -> table(page, table));
        for (var note : comparison.notes()) {
            page.append("<p>" + XmlEscapes.escaped(note) + "</p>\n");
        }
        plots.forEach((name, svg) -> page.append("<figure>").append(svg).append("</figure>\n"));
        return page.append("</body></html>\n").toString();
    }

    private static void table(StringBuilder page, List<List<String>> rows) {
        page.append("<table>\n");
        for (var row : rows) {
            String cell = row == rows.get(0) ? "th" : "td";
            page.append("<tr>");
            for (var text : row) {
                page.append("<" + cell + ">" + XmlEscapes.escaped(text) + "</" + cell + ">");
            }
            page.append("</tr>\n");
        }
        page.append("</table>\n");
    }
}
