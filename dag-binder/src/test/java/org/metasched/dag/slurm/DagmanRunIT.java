package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.run.DagRun.Ending;
import org.metasched.dag.run.DagRun.Status;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

class DagmanRunIT {

    @TempDir
    private Path top;

    private Path dag;
    private final LocalSlurm slurm = new LocalSlurm();
    private Map<String, RunState> states = Map.of();

    @BeforeEach
    void writePrograms() throws IOException {
        dag = top.resolve("x.dag");
        program("run.sh", "echo \"$1 $2\" >> ran\nread code < \"code.$1\" 2> /dev/null\nexit ${code:-0}\n");
        program("script.sh", "echo \"$*\" >> scripts\nread code < \"script.$1\" 2> /dev/null\nexit ${code:-0}\n");
        Files.writeString(top.resolve("a.sub"), "executable = run.sh\narguments = $(JOB) $(Process)\nqueue\n");
        Files.writeString(top.resolve("three.sub"), "executable = run.sh\narguments = $(JOB) $(Process)\nqueue 3\n");
    }

    @Test
    void scriptsProcsRetriesAndFinalRunInTheirOrder() throws Exception {
        dag(
                "JOB A a.sub",
                "JOB B three.sub",
                "FINAL END a.sub",
                "SCRIPT PRE A script.sh pre $JOB $RETRY",
                "SCRIPT POST B script.sh post $RETURN",
                "SCRIPT POST END script.sh end $DAG_STATUS $FAILED_COUNT",
                "RETRY A 1",
                "PARENT A CHILD B");

        Ending ending = follow();

        assertThat(ending).isEqualTo(new Ending(0, Status.OK, false));
        assertThat(lines("ran")).containsExactly("A 0", "B 0", "B 1", "B 2", "END 0");
        assertThat(lines("scripts")).containsExactly("pre A 0", "post 0", "end 0 0");
        assertThat(top.resolve(DagProgress.FINISHED_MARK)).exists();
    }

    @Test
    void aResumedRunCancelsNoLaterAttemptThanTheOneThatFailed() throws Exception {
        dag("JOB A three.sub", "RETRY A 1");
        program("run.sh", "[ -e tried.$2 ] || { : > tried.$2; exit 3; }\n");
        slurm.killAt = 2;
        assertThatThrownBy(this::follow).isInstanceOf(LocalSlurm.Killed.class);
        assertThat(slurm.cancelled).singleElement().asString().endsWith(".0");

        assertThat(follow()).isEqualTo(new Ending(0, Status.OK, false));
        assertThat(slurm.cancelled).noneMatch(name -> name.endsWith(".1"));
    }

    @Test
    void aHaltEndsNoInnerDagThatIsUnderWayAfterARestartEither() throws Exception {
        dag("SUBDAG EXTERNAL S inner.dag", "JOB B a.sub", "PARENT S CHILD B");
        Files.writeString(top.resolve("inner.dag"), "JOB X a.sub\nJOB Y a.sub\nPARENT X CHILD Y\n");
        program("run.sh", "echo \"$1 $2\" >> ran\n: > x.dag.halt\n");
        slurm.killAt = 2;
        slurm.diesBefore = true;
        assertThatThrownBy(this::follow).isInstanceOf(LocalSlurm.Killed.class);

        assertThat(follow()).isEqualTo(new Ending(1, Status.HALTED, true));
        assertThat(lines("ran")).containsExactly("X 0", "Y 0");
    }

    @Test
    void aNodeIsNotTriedAgainOnceTheHaltIsSeen() throws Exception {
        dag("JOB A a.sub", "RETRY A 3");
        program("run.sh", "echo \"$1 $2\" >> ran\n: > x.dag.halt\nexit 3\n");

        assertThat(follow()).isEqualTo(new Ending(1, Status.HALTED, true));
        assertThat(lines("ran")).containsExactly("A 0");
    }

    @Test
    void theJobsOfAnAbortedInnerDagAreCancelledThoughSlurmIsSilentTwice() throws Exception {
        dag("SUBDAG EXTERNAL S inner.dag");
        Files.writeString(top.resolve("inner.dag"), "JOB A a.sub\nJOB B a.sub\nABORT-DAG-ON A 3\n");
        Files.writeString(top.resolve("code.A"), "3\n");
        slurm.neverRuns.add("B");
        slurm.cancelRefusals = 2;

        assertThat(follow().exit()).isEqualTo(1);
        assertThat(slurm.queue).isEmpty();
    }

    @Test
    void aNodeThatIsDoneNeedsNoDescriptionAnyMore() throws Exception {
        dag("JOB A gone.sub DONE", "JOB B a.sub", "PARENT A CHILD B");

        assertThat(follow()).isEqualTo(new Ending(0, Status.OK, false));
        assertThat(lines("ran")).containsExactly("B 0");
    }

    @Test
    void descriptionsAreToldTheTryAndTheStatusOfTheDag() throws Exception {
        Files.writeString(top.resolve("r.sub"), "executable = run.sh\narguments = $(JOB) $(RETRY)$(mine)\nqueue\n");
        Files.writeString(
                top.resolve("f.sub"), "executable = run.sh\narguments = $(JOB) $(DAG_STATUS).$(FAILED_COUNT)\nqueue\n");
        dag("JOB A r.sub", "VARS A +DAGNodeRetry=\"$(RETRY)\" mine=\"-$(RETRY)\"", "RETRY A 2", "FINAL END f.sub");
        Files.writeString(top.resolve("code.A"), "3\n");

        assertThat(follow().exit()).isZero();

        assertThat(lines("ran")).containsExactly("A 0-0", "A 1-1", "A 2-2", "END 2.1");
    }

    @Test
    void everyMacroOfTheManualHasItsValue() throws Exception {
        dag(
                "JOB A three.sub",
                "TOLERANCE A 3",
                "SCRIPT PRE A script.sh pre $DAGID $RETURN $JOBID",
                "SCRIPT POST A script.sh post $JOBID $CLUSTERID $PRE_SCRIPT_RETURN $SUCCESS $JOB_COUNT $JOB_ABORT_COUNT"
                        + " $exit_codes $EXIT_CODE_COUNTS $EXIT_CODE_LIST $DAGID x=$RETURN $OTHER");
        program("run.sh", "[ \"$2\" = 1 ] && exit 7\nexit 0\n");

        assertThat(follow().exit()).isZero();

        assertThat(lines("scripts"))
                .containsExactly(
                        "pre 0 $RETURN $JOBID", "post 101.0 101 0 True 3 0 0,7 0:2,7:1 0,7,0 0 x=$RETURN $OTHER");
    }

    @Test
    void theMacrosOfNodesWithoutJobsOfTheirOwnCountWhatRanInstead() throws Exception {
        Files.writeString(top.resolve("x.config"), "DAGMAN_MAX_SUBMIT_ATTEMPTS = 1\n");
        Files.writeString(top.resolve("inner.dag"), "JOB X a.sub\n");
        Files.writeString(top.resolve("code.X"), "3\n");
        String macros = " script.sh $JOB $RETURN $JOB_COUNT $JOB_ABORT_COUNT $EXIT_CODE_COUNTS";
        dag(
                "CONFIG x.config",
                "JOB A three.sub",
                "SCRIPT POST A" + macros,
                "SUBDAG EXTERNAL S inner.dag",
                "SCRIPT POST S" + macros,
                "JOB N three.sub NOOP",
                "SCRIPT POST N" + macros,
                "PARENT A CHILD S",
                "PARENT S CHILD N");
        slurm.refusals = 1;

        assertThat(follow().exit()).isZero();
        assertThat(lines("scripts")).containsExactly("A -1001 0 0 ", "S 1 1 0 1:1", "N 0 1 0 0:1");
    }

    @Test
    void whatFailedStandsInTheRescueFileAndTheNextRunGoesOnFromThere() throws Exception {
        dag("JOB A a.sub", "JOB B a.sub", "JOB C a.sub", "RETRY B 2", "PARENT A CHILD B", "PARENT B CHILD C");
        Files.writeString(top.resolve("code.B"), "3\n");

        assertThat(follow()).isEqualTo(new Ending(1, Status.NODE_FAILED, true));
        assertThat(states).containsEntry("B", RunState.ERROR).containsEntry("C", RunState.FUTILE);
        assertThat(lines("ran")).containsExactly("A 0", "B 0", "B 0", "B 0");
        assertThat(Files.readString(top.resolve("x.dag.rescue001")))
                .contains("DONE A\n")
                .doesNotContain("DONE B");

        Files.delete(top.resolve("code.B"));
        assertThat(follow()).isEqualTo(new Ending(0, Status.OK, false));
        assertThat(lines("ran")).containsExactly("A 0", "B 0", "B 0", "B 0", "B 0", "C 0");
    }

    @Test
    void anAbortingNodeEndsTheDagWithItsReturnAndItsJobsAreCancelled() throws Exception {
        dag("JOB A a.sub", "JOB B a.sub", "JOB C a.sub", "ABORT-DAG-ON A 3 RETURN 5", "PARENT A CHILD C");
        Files.writeString(top.resolve("code.A"), "3\n");
        slurm.neverRuns.add("B");

        assertThat(follow()).isEqualTo(new Ending(5, Status.ABORT, true));
        assertThat(slurm.queue).isEmpty();
    }

    @Test
    void aJobThatLeftTheQueueWithoutAResultWasRemoved() throws Exception {
        dag("JOB A a.sub");
        slurm.loses.add("A");

        assertThat(follow()).isEqualTo(new Ending(1, Status.NODE_FAILED, true));
    }

    @Tag("full")
    @Test
    void killedAtEachSubmissionOfFiftyNodesTheSameCommandEndsItAndNoJobRunsTwice() throws Exception {
        List<String> text = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            text.add("JOB N" + i + " a.sub");
            if (i > 0) {
                text.add("PARENT N" + (i - 1) / 2 + " CHILD N" + i);
            }
        }
        dag(text.toArray(String[]::new));
        int kills = 0;
        for (int at = 0; at < 50; at++) {
            slurm.killAt = slurm.submissions + 1;
            slurm.diesBefore = at % 2 == 0;
            try {
                follow();
            } catch (LocalSlurm.Killed e) {
                kills++;
            }
        }
        slurm.killAt = -1;
        Ending ending =
                Files.exists(top.resolve(DagProgress.FINISHED_MARK)) ? new Ending(0, Status.OK, false) : follow();

        assertThat(ending.exit()).isZero();
        assertThat(kills).isGreaterThan(40);
        assertThat(lines("ran")).hasSize(50).doesNotHaveDuplicates();
        assertThat(slurm.queue).isEmpty();
        System.out.println(kills + " kills, " + slurm.submissions + " submissions, "
                + lines("ran").size() + " jobs run");
    }

    @Test
    void aRunGoesOnWhoseNodesAreCalledByNumbers() throws Exception {
        dag("JOB 0 a.sub", "JOB 1 a.sub", "PARENT 0 CHILD 1");
        slurm.killAt = 1;
        assertThatThrownBy(this::follow).isInstanceOf(LocalSlurm.Killed.class);
        slurm.killAt = 2;
        slurm.diesBefore = true;
        assertThatThrownBy(this::follow).isInstanceOf(LocalSlurm.Killed.class);

        assertThat(follow().exit()).isZero();
        assertThat(lines("ran")).containsExactly("0 0", "1 0");
    }

    @Test
    @Tag("full")
    void aThousandNodesThatAreFreeAtOnceAreSubmittedAndTenThousandWithoutJobsRun() throws Exception {
        var text = new ArrayList<String>();
        for (int i = 0; i < 1000; i++) {
            text.add("JOB N" + i + " a.sub");
            slurm.loses.add("N" + i);
        }
        dag(text.toArray(String[]::new));
        assertThat(follow().exit()).isOne();
        assertThat(slurm.submissions).isEqualTo(1000);

        Files.delete(top.resolve("x.dag.rescue001"));
        text.clear();
        for (int i = 0; i < 10_000; i++) {
            text.add("JOB N" + i + " a.sub NOOP");
            if (i > 0) {
                text.add("PARENT N" + (i - 1) + " CHILD N" + i);
            }
        }
        dag(text.toArray(String[]::new));
        assertThat(follow().exit()).isZero();
    }

    @Test
    void resourcesAndTheReservationBecomeOptionsOfSbatch() throws Exception {
        Files.writeString(
                top.resolve("a.sub"),
                "executable = /bin/true\nrequest_cpus = 4\nrequest_memory = 2 GB\nrequest_gpus = 1\nqueue 2\n");
        dag("JOB A a.sub");

        assertThat(follow(DagSlurmCommands.of(List.of("sbatch", "--partition=x")), Optional.of("agreement-1"))
                        .exit())
                .isZero();

        assertThat(slurm.last)
                .startsWith("sbatch", "--partition=x", "--parsable")
                .contains("--cpus-per-task=4", "--mem=2048M", "--gres=gpu:1", "--reservation=agreement-1");
    }

    @Test
    void scriptsAreToldOfTheirNodeAndOfTheDag() throws Exception {
        program("pre.sh", "exit 3\n");
        dag(
                "JOB A a.sub",
                "JOB B three.sub",
                "SCRIPT PRE A pre.sh",
                "PRE_SKIP A 3",
                "SCRIPT POST B script.sh $JOB $PRE_SCRIPT_RETURN $CLUSTERID $JOBID $DONE_COUNT $QUEUED_COUNT x=$RETURN",
                "PARENT A CHILD B");

        assertThat(follow().exit()).isZero();
        assertThat(lines("scripts")).containsExactly("B 0 101 101.0 1 0 x=$RETURN");
    }

    @Test
    void theJobsOfANodeKnowItsParents() throws Exception {
        Files.writeString(top.resolve("a.sub"), "executable = run.sh\narguments = $(JOB) $(DAG_PARENT_NAMES)\nqueue\n");
        dag("JOB A a.sub", "JOB B a.sub", "JOB C a.sub", "PARENT A CHILD B", "PARENT B A CHILD C");

        assertThat(follow().exit()).isZero();
        assertThat(lines("ran")).containsExactly("A ", "B A", "C A,B");
    }

    @Test
    void theJobsOfSeveralChildrenKnowAllTheirParents() throws Exception {
        Files.writeString(top.resolve("a.sub"), "executable = run.sh\narguments = $(JOB) $(DAG_PARENT_NAMES)\nqueue\n");
        dag("JOB A a.sub", "JOB B a.sub", "JOB C a.sub", "JOB D a.sub", "PARENT B A CHILD C D", "PARENT A C CHILD D");

        assertThat(follow().exit()).isZero();
        assertThat(lines("ran")).containsExactly("A ", "B ", "C A,B", "D A,B,C");
    }

    @Test
    void aSubmissionThatFailsIsTriedAgain() throws Exception {
        dag("JOB A a.sub");
        slurm.refusals = 1;

        assertThat(follow().exit()).isZero();
        assertThat(lines("ran")).containsExactly("A 0");
    }

    @Test
    void theLogOfANodeSaysWhySlurmRefusedItsJobs() throws Exception {
        Files.writeString(top.resolve("x.config"), "DAGMAN_MAX_SUBMIT_ATTEMPTS = 1\n");
        dag("CONFIG x.config", "JOB A a.sub");
        slurm.refusals = 1;

        assertThat(follow()).isEqualTo(new Ending(1, Status.NODE_FAILED, true));
        try (var logs = Files.newDirectoryStream(top.resolve(RunFolder.NAME), "*.log")) {
            assertThat(Files.readString(logs.iterator().next())).contains("sbatch: error: try later");
        }
    }

    @Test
    void aRunThatIsResumedWhileSlurmIsSilentGoesOn() throws Exception {
        dag("JOB A a.sub");
        slurm.loses.add("A");
        slurm.killAt = 1;
        assertThatThrownBy(this::follow).isInstanceOf(LocalSlurm.Killed.class);
        slurm.loses.clear();
        slurm.silences = 1;

        assertThat(follow().exit()).isZero();
        assertThat(lines("ran")).containsExactly("A 0");
    }

    @Test
    void whatItCannotDoIsRefusedBeforeAnythingRuns() throws Exception {
        dag("JOB A a.sub", "SUBDAG EXTERNAL S inner.dag");
        Files.writeString(top.resolve("inner.dag"), "JOB A a.sub\nSCRIPT HOLD A script.sh\n");

        assertThatThrownBy(this::follow)
                .isInstanceOf(UnsupportedFeaturesException.class)
                .hasMessageContaining("inner.dag:2");
        assertThat(slurm.submissions).isZero();
    }

    @Test
    void aDagThatRunsItselfIsRefused() throws Exception {
        dag("SUBDAG EXTERNAL S x.dag");

        assertThatThrownBy(this::follow)
                .isInstanceOf(UnsupportedFeaturesException.class)
                .hasMessageContaining("runs itself");
    }

    @Test
    void aSubDagWrittenByItsPreScriptRunsAndItsRetryGoesOnFromItsRescueFile() throws Exception {
        program(
                "write.sh",
                "printf 'JOB X a.sub\\nJOB Y a.sub\\nPARENT X CHILD Y\\n' > inner.dag\nrm -f code.Y\n"
                        + "[ -e once ] || { echo 3 > code.Y; : > once; }\n");
        dag(
                "JOB A a.sub",
                "SUBDAG EXTERNAL S inner.dag",
                "JOB B a.sub",
                "SCRIPT PRE S write.sh",
                "RETRY S 1",
                "PARENT A CHILD S",
                "PARENT S CHILD B");

        assertThat(follow()).isEqualTo(new Ending(0, Status.OK, false));
        assertThat(lines("ran")).containsExactly("A 0", "X 0", "Y 0", "Y 0", "B 0");
        assertThat(Files.readString(top.resolve("inner.dag.rescue001"))).contains("DONE X\n");
    }

    @Test
    void aSubDagThatHasNotBeenWrittenFailsItsNodeOnly() throws Exception {
        dag("SUBDAG EXTERNAL S inner.dag", "JOB B a.sub");

        assertThat(follow()).isEqualTo(new Ending(1, Status.NODE_FAILED, true));
        assertThat(states).containsEntry("S", RunState.ERROR);
        assertThat(lines("ran")).containsExactly("B 0");
    }

    @Test
    void aSubDagWrittenAtRunTimeSeesTheEnvironmentThatTheDagWasBoundTo() throws Exception {
        program(
                "write.sh",
                "printf 'JOB X x.sub\\n' > inner.dag\n"
                        + "printf 'executable = run.sh\\narguments = $ENV(SiteName) 0\\nqueue\\n' > x.sub\n");
        dag("SUBDAG EXTERNAL S inner.dag", "SCRIPT PRE S write.sh");

        assertThat(follow()).isEqualTo(new Ending(0, Status.OK, false));
        assertThat(lines("ran")).containsExactly("fzj 0");
    }

    @Test
    void aKilledRunGoesOnWithinTheSubDagAndNoJobRunsTwice() throws Exception {
        dag("SUBDAG EXTERNAL S inner.dag", "JOB B a.sub", "PARENT S CHILD B");
        Files.writeString(
                top.resolve("inner.dag"),
                "JOB X a.sub\nJOB Y a.sub\nJOB Z a.sub\n" + "PARENT X CHILD Y\nPARENT Y CHILD Z\n");
        int kills = 0;
        for (int at = 0; at < 5; at++) {
            slurm.killAt = slurm.submissions + 1;
            slurm.diesBefore = at % 2 == 0;
            try {
                follow();
            } catch (LocalSlurm.Killed e) {
                kills++;
            }
        }
        slurm.killAt = -1;
        if (!Files.exists(top.resolve(DagProgress.FINISHED_MARK))) {
            assertThat(follow().exit()).isZero();
        }
        assertThat(kills).isGreaterThan(2);
        assertThat(lines("ran")).containsExactly("X 0", "Y 0", "Z 0", "B 0");
    }

    @Test
    void otherNodesWaitUntilTheProvisionerSaysThatItIsReady() throws Exception {
        program("provide.sh", "echo provided >> ran\ncondor_chirp set_job_attr ProvisionerState 2\n");
        Files.writeString(top.resolve("p.sub"), "executable = provide.sh\nqueue\n");
        dag("JOB A a.sub", "PROVISIONER P p.sub");

        assertThat(follow()).isEqualTo(new Ending(0, Status.OK, false));
        assertThat(lines("ran")).containsExactly("provided", "A 0");
    }

    @Test
    void aProvisionerThatEndsUnreadyEndsTheDag() throws Exception {
        dag("JOB A a.sub", "PROVISIONER P a.sub");

        assertThat(follow()).isEqualTo(new Ending(1, Status.ERROR, false));
        assertThat(lines("ran")).containsExactly("P 0");
    }

    @Test
    void aCancelledRunRemovesItsJobsThoseOfSubDagsTooAndFinalRuns() throws Exception {
        dag("JOB A a.sub", "SUBDAG EXTERNAL S inner.dag", "JOB B a.sub", "FINAL END a.sub", "PARENT A CHILD B");
        Files.writeString(top.resolve("inner.dag"), "JOB X a.sub\nJOB Y a.sub\nPARENT X CHILD Y\n");
        slurm.neverRuns.addAll(List.of("B", "Y"));
        slurm.killAt = 4;
        assertThatThrownBy(this::follow).isInstanceOf(LocalSlurm.Killed.class);
        assertThat(slurm.queue).hasSize(2);

        DagmanRun.askToCancel(top);

        assertThat(follow()).isEqualTo(new Ending(0, Status.REMOVED, true));
        assertThat(slurm.queue).isEmpty();
        assertThat(lines("ran")).containsExactlyInAnyOrder("A 0", "X 0", "END 0");
        assertThat(Files.readString(top.resolve("x.dag.rescue001")))
                .contains("DONE A\n")
                .doesNotContain("DONE S");
        assertThat(Files.readString(top.resolve("inner.dag.rescue001"))).contains("DONE X\n");

        assertThat(top.resolve(DagProgress.FINISHED_MARK)).doesNotExist();
        slurm.neverRuns.clear();
        assertThat(follow()).isEqualTo(new Ending(0, Status.OK, false));
        assertThat(lines("ran")).hasSize(6).contains("B 0", "Y 0");
        assertThat(top.resolve(DagProgress.FINISHED_MARK)).exists();
    }

    private Ending follow() throws Exception {
        return follow(LocalSlurm.COMMANDS, Optional.empty());
    }

    private Ending follow(DagSlurmCommands commands, Optional<String> reservation) throws Exception {
        DagmanPlan plan = DagmanPlan.of(
                dag,
                Map.of("PATH", System.getenv("PATH"), "SiteName", "fzj"),
                DagmanPlan.Demands.NONE,
                Instant.parse("2026-01-05T08:00:00Z"));
        var run = new DagmanRun(plan, slurm, commands, reservation, RunOptions.DEFAULT, Clock.systemUTC());
        try {
            return run.toTheEnd(Duration.ofMillis(5));
        } finally {
            states = run.states();
        }
    }

    private void dag(String... lines) throws IOException {
        Files.write(dag, List.of(lines));
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(top.resolve(file));
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.writeString(top.resolve(name), "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
