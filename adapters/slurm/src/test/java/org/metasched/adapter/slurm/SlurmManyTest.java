package org.metasched.adapter.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.ScriptedCommands;
import org.slf4j.LoggerFactory;

/** A large site: what the questions of an interval cost in processes and processor time. */
class SlurmManyTest {

    private static final int NODES = Integer.getInteger("metasched.nodes", 1_000);
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    Path folder;

    @Test
    void allQuestionsOfAnIntervalCostThreeProcessesAndLittleTime() throws Exception {
        var commands = new ScriptedCommands(folder.resolve("bin"), "sinfo", "squeue", "scontrol", "scancel");
        List<ReservationId> ids = describe(commands);
        LocalScheduler site = new SlurmSchedulerFactory()
                .open(
                        new SiteId("large"),
                        YamlSettings.parse(
                                "site.yaml",
                                "partition: grid\nusers: [alice]\nsnapshot: 5m\nrun: {path: [" + commands.folder()
                                        + "]}\n"),
                        Clock.fixed(NOW, ZoneOffset.UTC));
        var cpu = ManagementFactory.getThreadMXBean();
        var costs = new long[20];
        long first = 0;
        for (int i = -1; i < costs.length; i++) {
            long begun = cpu.getCurrentThreadCpuTime();
            site.windowListing()
                    .orElseThrow()
                    .freeWindows(
                            ResourceRequest.nodes(NODES / 4 + i, Duration.ofHours(4)),
                            TimeSlot.of(NOW, Duration.ofDays(7)));
            long cost = (cpu.getCurrentThreadCpuTime() - begun) / 1_000;
            if (i < 0) {
                first = cost;
            } else {
                costs[i] = cost;
            }
        }
        long begun = cpu.getCurrentThreadCpuTime();
        assertThat(site.states(ids)).hasSize(ids.size());
        long states = (cpu.getCurrentThreadCpuTime() - begun) / 1_000;
        Arrays.sort(costs);
        LoggerFactory.getLogger(SlurmManyTest.class)
                .info(
                        "{} nodes: first {} us, others {} us, {} states {} us",
                        NODES,
                        first,
                        costs[10],
                        ids.size(),
                        states);

        assertThat(commands.calls()).hasSize(3);
        assertThat(costs[10]).as("microseconds of a question").isLessThan(200_000);
    }

    /** Two running jobs a node, a reservation of 16 nodes for every 20. */
    private static List<ReservationId> describe(ScriptedCommands commands) {
        var random = new Random(1);
        long now = NOW.getEpochSecond();
        var nodes = new StringBuilder("NODELIST|STATE|CPUS|AVAIL_FEATURES\n");
        var jobs = new StringBuilder("JOBID|STATE|END_TIME|NODELIST\n");
        for (int i = 1; i <= NODES; i++) {
            nodes.append("n" + i + "|idle|64|fast\n");
            for (int job = 0; job < 2; job++) {
                jobs.append(2 * i + job + "|RUNNING|" + (now + random.nextInt(86_400)) + "|n" + i + "\n");
            }
        }
        var reservations = new StringBuilder();
        var ids = new ArrayList<ReservationId>();
        for (int i = 0; i < NODES / 20; i++) {
            int from = 1 + random.nextInt(NODES - 16);
            long start = now + 3_600L * (1 + random.nextInt(160));
            reservations.append(
                    "ReservationName=metasched-r" + i + " StartTime=" + start + " EndTime=" + (start + 7_200)
                            + " Duration=02:00:00 Nodes=n[" + from + "-" + (from + 15)
                            + "] NodeCnt=16 CoreCnt=64 Features=(null)"
                            + " PartitionName=grid Flags= TRES=cpu=64 Users=alice Groups=(null) Accounts=(null) Licenses=(null)"
                            + " State=INACTIVE BurstBuffer=(null)\n");
            ids.add(new ReservationId("metasched-r" + i));
        }
        commands.answer("sinfo *", 0, nodes.toString(), "");
        commands.answer("squeue *", 0, jobs.toString(), "");
        commands.answer("scontrol -a -o show reservation", 0, reservations.toString(), "");
        return ids;
    }
}
