package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.dag.DagParser;
import org.metasched.dag.run.DagRun.Ending;
import org.metasched.dag.run.DagRun.Status;
import org.metasched.dag.run.RunNode;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

/** Settings of condor_dagman, from CONFIG and from a file beside the DAG. */
class DagmanSettingsTest {

    @TempDir
    private Path top;

    private final LocalSlurm slurm = new LocalSlurm();
    private final AtomicLong millis = new AtomicLong(1_767_600_000_000L);
    /** A tenth of a second passes at each look. */
    private final Clock clock =
            ((InstantSource) () -> Instant.ofEpochMilli(millis.addAndGet(100))).withZone(ZoneOffset.UTC);

    private final List<String> submitted = new ArrayList<>();
    private final List<Long> times = new ArrayList<>();
    private Optional<Path> config = Optional.empty();
    private Duration poll = Duration.ofMillis(1);

    @BeforeEach
    void aProgramAndAScript() throws IOException {
        program("run.sh", "echo \"$1\" >> ran\n");
        program("script.sh", "echo \"$*\" >> scripts\nread code < \"script.$1\" 2> /dev/null\nexit ${code:-0}\n");
        Files.writeString(top.resolve("a.sub"), "executable = run.sh\narguments = $(JOB)\nqueue\n");
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.writeString(top.resolve(name), "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private DagmanPlan plan(String settings, String... dag) throws Exception {
        Files.writeString(top.resolve("x.config"), settings);
        Path file = Files.writeString(top.resolve("x.dag"), String.join("\n", dag) + "\nCONFIG x.config\n");
        return DagmanPlan.of(
                file,
                Map.of("PATH", System.getenv("PATH")),
                new DagmanPlan.Demands(Set.of(), config, false),
                Instant.EPOCH);
    }

    private Ending follow(String settings, String... dag) throws Exception {
        SlurmClient client = words -> {
            if (words.get(0).equals("sbatch")) {
                submitted.add(LocalSlurm.option(words, "--job-name=").replaceAll(".*-([^-.]+)\\..*", "$1"));
                times.add(clock.millis());
            }
            return slurm.run(words);
        };
        var run = new DagmanRun(
                plan(settings, dag), client, LocalSlurm.COMMANDS, Optional.empty(), RunOptions.DEFAULT, clock);
        return run.toTheEnd(poll);
    }

    @Test
    void aPostScriptRunsAfterAFailedPreScript() throws Exception {
        Files.writeString(top.resolve("script.pre"), "3\n");
        String[] dag = {"JOB A a.sub", "SCRIPT PRE A script.sh pre", "SCRIPT POST A script.sh post $RETURN"};

        assertThat(follow("DAGMAN_ALWAYS_RUN_POST = True\n", dag).exit()).isZero();
        assertThat(top.resolve("scripts")).hasContent("pre\npost -1004\n");
    }

    /** In quotes, and in the directory of a splice. */
    @ParameterizedTest
    @ValueSource(strings = {"CONFIG \"own.config\"", "SPLICE S s.dag DIR sub"})
    void theConfigurationIsFoundWhereItsCommandMeans(String command) throws Exception {
        Path sub = Files.createDirectory(top.resolve("sub"));
        Files.writeString(sub.resolve("s.dag"), "JOB B b.sub\nCONFIG own.config\n");
        Files.writeString(sub.resolve("b.sub"), "executable = ../run.sh\nqueue\n");
        Files.writeString(
                (command.startsWith("CONFIG") ? top : sub).resolve("own.config"), "DAGMAN_SUBMIT_DELAY = x\n");
        Path file = Files.writeString(top.resolve("x.dag"), "JOB A a.sub\n" + command + "\n");

        assertThatThrownBy(() -> DagmanPlan.of(
                        file,
                        Map.of("PATH", System.getenv("PATH")),
                        new DagmanPlan.Demands(Set.of(), config, false),
                        Instant.EPOCH))
                .hasMessageContaining("DAGMAN_SUBMIT_DELAY");
    }

    @Test
    void theUsualToleranceOfANode() throws Exception {
        Files.writeString(top.resolve("two.sub"), "executable = run.sh\narguments = $(Process)\nqueue 2\n");
        program("run.sh", "exit $1\n");

        assertThat(follow("# half of them\ndagman_node_job_failure_tolerance = \\\n 1\n", "JOB A two.sub")
                        .exit())
                .isZero();
    }

    @Test
    void submissionsKeepTheirDistance() throws Exception {
        assertThat(follow("DAGMAN_SUBMIT_DELAY = 7\n", "JOB A a.sub", "JOB B a.sub", "JOB C a.sub")
                        .exit())
                .isZero();

        assertThat(times.get(1) - times.get(0)).isGreaterThanOrEqualTo(7000);
        assertThat(times.get(2) - times.get(1)).isGreaterThanOrEqualTo(7000);
    }

    @Test
    void aRefusedSubmissionIsTriedAgainFirst() throws Exception {
        slurm.refusals = 1;

        assertThat(follow("", "JOB A a.sub", "JOB B a.sub").exit()).isZero();
        assertThat(submitted).containsExactly("A", "A", "B");
    }

    @Test
    void orLast() throws Exception {
        slurm.refusals = 1;

        assertThat(follow("DAGMAN_RETRY_SUBMIT_FIRST = False\n", "JOB A a.sub", "JOB B a.sub")
                        .exit())
                .isZero();
        assertThat(submitted).containsExactly("A", "B", "A");
    }

    @Test
    void andSoManyTimes() throws Exception {
        slurm.refusals = 2;

        assertThat(follow("DAGMAN_MAX_SUBMIT_ATTEMPTS = 2\n", "JOB A a.sub").exit())
                .isEqualTo(1);
        assertThat(submitted).containsExactly("A", "A");
    }

    @Test
    void scriptsAndIdleJobsAreSoManyAtOnce() throws Exception {
        DagmanPlan plan = plan(
                "DAGMAN_MAX_PRE_SCRIPTS = 2\nDAGMAN_MAX_JOBS_IDLE = 1\n",
                "JOB A a.sub",
                "JOB B a.sub",
                "JOB C a.sub",
                "JOB P a.sub",
                "JOB Q a.sub",
                "JOB R a.sub",
                "SCRIPT PRE P script.sh",
                "SCRIPT PRE Q script.sh",
                "SCRIPT PRE R script.sh");
        var replayed = new ReplayedRun(plan.nodes, Set.of(), RunOptions.DEFAULT, node -> 1);
        replayed.replay(List.of());
        var slurmQueue = new SlurmQueue(slurm, LocalSlurm.COMMANDS);
        var jobs = new NodeJobs(plan, slurmQueue, Optional.empty(), "r");

        assertThat(admitted(plan, replayed, jobs)).containsExactlyInAnyOrder("A", "P", "Q");

        replayed.accept(List.of("submitted", "A", "101", "1"));
        assertThat(admitted(plan, replayed, jobs)).containsExactly("P", "Q");

        Files.createDirectory(plan.folder.resolve("results/000001-A.r.0.0.began"));
        assertThat(admitted(plan, replayed, jobs)).containsExactlyInAnyOrder("B", "P", "Q");
    }

    private static List<String> admitted(DagmanPlan plan, ReplayedRun replayed, NodeJobs jobs) {
        var limits = new SubmissionLimits(plan.settings, replayed.pending.byNode, jobs);
        return replayed.pending.byNode.entrySet().stream()
                .filter(entry -> !entry.getValue().isUnderWay)
                .filter(entry -> limits.admit(entry.getKey(), entry.getValue()))
                .map(entry -> entry.getKey())
                .map(RunNode::name)
                .toList();
    }

    /** As with condor: no script before the jobs begins and no job is submitted once the halt is there. FINAL runs. */
    @Test
    void aHaltedDagBeginsNoScriptAndNoJobThatWaitsForItsTurn() throws Exception {
        program("pre.sh", "echo $1 >> begun\n: > x.dag.halt\n");
        var text = new ArrayList<String>();
        for (int i = 0; i < 25; i++) {
            text.addAll(List.of("JOB N" + i + " a.sub", "SCRIPT PRE N" + i + " pre.sh $JOB"));
        }
        text.add("FINAL END a.sub");

        assertThat(follow("DAGMAN_MAX_PRE_SCRIPTS = 1\n", text.toArray(String[]::new)))
                .isEqualTo(new Ending(0, Status.HALTED, true));
        assertThat(top.resolve("begun")).hasContent("N0");
        assertThat(submitted).containsExactly("END");
        assertThat(statesInTheJournal())
                .containsEntry("N0", RunState.READY)
                .containsEntry("N24", RunState.READY)
                .containsEntry("END", RunState.DONE);
    }

    @Test
    void norOneThatWaitsForTheTimeOfItsSubmission() throws Exception {
        program("run.sh", ": > x.dag.halt\n");

        assertThat(follow("DAGMAN_SUBMIT_DELAY = 7\n", "JOB A a.sub", "JOB B a.sub"))
                .isEqualTo(new Ending(1, Status.HALTED, true));
        assertThat(submitted).containsExactly("A");
        assertThat(statesInTheJournal()).containsEntry("A", RunState.DONE).containsEntry("B", RunState.READY);
    }

    @Test
    void scriptsThatEndFasterThanTheQueueIsAskedKeepNoCancellationWaiting() throws Exception {
        program("pre.sh", "echo $1 >> begun\n: > .metasched-slurm/cancel\n");
        var text = new ArrayList<String>();
        for (int i = 0; i < 25; i++) {
            text.addAll(List.of("JOB N" + i + " a.sub NOOP", "SCRIPT PRE N" + i + " pre.sh $JOB"));
        }
        poll = Duration.ofMillis(500);

        assertThat(follow("DAGMAN_MAX_PRE_SCRIPTS = 1\n", text.toArray(String[]::new)))
                .isEqualTo(new Ending(2, Status.REMOVED, true));
        assertThat(Files.readAllLines(top.resolve("begun"))).hasSizeLessThan(10);
    }

    private Map<String, RunState> statesInTheJournal() throws IOException {
        Path dag = top.resolve("x.dag");
        return RunSnapshot.at(dag, new DagParser().nodes(dag), slurm, LocalSlurm.COMMANDS)
                .orElseThrow()
                .states();
    }

    /** B waits for the pause between submissions when A ends, and D is free from then on. */
    @Test
    void theNextSubmissionIsThatOfTheReadyNodeWithTheHighestPriority() throws Exception {
        String[] dag = {"JOB A a.sub", "JOB B a.sub", "JOB C a.sub", "JOB D a.sub", "PARENT A CHILD D", "PRIORITY D 5"};

        assertThat(follow("DAGMAN_SUBMIT_DELAY = 7\n", dag).exit()).isZero();
        assertThat(submitted).containsExactly("A", "D", "B", "C");
    }

    @Test
    void orThatOfTheNodeThatWasFreedLastIfDepthComesFirst() throws Exception {
        String[] dag = {"JOB A a.sub", "JOB B a.sub", "JOB C a.sub", "JOB D a.sub", "PARENT C CHILD D"};

        assertThat(follow("DAGMAN_SUBMIT_DELAY = 7\nDAGMAN_SUBMIT_DEPTH_FIRST = True\n", dag)
                        .exit())
                .isZero();
        assertThat(submitted).containsExactly("C", "D", "B", "A");
    }

    @Test
    void theOrderOfReadyNodesAndTheNodesWithJobsAreOptionsOfTheRun() throws Exception {
        DagmanSettings settings = plan(
                        "DAGMAN_MAX_JOBS_SUBMITTED = 5\nDAGMAN_SUBMIT_DEPTH_FIRST = yes\nDAGMAN.DAGMAN_RETRY_NODE_FIRST = 1\n",
                        "JOB A a.sub")
                .settings;

        assertThat(settings.options(RunOptions.DEFAULT)).isEqualTo(new RunOptions(false, 0, 5, true, true, true));
        assertThat(settings.options(new RunOptions(true, 2, 3, false, false, false)))
                .isEqualTo(new RunOptions(true, 2, 3, true, true, false));
        assertThat(settings.options(new RunOptions(true, 2, 8, false, false, false)))
                .isEqualTo(new RunOptions(true, 2, 8, true, true, false));
    }

    /** As condor_config_val of 23.9.6 reads these files. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "# note \\\nDAGMAN_SUBMIT_DELAY = 5\n",
                "  # note \\\r\nDAGMAN_SUBMIT_DELAY = 5\r\n",
                "# a \\\n# b \\\nDAGMAN_SUBMIT_DELAY = 5\n",
                "DAGMAN_SUBMIT_DELAY = \\\n  # x \\\n5\n",
                "DAGMAN_SUBMIT_DELAY = \\\n5\n",
                "DAGMAN_SUBMIT_DELAY = \\ \n5\n",
                "DAGMAN_SUBMIT_DELAY = 5 \\\n\nDAGMAN_MAX_JOBS_IDLE = 7\n",
                "DAGMAN_SUBMIT_DELAY = 5 \\"
            })
    void aCommentIsNeverContinuedAndMayStandInAContinuedValue(String settings) throws Exception {
        assertThat(plan(settings, "JOB A a.sub").settings.number("DAGMAN_SUBMIT_DELAY", 0))
                .isEqualTo(5);
    }

    @Test
    void aRunGoesOnWithTheOptionsItBeganWith() throws Exception {
        DagmanPlan plan = plan("DAGMAN_MAX_JOBS_SUBMITTED = 1\n", "JOB A a.sub", "JOB B a.sub");
        new RunJournal(plan.folder).beginOrContinue(plan.file, clock, plan.settings.options(RunOptions.DEFAULT));

        assertThat(RunOptions.parse(new RunJournal(plan.folder).entries().get(0).get(4)))
                .isEqualTo(new RunOptions(false, 0, 1, false, false, true));
        assertThat(RunOptions.parse("3")).isEqualTo(new RunOptions(false, 0, 3, false, false, true));
    }

    @Test
    void aFileBesideTheDagCountsMoreThanItsOwn() throws Exception {
        config = Optional.of(Files.writeString(top.resolve("other"), "DAGMAN_MAX_SUBMIT_ATTEMPTS = 1\n"));
        slurm.refusals = 1;

        assertThat(follow("DAGMAN_MAX_SUBMIT_ATTEMPTS = 3\n", "JOB A a.sub").exit())
                .isEqualTo(1);
    }

    @Test
    void whatCannotBeFollowedIsRefusedByNameAndPlace() {
        assertThatThrownBy(() -> plan("\nDAGMAN_PUT_FAILED_JOBS_ON_HOLD = True\n", "JOB A a.sub"))
                .isInstanceOfSatisfying(UnsupportedFeaturesException.class, refused -> {
                    assertThat(refused.problems().get(0).command()).isEqualTo("DAGMAN_PUT_FAILED_JOBS_ON_HOLD");
                    assertThat(refused.problems().get(0).file()).endsWith("x.config");
                    assertThat(refused.problems().get(0).line()).isEqualTo(2);
                });
        assertThatThrownBy(() -> plan("DAGMAN_MAX_JOBS_IDLE = $(X)\n", "JOB A a.sub"))
                .isInstanceOf(UnsupportedFeaturesException.class);
        assertThatThrownBy(() -> plan("include : other\n", "JOB A a.sub"))
                .isInstanceOf(UnsupportedFeaturesException.class);
    }

    @Test
    void anotherSpellingHasNoEffectAndOneWarning() throws Exception {
        DagmanPlan plan = plan("DAGMAN_MAXJOBS_IDLE = 5\n", "JOB A a.sub");

        assertThat(plan.settings.number("DAGMAN_MAX_JOBS_IDLE", 0)).isZero();
        assertThat(plan.warnings()).containsExactly("Without effect on Slurm: DAGMAN_MAXJOBS_IDLE.");
    }

    @Test
    void itsUsualValueIsNoDemand() throws Exception {
        assertThat(plan("DAGMAN_AUTO_RESCUE = 1\nDAGMAN_VERBOSITY = 4\nSCHEDD_NAME = x\n", "JOB A a.sub")
                        .warnings())
                .containsExactly("Without effect on Slurm: DAGMAN_VERBOSITY, SCHEDD_NAME.");
    }
}
