package org.metasched.cli.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.metasched.adapter.testkit.RuleReport;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.drawing.XmlEscapes;

/** Results of the rules as one page of HTML that an admin can send. */
final class CheckReport {

    private CheckReport() {}

    static void write(Path file, String site, Instant when, List<RuleReport> reports, List<String> remarks)
            throws IOException {
        String title = XmlEscapes.escaped("Rules of adapters at site " + site + ", " + when);
        var page = new StringBuilder("<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>")
                .append(title)
                .append(
                        "</title><style>td,th{padding:.2em .6em;text-align:left;vertical-align:top;white-space:pre-wrap}"
                                + ".FAILED{background:#fcc}.SKIPPED{background:#eee}</style></head><body><h1>")
                .append(title)
                .append("</h1>\n<p>")
                .append(XmlEscapes.escaped("metasched " + version() + ", Java " + Runtime.version() + ", "
                        + System.getProperty("os.name") + " " + System.getProperty("os.version")))
                .append("</p>\n<table><tr><th>Rule<th>Outcome<th>Title<th>Detail</tr>\n");
        for (RuleReport report : reports) {
            page.append("<tr class='").append(report.outcome()).append("'>");
            for (String cell : List.of(
                    report.rule().id(), report.outcome().name(), report.rule().title(), report.detail())) {
                page.append("<td>").append(XmlEscapes.escaped(cell)).append("</td>");
            }
            page.append("</tr>\n");
        }
        page.append("</table>\n");
        remarks.forEach(
                remark -> page.append("<p>").append(XmlEscapes.escaped(remark)).append("</p>\n"));
        try {
            Files.writeString(file, page.append("</body></html>\n"));
        } catch (IOException e) {
            throw ErrorMessages.named(file, e);
        }
    }

    private static String version() {
        var version = CheckReport.class.getPackage().getImplementationVersion();
        return version == null ? "of a checkout" : version;
    }
}
