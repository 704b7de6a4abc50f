package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.binding.DagProgress;

class RunnerJobTest {

    @TempDir
    private Path temp;

    private Path top;
    private Path launcher;
    private final List<List<String>> commands = new ArrayList<>();
    private String queue = "";
    private String answer = "42\n";
    private RunnerJob job;

    @BeforeEach
    void writeLauncher() throws IOException {
        top = Files.createDirectories(temp.resolve("it's $(touch pwned) %j"));
        Files.createDirectories(top.resolve(RunFolder.NAME));
        launcher = Files.writeString(
                temp.resolve("meta=sched"),
                "#!/bin/sh\n{ for word; do echo \"[$word]\"; done; echo \"$SITE $METASCHED_OPTS $METASCHED_JAVA\"; } > "
                        + temp.resolve("told") + "\n[ -e " + temp.resolve("stays") + " ] || exit 7\nexec sleep 60\n");
        assertThat(launcher.toFile().setExecutable(true)).isTrue();
        job = new RunnerJob(top, this::slurm, DagSlurmCommands.of(List.of("sbatch", "--partition=x")));
    }

    private String slurm(List<String> words) throws SlurmException {
        commands.add(List.copyOf(words));
        if (words.get(0).endsWith("sbatch") && answer.isEmpty()) {
            throw new SlurmException("sbatch: error: Batch job submission failed");
        }
        return words.get(0).endsWith("sbatch") ? answer : queue;
    }

    @Test
    void itIsOneJobThatMayStartAgainAndIsFoundByItsName() throws Exception {
        assertThat(submit("--mem=1G")).isEqualTo("42");

        String name = job.name().orElseThrow();
        assertThat(commands.get(0))
                .startsWith("sbatch", "--partition=x", "--parsable", "--job-name=" + name, "--chdir=" + top)
                .containsSubsequence("--output=.metasched-slurm/runner.log", "--requeue", "--mem=400M", "--mem=1G");
        assertThat(DagProgress.of(top, "x.dag")).isEqualTo(DagProgress.RUNNING);
        queue = "42 PENDING\n";
        assertThat(job.queued()).contains("42");
        assertThat(job.isPending()).isTrue();
        assertThat(commands.get(commands.size() - 1)).contains("--name=" + name);
        queue = "42 COMPLETING\n";
        assertThat(job.queued()).isEmpty();

        RunnerJob.end(top);
        assertThat(job.name()).isEmpty();
        assertThat(job.wasUsed()).isTrue();
    }

    @Test
    void aJobThatSlurmDoesNotTakeLeavesTheDagBound() throws Exception {
        answer = "";
        assertThatThrownBy(this::submit).isInstanceOf(SlurmException.class).hasMessageContaining("submission failed");
        answer = "Submitted batch job";
        assertThatThrownBy(this::submit)
                .isInstanceOf(SlurmException.class)
                .hasMessageContaining("(Submitted batch job)");

        assertThat(DagProgress.of(top, "x.dag")).isEqualTo(DagProgress.BOUND);
    }

    @Test
    void theLauncherIsToldAllWordsAsTheyAreAndItsExitCodeIsThatOfTheJob() throws Exception {
        submit();

        assertThat(run().waitFor()).isEqualTo(7);

        assertThat(Files.readAllLines(temp.resolve("told")))
                .containsExactly(
                        "[dag]",
                        "[run]",
                        "[--follow]",
                        "[--sbatch=sbatch,--x='$y z']",
                        "[--as-runner=" + job.name().orElseThrow() + "]",
                        "[" + top + "]",
                        "fz'j -Xmx300m " + Path.of(System.getProperty("java.home"), "bin", "java"));
        assertThat(temp.resolve("pwned")).doesNotExist();
    }

    @Test
    void aMissingLauncherIsSaidWithTheNameOfTheMachine() throws Exception {
        submit();
        Files.delete(launcher);

        assertThat(run().waitFor()).isEqualTo(3);

        assertThat(job.lastOutput().orElseThrow())
                .contains("The program (" + launcher + ") is not on the machine ")
                .contains("--launcher");
    }

    @Test
    void whenItsHoursAreOverItEndsTheRunnerAndPutsItselfInTheQueueAgain() throws Exception {
        Files.writeString(temp.resolve("stays"), "");
        Path scontrol = Files.writeString(temp.resolve("scontrol"), "#!/bin/sh\necho \"$@\" > " + temp + "/requeued\n");
        assertThat(scontrol.toFile().setExecutable(true)).isTrue();
        job = new RunnerJob(top, this::slurm, DagSlurmCommands.of(List.of(temp + "/sbatch")));
        submit();
        Process shell = run();
        while (!Files.exists(temp.resolve("told"))) {
            TimeUnit.MILLISECONDS.sleep(10);
        }

        new ProcessBuilder("sh", "-c", "kill -USR1 " + shell.pid()).start().waitFor();

        assertThat(shell.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(temp.resolve("requeued")).hasContent("requeue 42");
    }

    @Test
    void twoProcessesDoNotWorkOnOneDagAtATime() throws Exception {
        try (Closeable lock = job.folder().lock(Duration.ZERO)) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(() -> job.folder().lock(Duration.ZERO)).hasMessageContaining("nother process");
        }
    }

    private String submit(String... options) throws IOException {
        return job.submit(new RunnerJob.Program(
                launcher,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                List.of("--sbatch=sbatch,--x='$y z'"),
                Map.of("PATH", System.getenv("PATH"), "SITE", "fz'j"),
                List.of(options)));
    }

    /** The job as Slurm runs it. */
    private Process run() throws IOException {
        var builder = new ProcessBuilder("/bin/sh", top.resolve(RunFolder.NAME) + "/runner.sh")
                .directory(top.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        top.resolve(RunFolder.NAME).resolve("runner.log").toFile());
        builder.environment().put("SLURM_JOB_ID", "42");
        return builder.start();
    }
}
