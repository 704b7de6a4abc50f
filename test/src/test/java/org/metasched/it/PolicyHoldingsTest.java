package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.Need;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.Credentials;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;

/**
 * Rules of a site about what somebody holds, at both doors: over all parts of one offer, and over what was granted through the
 * other door. Each part alone is small enough.
 */
@Tag("full")
class PolicyHoldingsTest {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final List<String> LIMITS =
            List.of("most-nodes-at-a-time: 8", "most-reservations: 2", "node-hours-per-month: 8");

    private static final Duration HOUR = Duration.ofHours(1);
    /** The only start that there is. */
    private static final Instant START =
            Instant.now().plus(HOUR.multipliedBy(3)).truncatedTo(ChronoUnit.HOURS);

    @TempDir
    private Path folder;

    @Test
    void aSubjectsHoldingsAreBoundedOverAllPartsOfAnOffer() throws Exception {
        everyLimitHolds("subjects: ['" + ConsoleServer.ISSUER + ",alice']", "", true);
    }

    @Test
    void aVosHoldingsAreBoundedTogether() throws Exception {
        everyLimitHolds("vos: [cms], together: true", "", false);
    }

    @Test
    void aProjectsHoldingsAreBoundedTogether() throws Exception {
        everyLimitHolds("projects: [P42], together: true", "P42", false);
    }

    /** @param spares whether the rule leaves Bob what it forbids Alice */
    private void everyLimitHolds(String whom, String project, boolean spares) throws Exception {
        var sites = new StringBuilder();
        for (String limit : LIMITS) {
            sites.append("""
                  - site: %1$s
                    scheduler: {type: simulated, nodes: 64}
                    policy:
                      ledger: %2$s/%1$s.ledger
                      vos: [{name: cms, members: ['%3$s,*']}]
                      rules: [{name: fair, %4$s, most-nodes: 4, %5$s}]
                """.formatted(key(limit), folder, ConsoleServer.ISSUER, whom, limit));
        }
        try (var server = new ConsoleServer(
                Files.createDirectory(folder.resolve("server")), sites.toString(), Clock.systemUTC())) {
            for (String limit : LIMITS) {
                assertThat(rest(server, "alice", key(limit), 3, project))
                        .startsWith("409 ")
                        .contains("SITE_REFUSES")
                        .contains(named(limit));
                assertThat(soap(server, "alice", key(limit), 3, project))
                        .startsWith("fault SITE_REFUSES ")
                        .contains(named(limit));
                assertThat(cli(server, "alice", key(limit), 3, project))
                        .startsWith("1 ")
                        .contains("SITE_REFUSES")
                        .contains(named(limit));
                assertThat(rest(server, "alice", key(limit), 2, project)).startsWith("201 ");
                assertThat(soap(server, "alice", key(limit), 1, project)).startsWith("fault ");
                assertThat(soap(server, "bob", key(limit), 1, project)).startsWith(spares ? "granted" : "fault ");
            }
        }
    }

    private static String key(String limit) {
        return limit.substring(0, limit.indexOf(':'));
    }

    /** The rule, its key, its value and what is held, as far as they do not depend on the month; and the part. */
    private static String[] named(String limit) {
        String held = Map.of(
                        "most-nodes-at-a-time", "4 nodes beside 8 that are granted are more than 8 from",
                        "most-reservations", "2 are held already, of 2",
                        "node-hours-per-month", "0 of 8 node-hours are left in ")
                .get(key(limit));
        return new String[] {"rule fair, " + key(limit) + ": " + held, " of 3 (4 nodes for PT1H)"};
    }

    /** The same by the command; exit code and error. */
    private String cli(ConsoleServer server, String who, String site, int parts, String project) throws Exception {
        var token = Files.writeString(folder.resolve("token"), server.token(who));
        var words = new ArrayList<>(List.of("reserve", "--server", "" + server.base(), "--token-file", "" + token));
        words.addAll(List.of("--duration", "1h", "--earliest", "" + START, "--deadline", "" + START.plus(HOUR)));
        Collections.nCopies(parts, site + ":nodes=4").forEach(part -> words.addAll(List.of("--site", part)));
        if (!project.isEmpty()) {
            words.addAll(List.of("--project", project));
        }
        var ended = CliProcess.here(words.toArray(String[]::new));
        return ended.exit() + " " + ended.err();
    }

    /** Parts of four nodes for an hour at one site; status and body of the answer. */
    private static String rest(ConsoleServer server, String who, String site, int parts, String project)
            throws Exception {
        String part = "{\"site\":\"" + site + "\",\"nodes\":4}";
        String body = "{\"parts\":[" + String.join(",", Collections.nCopies(parts, part))
                + "],\"duration\":\"PT1H\",\"earliest\":\"" + START
                + "\",\"deadline\":\"" + START.plus(HOUR) + "\""
                + (project.isEmpty() ? "" : ",\"project\":\"" + project + "\"") + "}";
        var request = HttpRequest.newBuilder(URI.create(server.base() + "/api/v1/agreements"))
                .header("Authorization", "Bearer " + server.token(who))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        var answer = HTTP.send(request, BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    private static String soap(ConsoleServer server, String who, String site, int parts, String project)
            throws Exception {
        String header = "Bearer " + server.token(who);
        var client = new AgreementClient(
                server.base(),
                Duration.ofSeconds(30),
                new Credentials(Optional.empty(), address -> Optional.of(header)));
        var part = new Part(Optional.of(site), Optional.empty(), new Need.Nodes(4));
        var content = new OfferContent(
                "", "", Collections.nCopies(parts, part), HOUR, Optional.of(START), Optional.of(START.plus(HOUR)));
        try {
            var key = AgreementClient.keyOf(client.templates().get(0));
            var offer = OfferWriter.write(key, content);
            OfferWriter.share(
                    offer, Optional.empty(), List.of(), Optional.of(project).filter(name -> !name.isEmpty()));
            return "granted " + client.create(offer).agreementId();
        } catch (AgreementFaultException e) {
            return "fault " + e.code() + " " + e.getMessage();
        }
    }
}
