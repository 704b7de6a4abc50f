package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.slurm.SlurmRun.Ending;

class SlurmSubmissionTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    private static final String DIAMOND = """
        JOB A node.sub
        JOB B node.sub
        JOB C node.sub
        JOB D node.sub
        PARENT A CHILD B C
        PARENT B C CHILD D
        """;

    @TempDir
    Path top;

    private final FakeSlurm slurm = new FakeSlurm();

    @BeforeEach
    void writeSubmitFile() throws IOException {
        Files.writeString(top.resolve("node.sub"), "executable = /bin/true\nqueue\n");
    }

    @Test
    void jobsWaitForTheirParentsAndNothingRunsBeforeTheLastIsSubmitted() throws Exception {
        SlurmPlan plan = plan(DIAMOND);

        var submitted = SlurmSubmission.submit(plan, slurm, FakeSlurm.COMMANDS, Optional.empty());

        assertThat(slurm.submissions.keySet()).containsExactly("metasched-start", "A", "B", "C", "D", "metasched-end");
        assertThat(slurm.submissions.get("metasched-start")).contains("--hold");
        assertThat(slurm.waitsFor("A")).isEqualTo("afterok:101");
        assertThat(slurm.waitsFor("B")).isEqualTo("afterok:102");
        assertThat(slurm.waitsFor("C")).isEqualTo("afterok:102");
        assertThat(slurm.waitsFor("D")).isEqualTo("afterok:103:104");
        assertThat(slurm.waitsFor("metasched-end")).isEqualTo("afterok:105");
        assertThat(slurm.submissions.get("D")).contains("--kill-on-invalid-dep=yes", "--parsable", "--chdir=" + top);
        assertThat(slurm.commands.get(slurm.commands.size() - 1)).containsExactly("scontrol", "release", "101");
        assertThat(submitted.jobs()).containsEntry("D", "105").hasSize(4);
        assertThat(submitted.last()).isEqualTo("106");
    }

    @Test
    void aSubmissionThatWasKilledIsTakenBackAndCanBeRepeated() throws Exception {
        SlurmPlan plan = plan(DIAMOND);
        slurm.killedAt = "C";
        assertThatThrownBy(() -> submit(plan)).hasMessage("killed");
        assertThat(slurm.queue).containsExactly("101", "102", "103");
        slurm.killedAt = "";
        var run = new SlurmRun(plan.dag(), slurm, FakeSlurm.COMMANDS);

        assertThat(run.endCutOffSubmission()).isTrue();
        assertThat(slurm.queue).isEmpty();
        submit(plan);

        assertThat(run.queued()).hasSize(6);
        assertThat(run.endCutOffSubmission()).isFalse();
        assertThat(run.queued()).hasSize(6);
    }

    @Test
    void everyChildOfAJoinWaitsForEveryParent() throws Exception {
        String text = "JOB A node.sub\nJOB B node.sub\nJOB C node.sub\nJOB D node.sub\nPARENT A B CHILD C D\n";

        submit(plan(text));

        assertThat(slurm.waitsFor("C")).isEqualTo("afterok:102:103");
        assertThat(slurm.waitsFor("D")).isEqualTo("afterok:102:103");
        assertThat(slurm.waitsFor("metasched-end")).isEqualTo("afterok:104:105");
    }

    @Test
    void aLongListOfParentsIsGatheredByJobsThatDoNothing() throws Exception {
        String names = IntStream.range(0, 450).mapToObj(i -> "N" + i).collect(Collectors.joining(" "));
        String jobs = names.lines()
                .flatMap(line -> java.util.Arrays.stream(line.split(" ")))
                .map(name -> "JOB " + name + " node.sub\n")
                .collect(Collectors.joining());

        submit(plan(jobs + "JOB Z node.sub\nPARENT " + names + " CHILD Z\n"));

        assertThat(slurm.waitsFor("Z").split(":")).hasSize(1 + 3);
        assertThat(slurm.commands.stream().flatMap(List::stream)).allMatch(word -> word.length() < 4096);
        assertThat(slurm.ran("sbatch").stream().filter(line -> line.contains("metasched-gather")))
                .hasSize(3);
    }

    @Test
    void nodesThatAreDoneAreLeftOutAndNobodyWaitsForThem() throws Exception {
        SlurmPlan plan = plan(DIAMOND + "DONE A\nDONE D\n");

        submit(plan);

        assertThat(slurm.submissions.keySet()).containsExactly("metasched-start", "B", "C", "metasched-end");
        assertThat(slurm.waitsFor("B")).isEqualTo("afterok:101");
        assertThat(slurm.waitsFor("metasched-end")).isEqualTo("afterok:102:103");
    }

    @Test
    void whatARescueFileNamesIsDone() throws Exception {
        Files.writeString(top.resolve("d.dag.rescue001"), "DONE B\n");
        Files.writeString(top.resolve("d.dag.rescue002"), "# Rescue DAG file\nDONE A\nDONE B\nRETRY C 2\n");

        SlurmPlan plan = plan(DIAMOND);

        assertThat(plan.done()).containsExactlyInAnyOrder("A", "B");
        assertThat(plan.running()).isEqualTo(2);
    }

    @Test
    void aRescueFileOfAnotherDagIsRefused() throws Exception {
        Files.writeString(top.resolve("d.dag.rescue001"), "DONE X\n");

        assertThatThrownBy(() -> plan(DIAMOND)).isInstanceOf(IOException.class).hasMessageContaining("(X)");
    }

    @Test
    void whenOneSubmissionFailsTheOthersAreCancelled() throws Exception {
        SlurmPlan plan = plan(DIAMOND);
        slurm.refusedName = "C";

        assertThatThrownBy(() -> submit(plan))
                .isInstanceOf(SlurmException.class)
                .hasMessageContaining("Batch job submission failed")
                .hasMessageContaining("3 jobs submitted before were cancelled");

        assertThat(slurm.queue).isEmpty();
        assertThat(slurm.ran("scancel")).containsExactly("scancel 101 102 103");
        assertThat(slurm.ran("scontrol")).isEmpty();
        assertThat(DagProgress.of(top, "d.dag")).isEqualTo(DagProgress.BOUND);
    }

    @Test
    void jobsThatCannotBeCancelledAreNamed() throws Exception {
        SlurmPlan plan = plan(DIAMOND);
        slurm.refusedName = "C";
        slurm.refusesToCancel = true;

        assertThatThrownBy(() -> submit(plan)).hasMessageContaining("could not be cancelled: 101 102 103");
    }

    @Test
    void anAnswerThatIsNoJobNumberEndsTheSubmission() throws Exception {
        SlurmPlan plan = plan(DIAMOND);

        assertThatThrownBy(() -> SlurmSubmission.submit(
                        plan, words -> "Submitted batch job", FakeSlurm.COMMANDS, Optional.empty()))
                .isInstanceOf(SlurmException.class)
                .hasMessageContaining("(Submitted batch job)");
    }

    @Test
    void resourcesAndTheReservationBecomeOptionsOfSbatch() throws Exception {
        Files.writeString(
                top.resolve("node.sub"),
                "executable = /bin/true\nrequest_cpus = 4\nrequest_memory = 2 GB\nrequest_gpus = 1\nqueue 2\n");
        SlurmPlan plan = plan("JOB A node.sub\n");
        var commands = SlurmCommands.of(List.of("sudo", "-u", "alice", "/opt/bin/sbatch", "--partition=x"));

        var shown = new java.util.ArrayList<List<String>>();
        SlurmSubmission.rehearse(
                plan,
                words -> {
                    shown.add(words);
                    return "7";
                },
                commands,
                Optional.of("agreement-1"));

        assertThat(shown.get(1))
                .startsWith("sudo", "-u", "alice", "/opt/bin/sbatch", "--partition=x", "--parsable")
                .contains("--cpus-per-task=4", "--mem=2048M", "--gres=gpu:1", "--reservation=agreement-1");
        assertThat(shown.get(shown.size() - 1))
                .containsExactly("sudo", "-u", "alice", "/opt/bin/scontrol", "release", "7");
        assertThat(top.resolve(RunFolder.NAME)).doesNotExist();
    }

    @Test
    void itIsOverWhenTheLastJobHasLeftItsMark() throws Exception {
        SlurmPlan plan = plan(DIAMOND);
        submit(plan);

        assertThat(DagProgress.of(top, "d.dag")).isEqualTo(DagProgress.RUNNING);
        Ending ending = run().await(plan, CLOCK, () -> touch(SlurmRun.MARK));

        assertThat(ending).isInstanceOf(Ending.Finished.class);
        assertThat(DagProgress.of(top, "d.dag")).isEqualTo(DagProgress.FINISHED);
    }

    @Test
    void aStoppedRunLeavesARescueFileFromWhichTheNextGoesOn() throws Exception {
        SlurmPlan plan = plan(DIAMOND);
        submit(plan);
        touch(RunFolder.NAME + "/done/000001-A");
        touch(RunFolder.NAME + "/done/000002-B");
        touch(RunFolder.NAME + "/failed/000003-C");

        Ending ending = run().await(plan, CLOCK, slurm.queue::clear);

        assertThat(ending).isInstanceOfSatisfying(Ending.Stopped.class, stopped -> {
            assertThat(stopped.failed()).containsExactly("C");
            assertThat(stopped.done()).containsExactly("A", "B");
            assertThat(stopped.rescue())
                    .hasFileName("d.dag.rescue001")
                    .content()
                    .contains("DONE A\nDONE B\n");
        });
        assertThat(plan(DIAMOND).running()).isEqualTo(2);
        assertThat(DagProgress.of(top, "d.dag")).isEqualTo(DagProgress.STOPPED);
    }

    @Test
    void aNodeThatEndedWithoutAWordHasFailed() throws Exception {
        SlurmPlan plan = plan(DIAMOND);
        submit(plan);
        touch(RunFolder.NAME + "/done/000001-A");
        touch(RunFolder.NAME + "/done/000002-B");

        Ending ending = run().await(plan, CLOCK, slurm.queue::clear);

        assertThat(ending)
                .isInstanceOfSatisfying(
                        Ending.Stopped.class,
                        stopped -> assertThat(stopped.failed()).containsExactly("C"));
    }

    @Test
    void aSlurmThatIsSilentForAMomentIsAskedAgain() throws Exception {
        SlurmPlan plan = plan("JOB A node.sub\n");
        submit(plan);
        slurm.silentLooks = 3;
        touch(RunFolder.NAME + "/done/000001-A");

        Ending ending = run().await(plan, CLOCK, slurm.queue::clear);

        assertThat(ending).isInstanceOf(Ending.Finished.class);
        assertThat(top.resolve(SlurmRun.MARK)).exists();
    }

    @Test
    void whatARunDidThatNobodyWaitedForIsWrittenDownBeforeTheNext() throws Exception {
        submit(plan(DIAMOND));
        touch(RunFolder.NAME + "/done/000001-A");
        assertThat(run().queued()).hasSize(6);
        slurm.queue.clear();

        Optional<Path> rescue = run().rescueEarlierRun(CLOCK);

        assertThat(rescue).isPresent();
        assertThat(plan(DIAMOND).done()).containsExactly("A");
        assertThat(run().rescueEarlierRun(CLOCK)).isEmpty();
    }

    @Test
    void twoProcessesDoNotSubmitOneDagAtATime() throws Exception {
        plan(DIAMOND);
        try (var lock = run().lock()) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(() -> run().lock()).hasMessageContaining("another process");
        }
    }

    private SlurmPlan plan(String text) throws IOException, UnsupportedBySlurmException {
        Path dag = Files.writeString(top.resolve("d.dag"), text);
        return SlurmPlan.of(dag, Map.of(), Set.of(), NOW);
    }

    private void submit(SlurmPlan plan) throws IOException {
        SlurmSubmission.submit(plan, slurm, FakeSlurm.COMMANDS, Optional.empty());
    }

    private SlurmRun run() {
        return new SlurmRun(top.resolve("d.dag"), slurm, FakeSlurm.COMMANDS);
    }

    private void touch(String name) {
        try {
            Files.writeString(top.resolve(name), "");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
