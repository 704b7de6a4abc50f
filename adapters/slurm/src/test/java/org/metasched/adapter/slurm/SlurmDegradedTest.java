package org.metasched.adapter.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.testkit.ScriptedCommands;

/** Situations recorded on a live Slurm 22.05, each of which once silenced its site or was read wrong. */
class SlurmDegradedTest {

    private static final Path RECORDED = Path.of(
            System.getProperty("metasched.shared", "../../../shared"), "schedulers", "fixtures", "slurm", "degraded");
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    @BeforeEach
    void needsTheRecordings() {
        assumeTrue(Files.isDirectory(RECORDED), "no recorded situations beside this checkout");
    }

    /**
     * The situation, how many nodes for ten minutes, asked from when, and the answer, both in seconds since the epoch;
     * 0 for the moment of the recording and the first minute after it, -1 for never.
     */
    @ParameterizedTest
    @CsvSource({
        "0-idle, 8, 0, 0",
        // four of eight drained, four reserved: what is left serves, and the reserved ones after their time
        "a-drained, 4, 0, 0",
        "a-drained, 5, 0, -1",
        "a-drained, 1, 1795305592, 1795309192",
        "a1-drained-later, 4, 0, 0",
        "a1-drained-later, 1, 1795305592, 1795309192",
        "a2-drained-second, 1, 1795312792, 1795316392",
        // all eight live again, the reservation keeps its four
        "a3-resumed, 4, 1795305592, 1795305592",
        "a3-resumed, 5, 1795305592, 1795309192",
        // some cores of s1, s2, s3 and s8 are reserved
        "b-cores, 4, 1795305592, 1795305592",
        "b-cores, 5, 1795305592, 1795309192",
        "b2-cores-running, 7, 0, 0",
        "b2-cores-running, 8, 0, 1795304000",
        "b3-cores-two-nodes, 6, 0, 0",
        "b3-cores-two-nodes, 7, 0, 1795304398",
        // licences are no nodes
        "c-licence, 7, 1795305592, 1795305592",
        "c-licence, 8, 1795305592, 1795309192",
        "c2-licence-running, 8, 0, 0",
        // maintenance of all eight; the daily reservation of s5 and s6 comes again
        "d-flags, 1, 1795305592, 1795309192",
        "d-flags, 7, 1795391992, 1795393792",
        // s1 and s2 in maintenance, s3 daily, s5 floating from 1795303848 on for ever
        "d2-flags-running, 5, 0, 0",
        "d2-flags-running, 6, 0, 1795302645",
        "d2-flags-running, 7, 1795303845, 1795303845",
        "d2-flags-running, 8, 1795303845, -1",
        "d2-flags-running, 7, 1795388445, 1795389045",
        // a job in a FLEX reservation runs outside of it and longer
        "d3-flex-running, 4, 0, 0",
        "d3-flex-running, 8, 0, 1795305825",
        // daily s1 and s2, and six nodes by name: nothing is left tomorrow at that time
        "d4-daily-tomorrow, 1, 1795392193, 1795392793",
        "e-down, 7, 0, 0",
        "e-down, 8, 0, -1",
        "e4-running-down, 7, 0, 1795303448",
        // draining, endless job, failing, FUTURE
        "g-states, 4, 0, 0",
        "g-states, 5, 0, -1",
        "f-array, 8, 0, 1795303867",
        "f2-array-limit, 8, 0, 1795303867",
    })
    void offersWhatIsTrue(String situation, int nodes, long from, long answer) throws Exception {
        Instant now = recordedAt(situation);
        LocalScheduler site = site(situation, "metasched-");
        Instant soonest = now.plusSeconds(10 + 59).truncatedTo(java.time.temporal.ChronoUnit.MINUTES);

        Optional<Instant> start = site.earliestStart(
                ResourceRequest.nodes(nodes, TEN_MINUTES), from == 0 ? now : Instant.ofEpochSecond(from));

        assertThat(start)
                .isEqualTo(
                        answer < 0
                                ? Optional.empty()
                                : Optional.of(answer == 0 ? soonest : Instant.ofEpochSecond(answer)));
    }

    /** The situation, prefix and key of the reservation, the nodes it was made with, those it has, and those it lost. */
    @ParameterizedTest
    @CsvSource({
        "a0-before-drain, mss_, a, 5, 5, ''",
        "a-drained, mss_, a, 5, 4, (node 5 of 5)",
        "a1-drained-later, mss_, a, 5, 4, (node 5 of 5)",
        "a3-resumed, mss_, a, 5, 4, (node 5 of 5)",
        "a2-drained-second, mss_, a2, 4, 4, ''",
        "a4-running-drained, mss_, run, 5, 4, (node 5 of 5)",
        "b3-cores-two-nodes, mss_, core6, 2, 2, ''",
        "c-licence, mss_, lic, 1, 0, ''",
        "e-down, on_, down, 1, 1, s7",
        "e2-down-under, goes_, down, 3, 3, ''",
        "e3-named-down, na, med, 3, 3, s1 s2",
        "e4-running-down, run, all, 8, 8, s7",
    })
    void tellsWhatAReservationLost(String situation, String prefix, String key, int made, int has, String lost)
            throws Exception {
        LocalScheduler site = site(situation, prefix);
        var id = new ReservationId(prefix + key);

        ReservationStatus status = site.state(id);

        assertThat(status.reservation().granted().amount()).isEqualTo(made);
        assertThat(status.reservation().nodeNames()).hasSize(has);
        assertThat(String.join(" ", status.lostNodes())).isEqualTo(lost);
        assertThat(site.states(List.of(id, new ReservationId(prefix + "other"))))
                .containsExactly(java.util.Map.entry(id, status));
    }

    @Test
    void namesADegradedReservationOfAnybody() throws Exception {
        assertThat(site("a-drained", "metasched-")
                        .loadReporting()
                        .orElseThrow()
                        .load()
                        .remarks())
                .containsExactly("Reservation mss_a has 4 of 5 nodes.");
        assertThat(site("0-idle", "metasched-")
                        .loadReporting()
                        .orElseThrow()
                        .load()
                        .remarks())
                .isEmpty();
    }

    @Test
    void anArrayThatWaitsIsOneJob() throws Exception {
        var load = site("f-array", "metasched-").loadReporting().orElseThrow().load();

        assertThat(load.runningJobs()).isEqualTo(16);
        assertThat(load.queuedJobs())
                .as("184 tasks of one array, and another job")
                .isEqualTo(2);
    }

    @Test
    void whatCannotBeUnderstoodBlocksItsNodesAndIsGivenUpAllTheSame() throws Exception {
        String line =
                read("a0-before-drain-res").replace("State=INACTIVE", "State=?").replace("mss_a", "mss_odd");
        ScriptedCommands commands = commands("a0-before-drain");
        commands.answerOnce("scontrol -a -o show reservation mss_odd", 0, line, "");
        commands.answerOnce("scontrol -a -o show reservation mss_odd", 0, line, "");
        commands.answer("scontrol -a -o show reservation mss_odd", 1, "Reservation mss_odd not found\n", "");
        commands.answer("scontrol -a -o show reservation", 0, line, "");
        commands.answer("scontrol delete *", 0, "", "");
        LocalScheduler site = open(commands, recordedAt("a0-before-drain"), "mss_");
        Instant reserved = Instant.ofEpochSecond(1795305592L);

        assertThat(site.earliestStart(ResourceRequest.nodes(3, TEN_MINUTES), reserved))
                .contains(reserved);
        assertThat(site.earliestStart(ResourceRequest.nodes(4, TEN_MINUTES), reserved))
                .contains(reserved.plus(Duration.ofHours(1)));
        assertThat(site.loadReporting().orElseThrow().load().remarks())
                .singleElement()
                .asString()
                .contains("mss_odd is odd", "State");
        site.cancel(new ReservationId("mss_odd"));
        assertThat(commands.calls()).contains("scontrol delete ReservationName=mss_odd");
    }

    @Test
    void allQuestionsOfAnIntervalShareOneLook() throws Exception {
        ScriptedCommands commands = commands("e-down");
        commands.answer("scontrol -a -o show reservation", 0, read("e-down-res"), "");
        LocalScheduler site = open(commands, recordedAt("e-down"), "on_");
        var id = new ReservationId("on_down");
        for (int round = 0; round < 20; round++) {
            site.earliestStart(ResourceRequest.nodes(1 + round % 7, TEN_MINUTES), recordedAt("e-down"));
            site.state(id);
        }

        assertThat(commands.calls()).hasSize(3);
    }

    private LocalScheduler site(String situation, String prefix) throws IOException {
        ScriptedCommands commands = commands(situation);
        commands.answer("scontrol -a -o show reservation", 0, read(situation + "-res"), "");
        return open(commands, recordedAt(situation), prefix);
    }

    private ScriptedCommands commands(String situation) throws IOException {
        var commands = new ScriptedCommands(folder.resolve(situation), "sinfo", "squeue", "scontrol", "scancel");
        commands.answer("sinfo *", 0, read(situation + "-sinfo"), "");
        Path waiting = RECORDED.resolve(situation + "-squeue-nor.txt");
        commands.answer(
                "squeue -p *",
                0,
                Files.exists(waiting) ? Files.readString(waiting) : read(situation + "-squeue-all"),
                "");
        commands.answer("squeue *", 0, read(situation + "-squeue-all"), "");
        return commands;
    }

    private static LocalScheduler open(ScriptedCommands commands, Instant now, String prefix) {
        String yaml = "partition: grid\nusers: [gridalice]\nname-prefix: " + prefix + "\nsnapshot: 5m\nrun:\n  path: ["
                + commands.folder() + "]\n";
        return new SlurmSchedulerFactory()
                .open(new SiteId("here"), YamlSettings.parse("site.yaml", yaml), Clock.fixed(now, ZoneOffset.UTC));
    }

    private static String read(String name) throws IOException {
        return Files.readString(RECORDED.resolve(name + ".txt"));
    }

    private static Instant recordedAt(String situation) throws IOException {
        Matcher row = Pattern.compile("\\| " + situation + "-res\\.txt \\|.*\\| (2026-\\S+Z) \\|")
                .matcher(Files.readString(RECORDED.resolve("README.md")));
        assertThat(row.find()).isTrue();
        return Instant.parse(row.group(1));
    }
}
