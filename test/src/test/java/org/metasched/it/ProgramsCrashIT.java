package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.ProgramOffers.offer;
import static org.metasched.it.ProgramOffers.part;
import static org.metasched.it.ProgramOffers.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.adapter.JobStatus;
import org.metasched.soap.AgreementClient;

/**
 * Kills a server, and the adapter in its process, at random moments of offers that name a program. Each program tells on a line
 * of a file that it ran. {@code -Dmetasched.kills} says how often.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Isolated("starts a process after the other")
class ProgramsCrashIT {

    private static final int KILLS = Integer.getInteger("metasched.kills", 3);

    private final long seed = Long.getLong("metasched.seed", System.nanoTime());
    private final Random random = new Random(seed);
    /** The agreement of each offer, or nothing before it is known. */
    private final Map<String, String> agreements = new LinkedHashMap<>();

    @TempDir
    private Path folder;

    @Test
    void everyProgramRunsOnce() throws Exception {
        var config = Files.writeString(folder.resolve("server.yaml"), """
            port: 0
            data: %1$s
            negotiation: {lead: 1s}
            monitor: {every: 1s}
            sites:
              - {site: toy, scheduler: {type: simulated, nodes: 400, state-file: %1$s/state, programs: {folder: %1$s/jobs}}}
            """.formatted(folder));
        var ran = Files.createFile(folder.resolve("ran"));
        for (int kill = 0; kill < KILLS; kill++) {
            try (var server = ServerProcess.start(config)) {
                var client = new AgreementClient(server.awaitReady(), Duration.ofSeconds(20));
                var killer = killAfter(server, random.nextInt(4000));
                for (int i = 0; i < 3; i++) {
                    agreements.put(
                            offer(
                                    240,
                                    part(
                                            "toy",
                                            1,
                                            posix(
                                                    "/bin/sh",
                                                    List.of("-c", "echo $METASCHED_AGREEMENT >> " + ran + "; sleep 1"),
                                                    ""),
                                            "")),
                            "");
                }
                makeAll(client);
                killer.join();
            }
        }
        try (var server = ServerProcess.start(config)) {
            var client = new AgreementClient(server.awaitReady(), Duration.ofSeconds(20));
            assertThat(makeAll(client)).isTrue();
            var ids = List.copyOf(agreements.values());
            Awaitility.await()
                    .atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> jobs(client, ids).stream()
                            .allMatch(job -> job.state().isFinal()));

            assertThat(jobs(client, ids))
                    .as("seed %d", seed)
                    .allMatch(job -> job.exitCode().orElse(-1) == 0);
            assertThat(Files.readAllLines(ran)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(ids);
            for (String id : ids) {
                client.terminate(id);
            }
        }
    }

    private static Thread killAfter(ServerProcess server, int millis) {
        var killer = new Thread(() -> {
            try {
                Thread.sleep(millis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            server.kill();
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
                } catch (IOException | RuntimeException killed) {
                    return false;
                } catch (Exception refused) {
                    throw new AssertionError("refused, seed " + seed, refused);
                }
            }
        }
        return true;
    }

    private static List<JobStatus> jobs(AgreementClient client, List<String> ids) throws Exception {
        var jobs = new ArrayList<JobStatus>();
        for (String id : ids) {
            jobs.add(client.show(id).sites().get(0).job().orElseThrow());
        }
        return jobs;
    }
}
