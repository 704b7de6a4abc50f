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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.CliProcess;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** An agreement at the live Slurm that loses a node before its slot. */
@ResourceLock("slurm")
class LiveSlurmDegradedIT {

    private static final Duration LENGTH = Duration.ofMinutes(45);

    @TempDir
    Path folder;

    private final LiveSite live = LiveSite.named("slurm");

    /**
     * The node is lost while all others are taken, so nothing can be put in its place. As soon as the others are free, the
     * server reserves anew, or Slurm itself puts another node in before the server looks: the agreement is whole either way.
     */
    @LiveTest
    void theAgreementIsWholeAgainAsSoonAsNodesAreFree() throws Exception {
        var start = Instant.now().plus(Duration.ofHours(50)).truncatedTo(ChronoUnit.MINUTES);
        Path config = Files.writeString(
                folder.resolve("server.yaml"),
                "port: 0\ndata: " + folder + "\nmonitor: {every: 1s}\n"
                        + "negotiation: {call-timeout: 90s, longest: 5m}\nsites:\n" + live.asListed());
        try (var server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            var made = reserve(server, start);
            String id = made.get("agreementId").asText();
            String node = nodesOf(made).replaceFirst("(?s).* Nodes=s\\[?(\\d).*", "s$1");
            try {
                takeAllOthers(start);
                live.command("scontrol", "update", "NodeName=" + node, "State=DRAIN", "Reason=tested");
                awaitLostNodes(server, id, List.of(node));

                live.command("scontrol", "delete", "ReservationName=others");

                awaitLostNodes(server, id, List.of());
                var mended = agreement(server, id);
                assertThat(mended.get("state").asText()).isEqualTo("Observed");
                assertThat(nodesOf(mended)).contains("NodeCnt=3").doesNotContainPattern(node + "\\b");
                assertThat(reservations()).containsExactly(reservationId(mended));
            } finally {
                live.command("scontrol", "update", "NodeName=" + node, "State=RESUME");
                live.command("scontrol", "delete", "ReservationName=others");
                cli("terminate", id, "--server", server.base().toString(), "--json");
            }
        }
    }

    private JsonNode reserve(ServerAssembly server, Instant start) throws Exception {
        return cli(
                "reserve",
                "--server",
                server.base().toString(),
                "--json",
                "--site",
                "live-slurm:nodes=3",
                "--earliest",
                start.toString(),
                "--duration",
                LENGTH.toString(),
                "--if-degraded",
                "replace");
    }

    private void takeAllOthers(Instant start) throws Exception {
        String others = "ReservationName=others StartTime=uts" + start.getEpochSecond() + " EndTime=uts"
                + start.plus(LENGTH).getEpochSecond() + " PartitionName=grid Users=gridbob NodeCnt=5";
        assertThat(live.command(("scontrol create reservation " + others).split(" ")))
                .contains("others");
    }

    private void awaitLostNodes(ServerAssembly server, String id, List<String> nodes) {
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofSeconds(3))
                .untilAsserted(
                        () -> assertThat(agreement(server, id).at("/sites/0").path("lostNodes"))
                                .extracting(JsonNode::asText)
                                .isEqualTo(nodes));
    }

    private JsonNode agreement(ServerAssembly server, String id) throws Exception {
        return cli("agreement", id, "--server", server.base().toString(), "--json");
    }

    private static String reservationId(JsonNode agreement) {
        return agreement.at("/sites/0/reservationId").asText();
    }

    private String nodesOf(JsonNode agreement) throws Exception {
        return live.command("scontrol", "-o", "show", "reservation", reservationId(agreement));
    }

    /** Names of what the server holds at Slurm. */
    private List<String> reservations() throws Exception {
        return live.command("scontrol", "-o", "show", "reservation")
                .lines()
                .filter(line -> line.startsWith("ReservationName=metasched-"))
                .map(line -> line.substring("ReservationName=".length(), line.indexOf(' ')))
                .toList();
    }

    private JsonNode cli(String... arguments) throws Exception {
        var ended = CliProcess.run(folder, Map.of(), arguments);
        assertThat(ended.exit()).as(ended.out() + ended.err()).isZero();
        return new ObjectMapper().readTree(ended.out());
    }
}
