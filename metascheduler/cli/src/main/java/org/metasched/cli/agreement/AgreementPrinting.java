package org.metasched.cli.agreement;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.metasched.adapter.JobStatus;
import org.metasched.agreement.AgreementEvent;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.TextTable;
import org.metasched.client.AgreementView;
import org.metasched.client.AgreementView.SiteView;

/** Prints agreements: for people, and as JSON with keys that scripts rely on. */
public final class AgreementPrinting {

    private record Listed(List<JsonNode> agreements) {}

    private record History(String agreementId, List<AgreementEvent> events) {}

    private AgreementPrinting() {}

    public static void print(OutputOptions output, AgreementView agreement) {
        output.print(agreement, out -> lines(agreement).forEach(out::println));
    }

    /** The agreement as lines without control characters; the first has its id and state. */
    public static List<String> lines(AgreementView agreement) {
        List<String> lines = new ArrayList<>();
        lines.add("agreement " + agreement.agreementId() + " is " + agreement.state());
        agreement
                .start()
                .ifPresent(
                        s -> lines.add("  from " + s + " to " + agreement.end().orElse(s)));
        for (SiteView site : agreement.sites()) {
            lines.add("  " + site.site() + ": " + site.amount() + " reserved as " + site.reservationId() + " ("
                    + site.state() + ")" + when(site, agreement));
            if (!site.lostNodes().isEmpty()) {
                lines.add("    degraded, lost " + String.join(" ", site.lostNodes()));
            }
            site.job().ifPresent(job -> lines.add("    program " + words(job)));
        }
        agreement.label().ifPresent(label -> lines.add("  label: " + label));
        if (!agreement.users().isEmpty()) {
            lines.add("  also for " + String.join("; ", agreement.users()));
        }
        agreement.project().ifPresent(project -> lines.add("  project: " + project));
        agreement.reason().ifPresent(r -> lines.add("  reason: " + r));
        return lines.stream().flatMap(String::lines).map(OutputOptions::plain).toList();
    }

    /** The times of a site's reservation, if they are not those of the whole agreement. */
    private static String when(SiteView site, AgreementView agreement) {
        boolean isWhole = agreement.start().filter(site.start()::isAfter).isEmpty()
                && agreement.end().filter(site.end()::isBefore).isEmpty();
        return isWhole ? "" : ", from " + site.start() + " to " + site.end();
    }

    /** The state of a job with what is known of its end. */
    private static String words(JobStatus job) {
        return job.state()
                + job.exitCode().map(code -> " with exit code " + code).orElse("")
                + (job.id().isEmpty() ? "" : ", job " + job.id())
                + (job.output().isEmpty() ? "" : ", output in " + job.output())
                + (job.detail().isEmpty() ? "" : ": " + job.detail());
    }

    /** @param agreements documents of the read API */
    static void list(OutputOptions output, List<JsonNode> agreements) {
        output.print(new Listed(agreements), out -> table(agreements).print(out));
    }

    private static TextTable table(List<JsonNode> agreements) {
        var table = new TextTable("AGREEMENT", "STATE", "START", "END", "SITES", "LABEL");
        for (JsonNode agreement : agreements) {
            table.row(
                    agreement.path("agreementId").asText(),
                    agreement.path("state").asText(),
                    agreement.path("start").asText("-"),
                    agreement.path("end").asText("-"),
                    String.join(",", agreement.path("sites").findValuesAsText("site")),
                    agreement.path("label").asText());
        }
        return table;
    }

    public static void history(OutputOptions output, String id, List<AgreementEvent> events) {
        output.print(
                new History(id, events),
                out -> events.forEach(
                        e -> out.printf("%-28s %-12s %s%n", e.at(), e.kind(), OutputOptions.plain(e.what()))));
    }
}
