package org.metasched.cli.site;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.output.TextTable;
import org.metasched.cli.server.AskingCommand;
import picocli.CommandLine.Command;

/** Lists the sites of a server and what is free at each. */
@Command(name = "sites", description = "Lists the sites that a server knows.")
public final class SitesCommand extends AskingCommand implements Callable<Integer> {

    @Override
    public Integer call() throws InterruptedException {
        var answer = new SiteList(server.list("/sites?limit=1000", "sites", Integer.MAX_VALUE));
        output.print(answer, out -> print(answer, out));
        return 0;
    }

    /** The form of the answer. */
    private record SiteList(List<JsonNode> sites) {}

    private void print(SiteList answer, PrintWriter out) {
        var table = new TextTable(
                "SITE", "STATE", "FREE", "NODES", "QUEUED", "MATCHES", "LOOK-AHEAD", "GRID", "LAST ADVERTISED");
        for (JsonNode site : answer.sites()) {
            table.row(
                    site.path("site").asText(),
                    site.path("state").asText(),
                    site.path("freeNodes").asText("-"),
                    site.path("totalNodes").asText("-"),
                    site.path("queuedJobs").asText("-"),
                    matches(site),
                    site.path("lookAhead").asText(),
                    site.path("grid").asText(),
                    lastAdvertised(site));
        }
        table.print(out);
        for (JsonNode site : answer.sites()) {
            String name = site.path("site").asText();
            if (site.has("detail")) {
                output.say(OutputOptions.plain(name + ": " + site.path("detail").asText()));
            }
            site.path("remarks").forEach(remark -> output.say(OutputOptions.plain(name + ": " + remark.asText())));
        }
    }

    /** To the second: readers do not need nanoseconds. */
    private static String lastAdvertised(JsonNode site) {
        return site.has("lastAdvertised")
                ? Instant.parse(site.path("lastAdvertised").asText())
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                : "-";
    }

    private static String matches(JsonNode site) {
        return site.has("maxMatches")
                ? site.path("curMatches").asText("0") + "/"
                        + site.path("maxMatches").asText()
                : "-";
    }
}
