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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.CliProcess;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.Wiring;

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
        var live = new TreeMap<String, Seen>();
        var yaml = new StringBuilder("port: 0\ndata: " + folder + "\n"
                + "negotiation: {call-timeout: 90s, longest: 5m}\nsites:\n"
                + "  - {site: toy, scheduler: {type: simulated, nodes: 16}}\n");
        for (Map.Entry<String, List<String>> entry : LISTINGS.entrySet()) {
            LiveSite site = LiveSite.named(entry.getKey());
            live.put(entry.getKey(), new Seen(site, entry.getValue()));
            yaml.append(site.asListed());
        }
        Instant earliest = Instant.now().plus(Duration.ofHours(30)).truncatedTo(ChronoUnit.MINUTES);
        Path config = Files.writeString(folder.resolve("server.yaml"), yaml);

        try (Wiring server = Wiring.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            JsonNode agreement = cli(
                    "reserve",
                    "--server",
                    server.base().toString(),
                    "--site",
                    "live-slurm:nodes=3,cores=2",
                    "--site",
                    "live-oar:nodes=2",
                    "--site",
                    "live-gridengine:nodes=4",
                    "--site",
                    "toy:nodes=5",
                    "--duration",
                    "PT45M",
                    "--earliest",
                    earliest.toString(),
                    "--json");

            assertThat(Instant.parse(agreement.get("start").asText())).isEqualTo(earliest);
            assertThat(agreement.get("sites")).hasSize(4);
            for (Map.Entry<String, Seen> entry : live.entrySet()) {
                assertThat(entry.getValue().list()).contains(idAt(agreement, "live-" + entry.getKey()));
            }
            cli(
                    "terminate",
                    agreement.get("agreementId").asText(),
                    "--server",
                    server.base().toString(),
                    "--json");

            // The tests of each scheduler run beside this one; their keys begin with "live".
            for (Seen seen : live.values()) {
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(seen.list().replace("metasched-live", ""))
                                .doesNotContain("metasched-"));
            }
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
