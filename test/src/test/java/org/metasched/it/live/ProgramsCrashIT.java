package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.ProgramOffers.offer;
import static org.metasched.it.ProgramOffers.part;
import static org.metasched.it.ProgramOffers.spmd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.adapter.JobStatus;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.it.FreePort;
import org.metasched.it.ServerProcess;

/**
 * Kills a server, an adapter that serves a site to it, or both, at random moments of offers that name a program of four
 * processes for each of two sites. Each process tells on a line of a file that it ran. {@code -Dmetasched.kills} says how
 * often.
 */
@Tag("full")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@ResourceLock("slurm")
@ResourceLock("oar")
@ResourceLock("gridengine-real")
class ProgramsCrashIT {

    private static final int PROCESSES = 4;
    /** Of a slot: longer than a server is away. */
    private static final int SECONDS = 400;

    private final long seed = Long.getLong("metasched.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<Asked> offers = new ArrayList<>();
    /** The agreement of each offer that has one. */
    private final Map<Asked, String> agreements = new LinkedHashMap<>();

    private final List<ServerProcess> alive = new ArrayList<>();

    @TempDir
    private Path folder;

    private Path ran;

    /** @param nodes that its processes run on */
    private record Place(String name, int nodes, String yaml) {

        static Place live(String name, int nodes) throws IOException {
            return new Place(
                    "live-" + name,
                    nodes,
                    Files.readString(LiveSite.named(name).folder().resolve("site.yaml")));
        }

        String asListed() {
            return "  - " + yaml.replaceAll("(?m)^#.*\n", "").strip().replace("\n", "\n    ") + "\n";
        }
    }

    private record Asked(String offer, List<Place> places) {}

    @BeforeEach
    void makeFiles() throws IOException {
        ran = Files.createFile(folder.resolve("ran"));
        // a live site's programs run as another user
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(ran, PosixFilePermissions.fromString("rw-rw-rw-"));
    }

    @Test
    void everyProcessRunsOnce() throws Exception {
        everyProcessRunsOnce(3, 9, 4000, simulated("far"), simulated("toy"));
    }

    /**
     * Three slots fit beside one another on eight nodes, with room for what a kill leaves held; one on Grid Engine's only host. Twenty kills
     * have passed as a whole, in four minutes.
     */
    @Test
    void everyProcessRunsOnceAtLiveSchedulers() throws Exception {
        everyProcessRunsOnce(
                3, 3, 8000, Place.live("slurm", 2), Place.live("oar", 2), Place.live("gridengine-real", 1));
    }

    private Place simulated(String name) {
        return new Place(name, 2, """
                site: %2$s
                scheduler: {type: simulated, nodes: 400, state-file: %1$s/%2$s, programs: {folder: %1$s/%2$s-jobs}}
                """.formatted(folder, name));
    }

    /**
     * @param latest kill, in milliseconds from when offers are made
     * @param places the first is served to the server by a process of its own
     */
    private void everyProcessRunsOnce(int usualKills, int most, int latest, Place... places) throws Exception {
        int kills = Integer.getInteger("metasched.kills", usualKills);
        int port = FreePort.next();
        var config = configure(port, places);
        var far = Files.writeString(folder.resolve("far.yaml"), places[0].yaml());
        try {
            var adapter = started(ServerProcess.adapter(far, port));
            var server = started(ServerProcess.start(config));
            var client = new AgreementClient(server.awaitReady(), Duration.ofSeconds(60));
            for (int kill = 0; kill < kills; kill++) {
                while (offers.size() * kills < most * (kill + 1)) {
                    offers.add(asked(places));
                }
                var called = client;
                var maker = new Thread(() -> makeAll(called));
                maker.start();
                Thread.sleep(random.nextInt(latest));
                // whom, among three cases: the server, the adapter, both
                int whom = random.nextInt(3);
                if (whom != 1) {
                    server.kill();
                    server = started(ServerProcess.start(config));
                }
                if (whom != 0) {
                    adapter.kill();
                    adapter = started(ServerProcess.adapter(far, port));
                }
                if (whom != 1) {
                    client = new AgreementClient(server.awaitReady(), Duration.ofSeconds(60));
                }
                maker.join();
                System.out.printf("kill %d: %d offers agreed%n", kill + 1, agreements.size());
            }
            everyPartEnds(client);
            endAll(client);
            System.out.printf("%d kills, %d processes, each once%n", kills, 2 * PROCESSES * offers.size());
        } finally {
            alive.forEach(ServerProcess::close);
        }
    }

    private void endAll(AgreementClient client) throws Exception {
        for (String id : agreements.values()) {
            try {
                client.terminate(id);
            } catch (AgreementFaultException e) {
                assertThat(e.code()).as("its slot may have ended").isEqualTo("AGREEMENT_FINAL");
            }
        }
    }

    private void everyPartEnds(AgreementClient client) throws Exception {
        Awaitility.await().atMost(Duration.ofMinutes(8)).until(() -> makeAll(client));
        Awaitility.await()
                .atMost(Duration.ofMinutes(8))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(jobs(client))
                        .as("seed %d", seed)
                        .allMatch(job -> job.state().isFinal()));

        assertThat(jobs(client))
                .allSatisfy(job -> assertThat(job.exitCode())
                        .as(() -> "seed " + seed + ", " + job + files(job))
                        .contains(0));
        var expected = offers.stream()
                .flatMap(asked -> asked.places().stream()
                        .flatMap(place -> IntStream.range(0, PROCESSES)
                                .mapToObj(rank -> agreements.get(asked) + " " + place.name() + " " + rank)))
                .toList();
        assertThat(Files.readAllLines(ran)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** The job's files that tell how it went. */
    private static String files(JobStatus job) {
        var output = Path.of(job.output());
        if (output.getNameCount() < 3) {
            return "";
        }
        var all = new StringBuilder();
        for (Path file : List.of(
                output.resolveSibling("../state"),
                output.resolveSibling("../job.log"),
                output,
                output.resolveSibling("stderr"))) {
            try {
                all.append("\n").append(file.getFileName()).append(": ").append(Files.readString(file));
            } catch (IOException e) {
                all.append("\n").append(e);
            }
        }
        return all.toString();
    }

    private Path configure(int port, Place... places) throws IOException {
        var yaml = new StringBuilder("""
                port: 0
                data: %s
                negotiation: {lead: 1s, call-timeout: 60s, longest: 3m}
                monitor: {every: 1s}
                sites:
                  - {site: %s, url: "http://127.0.0.1:%d/services/Site"}
                """.formatted(folder, places[0].name(), port));
        for (Place place : List.of(places).subList(1, places.length)) {
            yaml.append(place.asListed());
        }
        return Files.writeString(folder.resolve("server.yaml"), yaml);
    }

    /** At the first two places, and of three the first offer at the first and the last. */
    private Asked asked(Place... places) {
        var two = new ArrayList<>(List.of(places));
        if (two.size() > 2) {
            two.remove(offers.isEmpty() ? 1 : 2);
        }
        var words = List.of(
                "-c", "echo $METASCHED_AGREEMENT $METASCHED_SITE $METASCHED_LOCAL_RANK >> " + ran + "; sleep 3");
        var parts = two.stream()
                .map(place -> part(
                        place.name(), place.nodes(), spmd("/bin/sh", words, PROCESSES, PROCESSES / place.nodes()), ""))
                .toArray(String[]::new);
        return new Asked(offer(SECONDS, parts), two);
    }

    private ServerProcess started(ServerProcess process) {
        alive.add(process);
        return process;
    }

    /** Offers again what has no agreement yet; whether all have one now. */
    private boolean makeAll(AgreementClient client) {
        for (Asked asked : offers) {
            if (!agreements.containsKey(asked)) {
                try {
                    agreements.put(
                            asked,
                            client.create(AgreementClient.offer("test", asked.offer()))
                                    .agreementId());
                } catch (Exception killed) {
                    return false;
                }
            }
        }
        return true;
    }

    private List<JobStatus> jobs(AgreementClient client) throws Exception {
        var jobs = new ArrayList<JobStatus>();
        for (String id : agreements.values()) {
            client.show(id).sites().forEach(site -> jobs.add(site.job().orElseThrow()));
        }
        return jobs;
    }
}
