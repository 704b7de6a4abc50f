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
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.ScriptedCommands;

/** A large site: what the questions of an interval cost in processes and processor time. */
class SlurmManyTest {

    private static final int NODES = Integer.getInteger("metasched.nodes", 1_000);
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    @TempDir
    Path folder;

    private ScriptedCommands commands;
    private List<ReservationId> ids;

    @Test
    void allQuestionsOfAnIntervalCostThreeProcessesAndLittleTime() throws Exception {
        commands = new ScriptedCommands(folder.resolve("bin"), "sinfo", "squeue", "scontrol", "scancel");
        ids = describe(commands);
        // a snapshot of its own for each
        var firsts = new long[Integer.getInteger("metasched.turns", 5)];
        for (int i = 0; i < firsts.length; i++) {
            LocalScheduler fresh = open();
            firsts[i] = microseconds(() -> ask(fresh, 1));
        }
        LocalScheduler site = open();
        ask(site, 1);
        var costs = new long[20];
        for (int i = 0; i < costs.length; i++) {
            int more = i;
            costs[i] = microseconds(() -> ask(site, more));
        }
        long states = microseconds(() -> assertThat(site.states(ids)).hasSize(ids.size()));
        Arrays.sort(costs);
        Arrays.sort(firsts);
        System.out.printf(
                "%d nodes: first of a snapshot %d us (median of %d), others %d us, %d states %d us%n",
                NODES, firsts[firsts.length / 2], firsts.length, costs[10], ids.size(), states);

        assertThat(commands.calls()).hasSize(3 * (firsts.length + 1));
        assertThat(costs[10]).as("microseconds of a question").isLessThan(200_000);
        assertThat(firsts[0]).as("microseconds of the first one of a snapshot").isLessThan(2_000_000);
    }

    private LocalScheduler open() {
        String yaml = "partition: grid\nusers: [alice]\nsnapshot: 5m\nrun: {path: [" + commands.folder() + "]}\n";
        return new SlurmSchedulerFactory()
                .open(new SiteId("large"), YamlSettings.parse("site.yaml", yaml), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static void ask(LocalScheduler site, int more) throws LocalSchedulerException {
        var request = ResourceRequest.nodes(NODES / 4 + more, Duration.ofHours(4));
        site.windowListing().orElseThrow().freeWindows(request, TimeSlot.of(NOW, Duration.ofDays(7)));
    }

    private interface Work {
        void run() throws LocalSchedulerException;
    }

    private static long microseconds(Work work) throws LocalSchedulerException {
        var cpu = ManagementFactory.getThreadMXBean();
        long begun = cpu.getCurrentThreadCpuTime();
        work.run();
        return (cpu.getCurrentThreadCpuTime() - begun) / 1_000;
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
