package org.metasched.cli.agreement;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.adapter.JobStatus;
import org.metasched.agreement.AgreementEvent;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.Table;
import org.metasched.client.AgreementView;
import org.metasched.client.AgreementView.SiteView;

/** How agreements are printed: for people, and as JSON with keys that scripts rely on. */
public final class AgreementPrinting {

    private AgreementPrinting() {}

    public static void print(OutputOptions output, AgreementView agreement) {
        if (output.json()) {
            output.printJson(json(agreement));
            return;
        }
        lines(agreement).forEach(output.out()::println);
        output.out().flush();
    }

    /** The first line says which agreement it is and in which state. */
    public static List<String> lines(AgreementView agreement) {
        List<String> lines = new ArrayList<>();
        lines.add("agreement " + agreement.agreementId() + " is " + agreement.state());
        agreement
                .start()
                .ifPresent(
                        s -> lines.add("  from " + s + " to " + agreement.end().orElse(s)));
        for (SiteView site : agreement.sites()) {
            lines.add("  " + site.site() + ": " + site.nodes() + " reserved as " + site.reservationId() + " ("
                    + site.state() + ")" + when(site, agreement));
            if (!site.lostNodes().isEmpty()) {
                lines.add("    degraded, lost " + String.join(" ", site.lostNodes()));
            }
            site.job().ifPresent(job -> lines.add("    program " + words(job)));
        }
        agreement.reason().ifPresent(r -> lines.add("  reason: " + r));
        return lines;
    }

    /** When a stage has its own time. */
    private static String when(SiteView site, AgreementView agreement) {
        boolean isWhole = agreement.start().filter(site.start()::isAfter).isEmpty()
                && agreement.end().filter(site.end()::isBefore).isEmpty();
        return isWhole ? "" : ", from " + site.start() + " to " + site.end();
    }

    private static String words(JobStatus job) {
        return job.state()
                + job.exitCode().map(code -> " with exit code " + code).orElse("")
                + (job.id().isEmpty() ? "" : ", job " + job.id())
                + (job.output().isEmpty() ? "" : ", output in " + job.output())
                + (job.detail().isEmpty() ? "" : ": " + job.detail());
    }

    /** @param agreements as the read API shows them */
    static void list(OutputOptions output, JsonNode agreements) {
        if (output.json()) {
            output.printJson(Map.of("agreements", agreements));
            return;
        }
        var table = new Table("AGREEMENT", "STATE", "START", "END", "SITES");
        for (JsonNode agreement : agreements) {
            table.row(
                    agreement.path("agreementId").asText(),
                    agreement.path("state").asText(),
                    agreement.path("start").asText("-"),
                    agreement.path("end").asText("-"),
                    String.join(",", agreement.path("sites").findValuesAsText("site")));
        }
        table.print(output.out());
    }

    /** JSON: {@code agreementId events[{at,kind,what}]}. */
    public static void history(OutputOptions output, String id, List<AgreementEvent> events) {
        if (output.json()) {
            var list = events.stream()
                    .map(e -> Map.of("at", e.at().toString(), "kind", e.kind().name(), "what", e.what()))
                    .toList();
            output.printJson(Map.of("agreementId", id, "events", list));
            return;
        }
        events.forEach(e -> output.out().printf("%-28s %-12s %s%n", e.at(), e.kind(), e.what()));
        output.out().flush();
    }

    public static Map<String, Object> json(AgreementView agreement) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("agreementId", agreement.agreementId());
        json.put("state", agreement.state());
        json.put("start", agreement.start().map(Object::toString).orElse(null));
        json.put("end", agreement.end().map(Object::toString).orElse(null));
        List<Map<String, Object>> sites = new ArrayList<>();
        agreement.sites().forEach(s -> sites.add(json(s)));
        json.put("sites", sites);
        json.put("rounds", agreement.rounds());
        json.put("calls", agreement.calls());
        agreement.reason().ifPresent(r -> json.put("reason", r));
        return json;
    }

    private static Map<String, Object> json(SiteView site) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("site", site.site());
        json.put("reservationId", site.reservationId());
        json.put("nodes", site.nodes());
        json.put("start", site.start().toString());
        json.put("end", site.end().toString());
        json.put("state", site.state());
        json.put("nodeNames", site.nodeNames());
        json.put("lostNodes", site.lostNodes());
        site.job().ifPresent(job -> json.put("job", json(job)));
        return json;
    }

    private static Map<String, Object> json(JobStatus job) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("state", job.state().name());
        json.put("id", job.id());
        json.put("exitCode", job.exitCode().orElse(null));
        json.put("output", job.output());
        json.put("detail", job.detail());
        return json;
    }
}
