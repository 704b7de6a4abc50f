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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.run.DagRun.Ending;
import org.metasched.dag.run.DagRun.Status;
import org.metasched.dag.run.RunOptions;
import org.metasched.dag.run.RunState;

class FollowedRunIT {

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
        assertThat(top.resolve(SlurmRun.MARK)).exists();
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
            } catch (Killed e) {
                kills++;
            }
        }
        slurm.killAt = -1;
        Ending ending = Files.exists(top.resolve(SlurmRun.MARK)) ? new Ending(0, Status.OK, false) : follow();

        assertThat(ending.exit()).isZero();
        assertThat(kills).isGreaterThan(40);
        assertThat(lines("ran")).hasSize(50).doesNotHaveDuplicates();
        assertThat(slurm.queue).isEmpty();
        System.out.println(kills + " kills, " + slurm.submissions + " submissions, "
                + lines("ran").size() + " jobs run");
    }

    @Test
    void aSubmissionThatFailsIsTriedAgain() throws Exception {
        dag("JOB A a.sub");
        slurm.refusals = 1;

        assertThat(follow().exit()).isZero();
        assertThat(lines("ran")).containsExactly("A 0");
    }

    @Test
    void whatItCannotDoIsRefusedBeforeAnythingRuns() throws Exception {
        dag("JOB A a.sub", "SUBDAG EXTERNAL S inner.dag");
        Files.writeString(top.resolve("inner.dag"), "JOB A a.sub\nSCRIPT HOLD A script.sh\n");

        assertThatThrownBy(this::follow)
                .isInstanceOf(UnsupportedBySlurmException.class)
                .hasMessageContaining("inner.dag:2");
        assertThat(slurm.submissions).isZero();
    }

    @Test
    void aDagThatRunsItselfIsRefused() throws Exception {
        dag("SUBDAG EXTERNAL S x.dag");

        assertThatThrownBy(this::follow)
                .isInstanceOf(UnsupportedBySlurmException.class)
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
            } catch (Killed e) {
                kills++;
            }
        }
        slurm.killAt = -1;
        if (!Files.exists(top.resolve(SlurmRun.MARK))) {
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
        assertThatThrownBy(this::follow).isInstanceOf(Killed.class);
        assertThat(slurm.queue).hasSize(2);

        FollowedRun.askToCancel(top);

        assertThat(follow()).isEqualTo(new Ending(0, Status.REMOVED, true));
        assertThat(slurm.queue).isEmpty();
        assertThat(lines("ran")).containsExactlyInAnyOrder("A 0", "X 0", "END 0");
        assertThat(Files.readString(top.resolve("x.dag.rescue001")))
                .contains("DONE A\n")
                .doesNotContain("DONE S");
        assertThat(Files.readString(top.resolve("inner.dag.rescue001"))).contains("DONE X\n");
    }

    private Ending follow() throws Exception {
        FollowedPlan plan = FollowedPlan.of(
                dag,
                Map.of("PATH", System.getenv("PATH"), "SiteName", "fzj"),
                Set.of(),
                Instant.parse("2026-01-05T08:00:00Z"));
        var run =
                new FollowedRun(plan, slurm, FakeSlurm.COMMANDS, Optional.empty(), RunOptions.USUAL, Clock.systemUTC());
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

    /** The process is gone. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Runs each job here, at once, when it is submitted; or keeps it in its queue, or loses it. */
    private static final class LocalSlurm implements SlurmClient {
        final Set<String> queue = new LinkedHashSet<>();
        final Set<String> neverRuns = new LinkedHashSet<>();
        final Set<String> loses = new LinkedHashSet<>();
        int submissions;
        int killAt = -1;
        boolean diesBefore;
        int refusals;

        @Override
        public String run(List<String> words) throws SlurmException {
            switch (words.get(0)) {
                case "sbatch":
                    return submitted(words);
                case "squeue":
                    return String.join("\n", queue) + "\n";
                default:
                    queue.remove(FakeSlurm.option(words, "--name="));
                    return "";
            }
        }

        private String submitted(List<String> words) throws SlurmException {
            submissions++;
            if (refusals-- > 0) {
                throw new SlurmException("sbatch: error: try later");
            }
            boolean dies = submissions == killAt;
            if (dies && diesBefore) {
                throw new Killed();
            }
            String name = FakeSlurm.option(words, "--job-name=");
            if (neverRuns.stream().anyMatch(node -> name.contains("-" + node + "."))) {
                queue.add(name);
            } else if (loses.stream().noneMatch(node -> name.contains("-" + node + "."))) {
                tasks(words);
            }
            if (dies) {
                throw new Killed();
            }
            return Integer.toString(100 + submissions);
        }

        private static void tasks(List<String> words) throws SlurmException {
            String array = FakeSlurm.option(words, "--array=0-");
            int procs = array.isEmpty() ? 1 : Integer.parseInt(array) + 1;
            try {
                for (int proc = 0; proc < procs; proc++) {
                    var builder = new ProcessBuilder("/bin/sh", words.get(words.size() - 1));
                    builder.environment().put("SLURM_ARRAY_TASK_ID", Integer.toString(proc));
                    builder.start().waitFor();
                }
            } catch (IOException e) {
                throw new SlurmException(String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
