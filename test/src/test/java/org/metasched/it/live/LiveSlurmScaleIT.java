package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/**
 * Many reservations and a large array at the live Slurm: how many processes they cost and what is read.
 * {@code -Dmetasched.reservations} and {@code -Dmetasched.tasks} say how many.
 */
@Isolated("counts the processes of a site that it fills")
class LiveSlurmScaleIT {

    private static final int NODES = 8;
    private static final int RESERVATIONS = Integer.getInteger("metasched.reservations", 16);
    private static final int TASKS = Integer.getInteger("metasched.tasks", 200);
    private static final Duration SLOT = Duration.ofMinutes(10);
    /** From one row of reservations to the next: a slot, and the margin of its jobs. */
    private static final Duration ROW = SLOT.plusSeconds(90);

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final String NAME = "metasched-scale";

    @TempDir
    Path folder;

    private final LiveSite live = LiveSite.named("slurm");

    /** Commands that write themselves down before they are what they are. */
    @BeforeEach
    void countCommands() throws Exception {
        Files.createFile(folder.resolve("calls"));
        Files.createDirectory(folder.resolve("bin"));
        for (String name : List.of("sinfo", "squeue", "scontrol", "scancel", "sbatch", "runuser")) {
            String real = live.command("sh", "-c", "command -v " + name).strip();
            Path wrapper = Files.writeString(
                    folder.resolve("bin").resolve(name),
                    "#!/bin/sh\necho \"" + name + " $*\" >> " + folder + "/calls\nexec " + real + " \"$@\"\n");
            assertThat(wrapper.toFile().setExecutable(true)).isTrue();
        }
    }

    @AfterEach
    void leavesNothing() throws Exception {
        live.command("scancel", "--user=gridalice");
        String listing = live.command("scontrol", "-o", "show", "reservation");
        for (String line : listing.lines().toList()) {
            if (line.startsWith("ReservationName=metasched-")) {
                live.command("scontrol", "delete", line.substring(0, line.indexOf(' ')));
            }
        }
        await().atMost(Duration.ofMinutes(2))
                .until(() -> live.command("squeue", "-h").isBlank());
    }

    @LiveTest
    void allReservationsShareTheProcessesOfAnInterval() throws Exception {
        var site = live.open(yaml -> counted(yaml) + "  snapshot: 5m\n");
        var made = new ArrayList<Reservation>();
        var base = Instant.now().plus(Duration.ofHours(2)).truncatedTo(ChronoUnit.MINUTES);
        for (int i = 0; i < RESERVATIONS; i++) {
            var key = new RequestKey(NAME.substring("metasched-".length()) + i);
            made.add(site.reserve(key, ResourceRequest.nodes(1, SLOT), base.plus(ROW.multipliedBy(i / NODES))));
        }
        var ids = made.stream().map(Reservation::id).toList();
        calls();

        var costs = new long[20];
        for (int i = 0; i < costs.length; i++) {
            int nodes = 1 + i % NODES;
            costs[i] = microseconds(() -> windows(site, nodes));
        }
        long begun = System.nanoTime();
        var seen = site.states(ids);
        long states = (System.nanoTime() - begun) / 1_000;
        for (Reservation reservation : made) {
            assertThat(site.state(reservation.id())).isEqualTo(seen.get(reservation.id()));
        }
        List<String> calls = calls();

        assertThat(calls).as(calls.toString()).hasSizeLessThanOrEqualTo(5);
        assertThat(seen).hasSize(RESERVATIONS);
        for (Reservation reservation : made) {
            var status = seen.get(reservation.id());
            assertThat(status.state()).isEqualTo(ReservationState.RESERVED);
            assertThat(status.reservation()).isEqualTo(reservation);
            assertThat(status.lostNodes()).isEmpty();
        }
        // all nodes are taken from the first to the last whole row of reservations
        assertThat(site.earliestStart(ResourceRequest.nodes(NODES, SLOT), base))
                .contains(base.plus(ROW.multipliedBy((RESERVATIONS + NODES - 1) / NODES)));
        String listing = live.command("scontrol", "-o", "show", "reservation");
        assertThat(listing.lines().filter(line -> line.startsWith("ReservationName=" + NAME)))
                .hasSize(RESERVATIONS);
        System.out.printf(
                "%d reservations, %d bytes: %d processes for %d questions and %d states; the first question %d us of"
                        + " processor time, the others %d us, all states %d us on the clock%n",
                RESERVATIONS,
                listing.length(),
                calls.size(),
                costs.length,
                3 * RESERVATIONS,
                costs[0],
                median(costs),
                states);
    }

    /** Agreements of a server that runs, with a part for each node. */
    @LiveTest
    void aServerCostsFewProcessesAnIntervalWhateverTheNumberOfAgreements() throws Exception {
        Path config = Files.writeString(
                folder.resolve("server.yaml"),
                "port: 0\ndata: " + folder + "\nmonitor: {every: 1s}\n"
                        + "negotiation: {call-timeout: 90s, longest: 5m}\nsites:\n" + counted(live.asListed()));
        try (var server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            var client = new AgreementClient(server.base(), Duration.ofSeconds(90));
            var template = AgreementClient.keyOf(client.templates().get(0));
            var base = Instant.now().plus(Duration.ofHours(2)).truncatedTo(ChronoUnit.MINUTES);
            var part = new Part(Optional.of("live-slurm"), Optional.empty(), new Need.Nodes(1));
            var ids = new ArrayList<String>();
            for (int i = 0; i < RESERVATIONS / NODES; i++) {
                var content = new OfferContent(
                        "scale-" + i,
                        "",
                        Collections.nCopies(NODES, part),
                        SLOT,
                        Optional.of(base.plus(ROW.multipliedBy(i))),
                        Optional.empty());
                ids.add(client.create(OfferWriter.write(template, content)).agreementId());
            }
            calls();
            int intervals = 6;
            var begun = Instant.now();
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(100))
                    .until(() -> Instant.now().isAfter(begun.plus(INTERVAL.multipliedBy(intervals))));
            List<String> calls = calls();

            System.out.printf(
                    "a server with %d agreements of %d parts: %d processes in %d intervals of %s: %s%n",
                    ids.size(),
                    NODES,
                    calls.size(),
                    intervals,
                    INTERVAL,
                    calls.stream().collect(Collectors.groupingBy(call -> call, Collectors.counting())));
            // an interval may be begun before and ended after
            assertThat(calls.size()).isLessThanOrEqualTo(5 * (intervals + 1));
            for (String id : ids) {
                assertThat(client.show(id).sites())
                        .hasSize(NODES)
                        .allMatch(site -> site.lostNodes().isEmpty());
            }
        }
    }

    @LiveTest
    void aLargeArrayIsReadAsTheTasksThatRun() throws Exception {
        var site = live.open(this::counted);
        String array = live.command(
                        "sbatch",
                        "--parsable",
                        "--uid=gridalice",
                        "--array=1-" + TASKS,
                        "--time=30",
                        "--output=/dev/null",
                        "--wrap=sleep 600")
                .strip();
        assertThat(array).matches("\\d+");
        await().atMost(Duration.ofMinutes(2))
                .until(() -> live.command("squeue", "-h", "-t", "R").lines().count() == 32);
        var costs = new long[9];
        calls();
        for (int i = 0; i < costs.length; i++) {
            var fresh = live.open(this::counted);
            costs[i] = microseconds(() -> windows(fresh, 2));
        }
        var calls = calls();
        SiteLoad load = site.loadReporting().orElseThrow().load();

        long bytes = 0;
        for (String call : calls.subList(0, calls.size() / costs.length)) {
            bytes += live.command("sh", "-c", "'" + String.join("' '", call.split(" ")) + "'")
                    .length();
        }
        assertThat(calls).hasSize(3 * costs.length);
        assertThat(load.freeNodes()).isZero();
        assertThat(load.runningJobs()).isEqualTo(32);
        assertThat(load.queuedJobs()).isPositive();
        assertThat(site.earliestStart(ResourceRequest.nodes(NODES, SLOT), Instant.now()))
                .hasValueSatisfying(start -> assertThat(start)
                        .isBetween(
                                Instant.now().plus(Duration.ofMinutes(25)),
                                Instant.now().plus(Duration.ofMinutes(35))));
        assertThat(bytes).isLessThan(10_000);
        System.out.printf(
                "an array of %d tasks: %d processes a question, which print %d bytes; %d us of processor time; %s%n",
                TASKS, calls.size() / costs.length, bytes, median(costs), load);
    }

    private static void windows(LocalScheduler site, int nodes) {
        try {
            site.windowListing()
                    .orElseThrow()
                    .freeWindows(ResourceRequest.nodes(nodes, SLOT), TimeSlot.of(Instant.now(), Duration.ofDays(3)));
        } catch (LocalSchedulerException e) {
            throw new AssertionError(e);
        }
    }

    private static long microseconds(Runnable work) {
        var cpu = ManagementFactory.getThreadMXBean();
        long begun = cpu.getCurrentThreadCpuTime();
        work.run();
        return (cpu.getCurrentThreadCpuTime() - begun) / 1_000;
    }

    private static long median(long[] costs) {
        return Arrays.stream(costs).sorted().toArray()[costs.length / 2];
    }

    private String counted(String yaml) {
        return yaml.replace("run:\n", "run: ")
                .replaceFirst("run: ( *)environment:", "run:\n$1path: [" + folder + "/bin]\n$1environment:");
    }

    /** What has been called since this was last asked. */
    private List<String> calls() throws IOException {
        Path log = folder.resolve("calls");
        List<String> calls = Files.readAllLines(log);
        Files.writeString(log, "");
        return calls;
    }
}
