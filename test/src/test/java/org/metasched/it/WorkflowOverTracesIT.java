package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.InjectedFault;
import org.metasched.adapter.simulated.SimulatedGrid;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.simulated.SwfTrace;
import org.metasched.adapter.simulated.Workload;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.cli.Main;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** A workflow of three stages over four simulated sites that replay real traces, behind SOAP, under a clock that stands still. */
@Tag("full")
class WorkflowOverTracesIT {

    private static final Path TRACES = Path.of(System.getProperty("metasched.shared", "../../shared"), "swf");
    private static final Map<String, String> SITES = Map.of(
            "kth", "KTH-SP2-1996-2.1-cln.swf.gz",
            "nasa", "NASA-iPSC-1993-3.1-cln.swf.gz",
            "psa", "easy_mediumWL_smallPF.swf",
            "hpc2n", "hpc2n.swf");
    private static final String WORKFLOW = """
            stages:
              - {name: prepare, duration: 30m, need: 'cpu:nodes=8'}
              - {name: run, duration: 2h, need: 'cpu:nodes=32,sites=2', after: [{stage: prepare}]}
              - {name: render, duration: 1h, site: 'kth:nodes=16', after: [{stage: run, lag: 10m, within: 12h}]}
            """;

    @TempDir
    private Path folder;

    private final SimulatedGrid grid = SimulatedGrid.at("2026-01-05T08:00:00Z");
    private final List<AdapterHost> hosts = new ArrayList<>();
    private ServerAssembly server;
    private Path workflow;

    private record Part(String site, Instant start, Instant end) {}

    private record Ran(int exit, JsonNode json, String err) {}

    @BeforeEach
    void start() throws Exception {
        var yaml = new StringBuilder("port: 0\ndata: " + folder + "\nsites:\n");
        for (var site : new TreeMap<>(SITES).entrySet()) {
            Path trace = TRACES.resolve(site.getValue());
            assumeTrue(Files.exists(trace), "the trace " + trace + " is not beside this checkout");
            var workload = Workload.of(SwfTrace.read(trace));
            grid.site(new SimulatedSite(new SiteId(site.getKey()))
                    .nodes(workload.nodes())
                    .workload(workload));
            hosts.add(AdapterHost.start(grid.site(site.getKey()), 0));
            yaml.append("  - site: %s%n    url: '%s'%n    publish: {max-matches: 100}%n"
                    .formatted(site.getKey(), hosts.get(hosts.size() - 1).endpoint()));
        }
        var config = Files.writeString(folder.resolve("server.yaml"), yaml);
        workflow = Files.writeString(folder.resolve("workflow.yaml"), WORKFLOW);
        server = ServerAssembly.start(ConfigurationFile.read(config), grid.clock());
        Awaitility.await().atMost(1, TimeUnit.MINUTES).until(this::allSitesAreAdvertised);
    }

    private boolean allSitesAreAdvertised() throws IOException {
        try (var in = server.base().resolve("/api/v1/ads?type=Machine").toURL().openStream()) {
            return new ObjectMapper().readTree(in).findValuesAsText("received").size() == SITES.size();
        }
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        hosts.forEach(AdapterHost::close);
    }

    @Test
    void theStagesAreReservedAtTheirOwnTimesAndASlipMovesTheWholeOrReleasesIt() throws Exception {
        var made = reserve();
        assertThat(made.exit()).as(made.err()).isZero();
        var first = checked(made.json());
        giveBack(made.json());

        for (int stage = 0; stage < first.size(); stage++) {
            var mishap = stage % 2 == 0 ? InjectedFault.GRANT_LATER : InjectedFault.FILL_UP;
            grid.site(first.get(stage).site()).suffers(mishap);
            var again = reserve();
            assertThat(again.exit())
                    .as("%s at %s: %s", mishap, stage, again.err())
                    .isZero();
            // A slip costs messages: something was cancelled, or asked for again.
            assertThat(again.json().path("calls").asInt())
                    .as("%s at %s", mishap, stage)
                    .isGreaterThan(made.json().path("calls").asInt());
            checked(again.json());
            giveBack(again.json());
        }

        var end = first.stream().map(Part::end).max(Instant::compareTo).orElseThrow();
        // Only this schedule is in time, and its last stage can be nowhere else.
        grid.site("kth").suffers(InjectedFault.FILL_UP);
        var refused = reserve("--deadline", end.toString());
        assertThat(refused.exit()).as("%s", refused.json()).isEqualTo(1);
        assertThat(held()).isEmpty();
    }

    /** The parts, each confirmed by its site, in the order of the stages. */
    private List<Part> checked(JsonNode agreement) {
        var parts = new ArrayList<Part>();
        agreement
                .path("sites")
                .forEach(part -> parts.add(new Part(
                        part.path("site").asText(),
                        Instant.parse(part.path("start").asText()),
                        Instant.parse(part.path("end").asText()))));
        assertThat(parts).as("%s", agreement).hasSize(4);
        Part prepare = parts.get(0);
        Part run = parts.get(1);
        Part other = parts.get(2);
        Part render = parts.get(3);
        assertThat(run.start()).isAfterOrEqualTo(prepare.end());
        assertThat(other.start()).isEqualTo(run.start());
        assertThat(other.site()).isNotEqualTo(run.site());
        assertThat(render.site()).isEqualTo("kth");
        assertThat(Duration.between(run.end(), render.start())).isBetween(Duration.ofMinutes(10), Duration.ofHours(12));
        Set<String> agreed = new TreeSet<>();
        parts.forEach(part -> agreed.add(part.site() + " " + part.start() + " " + part.end()));
        assertThat(held()).isEqualTo(agreed);
        return parts;
    }

    private Set<String> held() {
        Set<String> held = new TreeSet<>();
        for (SimulatedScheduler site : grid.sites()) {
            site.held().stream()
                    .map(status -> status.reservation().slot())
                    .forEach(slot -> held.add(site.site() + " " + slot.start() + " " + slot.end()));
        }
        return held;
    }

    private void giveBack(JsonNode agreement) throws Exception {
        var ended = run("terminate", agreement.path("agreementId").asText());
        assertThat(ended.exit()).as(ended.err()).isZero();
        assertThat(held()).isEmpty();
    }

    private Ran reserve(String... more) throws Exception {
        var words = new ArrayList<>(List.of("reserve", "--workflow", workflow.toString()));
        words.addAll(List.of(more));
        return run(words.toArray(String[]::new));
    }

    private Ran run(String... words) throws Exception {
        var out = new StringWriter();
        var err = new StringWriter();
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--json", "--server", server.base().toString()));
        int exit = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
        return new Ran(exit, new ObjectMapper().readTree(out.toString()), err.toString());
    }
}
