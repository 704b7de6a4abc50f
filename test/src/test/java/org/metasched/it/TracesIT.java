package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With OpenTelemetry's agent, one trace leads from an offer through the negotiation and the wire to the commands of a site. */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TracesIT {

    private static final Path ROOT = Path.of(System.getProperty("metasched.root"));
    private static final Path AGENT = ROOT.resolve("test/target/agent/opentelemetry-javaagent.jar");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    /** @param process server or adapter */
    private record Seen(String process, String trace, String id, String parent, String name, String attributes) {}

    @Test
    void aTraceLeadsFromAnOfferToTheCommandsOfASite() throws Exception {
        assumeTrue(Files.exists(AGENT), "OpenTelemetry's agent was not copied to test/target/agent by the build");
        int port = FreePort.next();
        try (var adapter = ServerProcess.adapter(site(), port, traced("adapter"));
                var server = ServerProcess.start(
                        Files.writeString(folder.resolve("server.yaml"), """
                        port: 0
                        data: %s
                        sites:
                          - {site: easy, url: 'http://localhost:%d/services/Site'}
                        """.formatted(folder.resolve("data"), port)),
                        traced("server"))) {
            var base = server.awaitReady();

            var reserved = CliProcess.run(
                    folder,
                    Map.of(),
                    "reserve",
                    "--server",
                    base.toString(),
                    "--duration",
                    "5m",
                    "--site",
                    "easy:nodes=1");

            assertThat(reserved.exit()).as(reserved.err()).isZero();
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                var spans = Stream.concat(spans("server", server), spans("adapter", adapter))
                        .toList();
                var command = spans.stream()
                        .filter(span -> span.name().equals("run spreserve"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("No reservation was made in " + spans));
                assertThat(command.attributes())
                        .contains("metasched.site=easy", "process.exit.code=0")
                        .doesNotContain("metasched-");
                assertThat(way(command, spans))
                        .as("from the command to the offer")
                        .containsSubsequence(
                                "adapter: run spreserve",
                                "adapter: Site/Submit",
                                "server: site call",
                                "server: negotiation",
                                "server: AgreementFactory/CreateAgreement");
            });
        }
    }

    private Path site() throws Exception {
        Path standIn = folder.resolve("easy");
        var install = new ProcessBuilder(
                        "sh", ROOT.resolve("test/standins/install.sh").toString(), "easy", standIn.toString(), "4", "1")
                .inheritIO()
                .start();
        assertThat(install.waitFor()).isZero();
        return Files.writeString(folder.resolve("site.yaml"), """
                site: easy
                scheduler: {type: easy, nodes: 4, cores-per-node: 1, run: {path: [%s/bin]}}
                """.formatted(standIn));
    }

    private static Map<String, String> traced(String name) {
        return Map.of(
                "JAVA_TOOL_OPTIONS", "-javaagent:" + AGENT,
                "OTEL_SERVICE_NAME", name,
                "OTEL_TRACES_EXPORTER", "logging-otlp",
                "OTEL_METRICS_EXPORTER", "none",
                "OTEL_LOGS_EXPORTER", "none",
                "OTEL_BSP_SCHEDULE_DELAY", "200");
    }

    private static List<String> way(Seen from, List<Seen> spans) {
        var byId = new HashMap<String, Seen>();
        spans.forEach(span -> byId.put(span.id(), span));
        return Stream.iterate(from, span -> span != null, span -> byId.get(span.parent()))
                .map(span -> span.process() + ": " + span.name())
                .toList();
    }

    /** What the agent of a process wrote to its log, a JSON document a line. */
    private static Stream<Seen> spans(String name, ServerProcess process) {
        return process.log().stream()
                .filter(line -> line.contains("\"scopeSpans\""))
                .flatMap(line -> {
                    try {
                        return JSON.readTree(line.substring(line.indexOf('{'))).findValues("spans").stream();
                    } catch (IOException e) {
                        throw new AssertionError(line, e);
                    }
                })
                .flatMap(spans ->
                        Stream.iterate(0, i -> i < spans.size(), i -> i + 1).map(spans::get))
                .map(span -> seen(name, span));
    }

    private static Seen seen(String process, JsonNode span) {
        var attributes = new StringBuilder();
        span.path("attributes")
                .forEach(attribute -> attributes
                        .append(attribute.path("key").asText())
                        .append('=')
                        .append(attribute.path("value").elements().next().asText())
                        .append(' '));
        return new Seen(
                process,
                span.path("traceId").asText(),
                span.path("spanId").asText(),
                span.path("parentSpanId").asText(),
                span.path("name").asText(),
                attributes.toString());
    }
}
