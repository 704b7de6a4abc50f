package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.ProgramOffers.offer;
import static org.metasched.it.ProgramOffers.part;
import static org.metasched.it.ProgramOffers.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.adapter.JobStatus;
import org.metasched.client.AgreementClient;

/**
 * Kills a server, an adapter that serves a site to it, or both, at random moments of offers that name a program for each of
 * two sites. Each program tells on a line of a file that it ran. {@code -Dmetasched.kills} says how often, and
 * {@code -Dmetasched.live.site} names the {@code site.yaml} of a live scheduler of eight nodes to take for one of the sites.
 */
@Tag("full")
@Timeout(value = 45, unit = TimeUnit.MINUTES)
@Isolated("starts a process after the other")
class ProgramsCrashIT {

    private static final int KILLS = Integer.getInteger("metasched.kills", 3);
    private static final Optional<Path> LIVE =
            Optional.ofNullable(System.getProperty("metasched.live.site")).map(Path::of);
    private static final int SECONDS = LIVE.isPresent() ? 60 : 240;

    private final long seed = Long.getLong("metasched.seed", System.nanoTime());
    private final Random random = new Random(seed);
    /** The agreement of each offer, or nothing before it is known. */
    private final Map<String, String> agreements = new LinkedHashMap<>();

    private final List<ServerProcess> alive = new ArrayList<>();

    @TempDir
    private Path folder;

    @Test
    void everyProgramRunsOnce() throws Exception {
        var ran = Files.createFile(folder.resolve("ran"));
        // a live site's programs run as another user
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(ran, PosixFilePermissions.fromString("rw-rw-rw-"));
        int port = FreePort.next();
        var config = configure(port);
        try {
            var adapter = started(ServerProcess.adapter(folder.resolve("far.yaml"), port));
            var server = started(ServerProcess.start(config));
            var client = new AgreementClient(server.awaitReady(), Duration.ofSeconds(20));
            for (int kill = 0; kill < KILLS; kill++) {
                for (int i = 0; i < 3; i++) {
                    agreements.put(bothTell(ran), "");
                }
                // whom, among three cases: the server, the adapter, both
                int whom = random.nextInt(3);
                var killer = killAfter(
                        random.nextInt(4000),
                        whom == 0 ? List.of(server) : whom == 1 ? List.of(adapter) : List.of(server, adapter));
                makeAll(client);
                killer.join();
                if (whom != 0) {
                    adapter = started(ServerProcess.adapter(folder.resolve("far.yaml"), port));
                }
                if (whom != 1) {
                    server = started(ServerProcess.start(config));
                    client = new AgreementClient(server.awaitReady(), Duration.ofSeconds(20));
                }
            }
            everyPartEnds(client, ran);
        } finally {
            alive.forEach(ServerProcess::close);
        }
    }

    private void everyPartEnds(AgreementClient client, Path ran) throws Exception {
        Awaitility.await().atMost(Duration.ofMinutes(10)).until(() -> makeAll(client));
        var ids = List.copyOf(agreements.values());
        Awaitility.await()
                .atMost(Duration.ofMinutes(LIVE.isPresent() ? 20 : 3))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(jobs(client, ids))
                        .as("seed %d", seed)
                        .allMatch(job -> job.state().isFinal()));

        assertThat(jobs(client, ids))
                .as("seed %d", seed)
                .allMatch(job -> job.exitCode().orElse(-1) == 0);
        var expected =
                ids.stream().flatMap(id -> Stream.of(id + " toy", id + " far")).toList();
        assertThat(Files.readAllLines(ran)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
        System.out.printf("%d kills, %d programs, each once; far is %s%n", KILLS, expected.size(), LIVE);
    }

    private Path configure(int port) throws IOException {
        String scheduler = "{type: simulated, nodes: 400, state-file: %1$s/%2$s, programs: {folder: %1$s/%2$s-jobs}}";
        String far = LIVE.isPresent()
                ? Files.readString(LIVE.get()).replaceFirst("(?m)^site: .*$", "site: far")
                : "site: far\nscheduler: " + scheduler.formatted(folder, "far") + "\n";
        Files.writeString(folder.resolve("far.yaml"), far);
        return Files.writeString(
                folder.resolve("server.yaml"), """
                port: 0
                data: %s
                negotiation: {lead: 1s, call-timeout: 60s, longest: 3m}
                monitor: {every: 1s}
                sites:
                  - {site: toy, scheduler: %s}
                  - {site: far, url: "http://127.0.0.1:%d/services/Site"}
                """.formatted(folder, scheduler.formatted(folder, "toy"), port));
    }

    private static String bothTell(Path ran) {
        var words = List.of("-c", "echo $METASCHED_AGREEMENT $METASCHED_SITE >> " + ran + "; sleep 1");
        return offer(
                SECONDS,
                part("toy", 1, posix("/bin/sh", words, ""), ""),
                part("far", 1, posix("/bin/sh", words, ""), ""));
    }

    private ServerProcess started(ServerProcess process) {
        alive.add(process);
        return process;
    }

    private static Thread killAfter(int millis, List<ServerProcess> victims) {
        var killer = new Thread(() -> {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            victims.forEach(ServerProcess::kill);
        });
        killer.start();
        return killer;
    }

    /** Offers again what has no agreement yet; whether all have one now. */
    private boolean makeAll(AgreementClient client) {
        for (var entry : agreements.entrySet()) {
            if (entry.getValue().isEmpty()) {
                try {
                    entry.setValue(client.create(AgreementClient.offer("test", entry.getKey()))
                            .agreementId());
                } catch (Exception killed) {
                    return false;
                }
            }
        }
        return true;
    }

    private static List<JobStatus> jobs(AgreementClient client, List<String> ids) throws Exception {
        var jobs = new ArrayList<JobStatus>();
        for (String id : ids) {
            client.show(id).sites().forEach(site -> jobs.add(site.job().orElseThrow()));
        }
        return jobs;
    }
}
