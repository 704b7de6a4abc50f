package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SettableClock;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.dag.run.DagRun.Ending;
import org.metasched.dag.run.DagRun.Status;
import org.metasched.dag.run.RunOptions;

/** The files of NODE_STATUS_FILE and JOBSTATE_LOG, in the formats of condor's manual. */
class ReportFilesTest {

    @TempDir
    private Path top;

    private final LocalSlurm slurm = new LocalSlurm();
    private final SettableClock clock = SettableClock.at("2014-05-09T22:22:18Z");

    @BeforeEach
    void aProgramAndAScript() throws IOException {
        program("run.sh", "read code < \"code.$1\" 2> /dev/null\nexit ${code:-0}\n");
        program("script.sh", "read code < \"script.$1\" 2> /dev/null\nexit ${code:-0}\n");
        Files.writeString(top.resolve("a.sub"), "executable = run.sh\narguments = $(JOB)\nqueue\n");
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.writeString(top.resolve(name), "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private DagmanPlan plan(String... dag) throws Exception {
        Path file = Files.write(top.resolve("x.dag"), List.of(dag));
        return DagmanPlan.of(file, Map.of("PATH", System.getenv("PATH")), DagmanPlan.Demands.NONE, Instant.EPOCH);
    }

    private Ending follow(String... dag) throws Exception {
        return new DagmanRun(plan(dag), slurm, LocalSlurm.COMMANDS, Optional.empty(), RunOptions.DEFAULT, clock)
                .toTheEnd(Duration.ofMillis(1));
    }

    private static final class Underway {
        final ReplayedRun replayed;
        final NodeJobs jobs;
        final NodeStatusFile file;

        Underway(DagmanPlan plan, SlurmClient slurm, Clock clock) throws IOException {
            replayed = new ReplayedRun(plan.nodes, Set.of(), RunOptions.DEFAULT, node -> 1);
            replayed.replay(List.of());
            jobs = new NodeJobs(plan, new SlurmQueue(slurm, LocalSlurm.COMMANDS), Optional.empty(), "r");
            file = new NodeStatusFile(plan, replayed, jobs, clock);
        }
    }

    private String status() throws IOException {
        return Files.readString(top.resolve("status"));
    }

    private List<ClassAd> ads() throws Exception {
        List<ClassAd> ads = new ArrayList<>();
        for (String text : status().split("(?m)(?<=^\\])\\n")) {
            ads.add(ClassAd.parse(text, ReadOptions.NEW));
        }
        return ads;
    }

    @Test
    void theStatusFileIsThatOfTheManual() throws Exception {
        DagmanPlan plan = plan("JOB A a.sub", "JOB B a.sub", "PARENT A CHILD B", "NODE_STATUS_FILE status 3");
        var run = new Underway(plan, slurm, clock);
        run.replayed.accept(List.of("submitted", "A", "101", "1"));

        run.file.update(Optional.empty());

        assertThat(status()).isEqualTo("""
                [
                  Type = "DagStatus";
                  DagFiles = {
                    "@/x.dag"
                  };
                  Timestamp = 1399674138;
                  DagStatus = 3; /* "STATUS_SUBMITTED ()" */
                  NodesTotal = 2;
                  NodesDone = 0;
                  NodesPre = 0;
                  NodesQueued = 1;
                  NodesPost = 0;
                  NodesReady = 0;
                  NodesUnready = 1;
                  NodesFutile = 0;
                  NodesFailed = 0;
                  JobProcsHeld = 0;
                  JobProcsIdle = 1;
                ]
                [
                  Type = "NodeStatus";
                  Node = "A";
                  NodeStatus = 3; /* "STATUS_SUBMITTED" */
                  StatusDetails = "idle";
                  RetryCount = 0;
                  JobProcsQueued = 1;
                  JobProcsHeld = 0;
                ]
                [
                  Type = "NodeStatus";
                  Node = "B";
                  NodeStatus = 0; /* "STATUS_NOT_READY" */
                  StatusDetails = "";
                  RetryCount = 0;
                  JobProcsQueued = 0;
                  JobProcsHeld = 0;
                ]
                [
                  Type = "StatusEnd";
                  EndTime = 1399674138;
                  NextUpdate = 1399674141;
                ]
                """.replace("@", top.toString()));
    }

    @Test
    void itChangesWithANodeAndNotSoonerThanItsPause() throws Exception {
        var run = new Underway(plan("JOB A a.sub", "JOB B a.sub", "NODE_STATUS_FILE status 30"), slurm, clock);
        run.file.update(Optional.empty());
        String first = status();

        run.replayed.accept(List.of("submitted", "A", "101", "1"));
        clock.advance(Duration.ofSeconds(29));
        run.file.update(Optional.empty());
        assertThat(status()).isEqualTo(first);

        clock.advance(Duration.ofSeconds(1));
        run.file.update(Optional.empty());
        String second = status();
        assertThat(ads().get(1).getLong("JobProcsQueued")).isEqualTo(1);

        clock.advance(Duration.ofSeconds(30));
        run.file.update(Optional.empty());
        assertThat(status()).isEqualTo(second);

        Files.createDirectory(top.resolve(RunFolder.NAME).resolve("results/000001-A.r.0.0.began"));
        run.file.update(Optional.empty());
        assertThat(ads().get(1).getString("StatusDetails")).isEqualTo("not_idle");
    }

    @Test
    void orEachTimeWithAlwaysUpdate() throws Exception {
        var run = new Underway(plan("JOB A a.sub", "NODE_STATUS_FILE status ALWAYS-UPDATE"), slurm, clock);
        run.file.update(Optional.empty());
        clock.advance(Duration.ofSeconds(60));

        run.file.update(Optional.empty());

        assertThat(ads().get(0).getLong("Timestamp")).isEqualTo(clock.instant().getEpochSecond());
        assertThat(ads().get(2).getLong("NextUpdate")).isEqualTo(clock.instant().getEpochSecond() + 60);
    }

    @Test
    void atTheEndItSaysHowTheDagEnded() throws Exception {
        Files.writeString(top.resolve("code.B"), "3\n");

        assertThat(follow(
                                "JOB A a.sub",
                                "JOB B a.sub",
                                "JOB C a.sub",
                                "RETRY B 1",
                                "PARENT B CHILD C",
                                "NODE_STATUS_FILE status 3600")
                        .exit())
                .isEqualTo(1);

        assertThat(status()).contains("DagStatus = 6; /* \"STATUS_ERROR (failed)\" */");
        assertThat(ads().stream().skip(1).limit(3).map(ad -> ad.getLong("NodeStatus")))
                .containsExactly(5L, 6L, 7L);
        assertThat(ads().get(2).getLong("RetryCount")).isEqualTo(1);
        assertThat(ads().get(4).getLong("NextUpdate")).isZero();
        assertThat(top).isDirectoryNotContaining(path -> path.toString().endsWith(".next"));
    }

    @Test
    void aNodeThatWasCutOffShowsInWhichState() throws Exception {
        var run = new Underway(plan("JOB A a.sub", "NODE_STATUS_FILE status"), slurm, clock);
        run.replayed.accept(List.of("submitted", "A", "101", "1"));

        run.file.update(Optional.of(new Ending(2, Status.REMOVED, true)));

        assertThat(status()).contains("STATUS_ERROR (removed)");
        assertThat(ads().get(1).getLong("NodeStatus")).isEqualTo(6);
        assertThat(ads().get(1).getString("StatusDetails")).isEqualTo("Was STATUS_SUBMITTED");
    }

    /** Times are left out: that of a job's begin is the machine's. */
    private List<String> log() throws IOException {
        try (Stream<String> lines = Files.lines(top.resolve("log"))) {
            return lines.peek(line -> assertThat(line).matches("\\d{10} .*"))
                    .map(line -> line.substring(11))
                    .collect(Collectors.toList());
        }
    }

    @Test
    void theLogHasEachEventOfANodeAndANumberForEachAttempt() throws Exception {
        Files.writeString(top.resolve("code.A"), "3\n");
        Files.writeString(top.resolve("script.post"), "1\n");

        assertThat(follow(
                                "JOB A a.sub",
                                "SCRIPT PRE A script.sh pre",
                                "SCRIPT POST A script.sh post",
                                "RETRY A 1",
                                "JOBSTATE_LOG log")
                        .exit())
                .isEqualTo(1);

        List<String> expected = new ArrayList<>(List.of("INTERNAL *** DAGMAN_STARTED 0.0 ***"));
        for (int number = 1; number <= 2; number++) {
            for (String event : List.of(
                    "PRE_SCRIPT_STARTED -",
                    "PRE_SCRIPT_SUCCESS -",
                    "SUBMIT #.0",
                    "EXECUTE #.0",
                    "JOB_TERMINATED #.0",
                    "JOB_FAILURE 3",
                    "POST_SCRIPT_STARTED #.0",
                    "POST_SCRIPT_TERMINATED #.0",
                    "POST_SCRIPT_FAILURE #.0")) {
                expected.add("A " + event.replace("#", Integer.toString(100 + number)) + " - - " + number);
            }
        }
        expected.add("INTERNAL *** DAGMAN_FINISHED 1 ***");
        assertThat(log()).isEqualTo(expected);
    }

    @Test
    void aLostJobIsAbortedAndARefusedOneIsASubmitFailure() throws Exception {
        slurm.loses.add("A");
        assertThat(follow("JOB A a.sub", "JOBSTATE_LOG log").exit()).isEqualTo(1);
        assertThat(log()).contains("A JOB_ABORTED 101.0 - - 1", "A JOB_FAILURE -1002 - - 1");

        slurm.refusals = 1;
        Files.writeString(top.resolve("one"), "DAGMAN_MAX_SUBMIT_ATTEMPTS = 1\n");
        Files.delete(top.resolve("x.dag.rescue001"));
        assertThat(follow("JOB A a.sub", "JOBSTATE_LOG log", "CONFIG one").exit())
                .isEqualTo(1);
        assertThat(log()).contains("A SUBMIT_FAILURE - - - 2");
    }

    @Test
    void aKilledRunGoesOnInTheLogWithTheNumbersItHad() throws Exception {
        String[] dag = {"JOB A a.sub", "JOB B a.sub", "PARENT A CHILD B", "RETRY A 1", "JOBSTATE_LOG log"};
        slurm.killAt = 2;
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> follow(dag)))
                .isInstanceOf(LocalSlurm.Killed.class);

        assertThat(follow(dag).exit()).isZero();

        assertThat(log())
                .containsSubsequence(
                        "INTERNAL *** DAGMAN_STARTED 0.0 ***",
                        "A JOB_SUCCESS 0 - - 1",
                        "INTERNAL *** RECOVERY_STARTED ***",
                        "INTERNAL *** RECOVERY_FINISHED ***",
                        "B JOB_SUCCESS 0 - - 2",
                        "INTERNAL *** DAGMAN_FINISHED 0 ***")
                .hasSize(13);
        assertThat(log()).filteredOn(line -> !line.contains("INTERNAL")).doesNotHaveDuplicates();
    }

    @Test
    void executeHasTheTimeAtWhichTheJobBegan() throws Exception {
        DagmanPlan plan = plan("JOB A a.sub", "JOBSTATE_LOG log");
        var run = new Underway(plan, slurm, clock);
        var log = new JobstateLog(plan, run.replayed, run.jobs, clock);
        run.replayed.accept(List.of("submitted", "A", "101", "1"));
        Path began = Files.createDirectory(plan.folder.resolve("results/000001-A.r.0.0.began"));
        Files.setLastModifiedTime(began, FileTime.from(Instant.ofEpochSecond(1_399_674_100L)));
        Files.writeString(plan.folder.resolve("results/000001-A.r.0.0"), "0\n");

        log.note(List.of("proc0", "A", "0"));

        assertThat(top.resolve("log"))
                .hasContent("1399674100 A EXECUTE 101.0 - - 1\n1399674138 A JOB_TERMINATED 101.0 - - 1\n"
                        + "1399674138 A JOB_SUCCESS 0 - - 1\n");
    }
}
