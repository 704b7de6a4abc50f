package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.CliProcess;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/**
 * One agreement over a live Slurm, a live OAR, a live Grid Engine and a simulated site: made by the command line client
 * over WS-Agreement, seen with each scheduler's own listing, and gone from all of them after it is terminated.
 */
@ResourceLock("slurm")
@ResourceLock("oar")
@ResourceLock("gridengine")
class LiveCoAllocationIT {

    private static final Map<String, List<String>> LISTINGS = Map.of(
            "slurm", List.of("env", "SLURM_TIME_FORMAT=%s", "scontrol", "-o", "show", "reservation"),
            "oar", List.of("oarstat", "-f"),
            "gridengine", List.of("qrstat", "-u", "*"));

    /** A live site and the words that list its reservations. */
    private record Seen(LiveSite site, List<String> listing) {
        String list() throws Exception {
            return site.command(listing);
        }
    }

    @TempDir
    Path folder;

    @Test
    void oneAgreementHoldsNodesOfThreeSchedulersAndASimulatedSiteAtOnce() throws Exception {
        var live = live();
        Instant earliest = Instant.now().plus(Duration.ofHours(30)).truncatedTo(ChronoUnit.MINUTES);

        try (ServerAssembly server = serve(live)) {
            JsonNode agreement = reserve(
                    server,
                    earliest,
                    "PT45M",
                    "--site",
                    "live-slurm:nodes=3,cores=2",
                    "--site",
                    "live-oar:nodes=2",
                    "--site",
                    "live-gridengine:nodes=4",
                    "--site",
                    "toy:nodes=5");

            assertThat(Instant.parse(agreement.get("start").asText())).isEqualTo(earliest);
            assertThat(agreement.get("sites")).hasSize(4);
            for (Map.Entry<String, Seen> entry : live.entrySet()) {
                assertThat(entry.getValue().list()).contains(idAt(agreement, "live-" + entry.getKey()));
            }
            terminate(server, agreement);

            nothingIsLeft(live);
        }
    }

    /** The simulated site is full then, so the two are of the live ones, and the three are all of these. */
    @Test
    void twoOfFourSitesAsSoonAsPossibleBeginAtOneStart() throws Exception {
        var live = live();
        Instant earliest = Instant.now().plus(Duration.ofHours(33)).truncatedTo(ChronoUnit.MINUTES);

        try (ServerAssembly server = serve(live)) {
            var full = reserve(server, earliest.minusSeconds(600), "PT2H", "--site", "toy:nodes=16");
            for (int sites = 2; sites <= 3; sites++) {
                JsonNode agreement = reserve(server, earliest, "PT45M", "--need", "cpu:nodes=2,sites=" + sites);

                assertThat(agreement.get("start").asText()).isEqualTo(earliest.toString());
                assertThat(agreement.get("sites").findValuesAsText("site"))
                        .hasSize(sites)
                        .doesNotHaveDuplicates()
                        .isSubsetOf("live-slurm", "live-oar", "live-gridengine");
                for (JsonNode part : agreement.get("sites")) {
                    String site = part.get("site").asText();
                    assertThat(live.get(site.substring("live-".length())).list())
                            .contains(idAt(agreement, site));
                }
                terminate(server, agreement);
            }
            terminate(server, full);

            nothingIsLeft(live);
        }
    }

    private static TreeMap<String, Seen> live() {
        var live = new TreeMap<String, Seen>();
        LISTINGS.forEach((name, listing) -> live.put(name, new Seen(LiveSite.named(name), listing)));
        return live;
    }

    private ServerAssembly serve(Map<String, Seen> live) throws Exception {
        String publish = "    publish: {max-matches: 100}\n";
        var yaml = new StringBuilder("port: 0\ndata: " + folder + "\n"
                + "negotiation: {call-timeout: 90s, longest: 5m}\nsites:\n"
                + "  - site: toy\n    scheduler: {type: simulated, nodes: 16}\n" + publish);
        for (Seen seen : live.values()) {
            yaml.append(seen.site().asListed()).append(publish);
        }
        Path config = Files.writeString(folder.resolve("server.yaml"), yaml);
        return ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
    }

    private JsonNode reserve(ServerAssembly server, Instant earliest, String duration, String... what)
            throws Exception {
        var words = new ArrayList<>(List.of("reserve", "--server", server.base().toString(), "--json"));
        words.addAll(List.of("--earliest", earliest.toString(), "--duration", duration));
        words.addAll(List.of(what));
        return cli(words.toArray(String[]::new));
    }

    private void terminate(ServerAssembly server, JsonNode agreement) throws Exception {
        String id = agreement.get("agreementId").asText();
        cli("terminate", id, "--server", server.base().toString(), "--json");
    }

    /** The tests of each scheduler run beside this one; their keys begin with "live". */
    private static void nothingIsLeft(Map<String, Seen> live) {
        for (Seen seen : live.values()) {
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(seen.list().replace("metasched-live", ""))
                            .doesNotContain("metasched-"));
        }
    }

    /** How the site's own listing names the reservation. */
    private static String idAt(JsonNode agreement, String site) {
        for (JsonNode part : agreement.get("sites")) {
            if (part.get("site").asText().equals(site)) {
                String id = part.get("reservationId").asText();
                return site.equals("live-oar") ? "Job_Id: " + id + "\n" : id;
            }
        }
        throw new AssertionError(site + " is not part of " + agreement);
    }

    private JsonNode cli(String... arguments) throws Exception {
        var ended = CliProcess.run(folder, Map.of(), arguments);
        assertThat(ended.exit()).as(ended.out() + ended.err()).isZero();
        return new ObjectMapper().readTree(ended.out());
    }
}
