package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.it.CliProcess.Ended;

/**
 * The life of a DAG on the command line, each command a process of its own, over a stand-in of Slurm's commands in which jobs run when
 * the queue is looked at. {@code -Dmetasched.kills=1} kills at each submission instead of each tenth.
 */
@Tag("full")
class DagLifeIT {

    private static final int NODES = 50;

    @TempDir
    private Path folder;

    private Path bin;
    private Path bound;

    @BeforeEach
    void standIn() throws IOException {
        bin = Files.createDirectory(folder.resolve("bin"));
        bound = folder.resolve("bound");
        SlurmStandIn.install(bin);
    }

    @Test
    void killedAtSubmissionsOfFiftyNodesOneCommandFinishesItAndNothingIsLeft() throws Exception {
        bind(tree());
        String every = System.getProperty("metasched.kills", "10");
        Files.writeString(bin.resolve("every"), every);
        int kills = 0;
        Ended run = cli("dag", "run", bound.toString(), "--follow", "--poll", "1", "--sbatch", bin + "/sbatch");
        while (run.exit() == 137) {
            kills++;
            if (kills == 1) {
                assertThat(json(cli("dag", "status", bound.toString(), "--json"))
                                .path("state")
                                .asText())
                        .isEqualTo("interrupted");
                assertThat(cli("dag", "wait", bound.toString(), "--poll", "1").exit())
                        .isOne();
            }
            run = cli("dag", "resume", bound.toString());
        }

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(kills).isGreaterThanOrEqualTo(NODES / Integer.parseInt(every) - 1);
        assertThat(Files.readAllLines(folder.resolve("ran"))).hasSize(NODES).doesNotHaveDuplicates();
        assertThat(queue()).isEmpty();
        assertThat(cli("dag", "wait", bound.toString()).exit()).isZero();
        assertThat(cli("dag", "list", folder.toString()).out())
                .contains("finished")
                .contains("50");
        assertThat(cli("dag", "resume", bound.toString()).exit()).isOne();
        System.out.println(kills + " kills of a DAG of " + NODES + " nodes");
    }

    @Test
    void aRunnerThatIsKilledOverAndOverIsSubmittedAgainAndNoJobRunsTwice() throws Exception {
        bind(tree());
        Files.writeString(bin.resolve("every"), System.getProperty("metasched.kills", "10"));
        int kills = 0;
        Ended run = run("--wait");
        while (run.exit() != 0) {
            kills++;
            assertThat(kills).as(run.err()).isLessThan(NODES);
            // The command may have been killed and not the runner that it submitted.
            run = cli("dag", "wait", bound.toString(), "--poll", "1");
            if (run.exit() != 0) {
                run = cli("dag", "resume", bound.toString(), "--wait");
            }
        }

        assertThat(kills).isPositive();
        assertThat(Files.readAllLines(folder.resolve("ran"))).hasSize(NODES).doesNotHaveDuplicates();
        Awaitility.await().until(() -> queue().isEmpty());
        JsonNode status = json(cli("dag", "status", bound.toString(), "--json"));
        assertThat(status.path("state").asText()).isEqualTo("finished");
        assertThat(status.path("way").asText()).isEqualTo("slurm");
        System.out.println(kills + " kills of the runner of a DAG of " + NODES + " nodes");
    }

    @Test
    void killedWhileItSubmitsTheRunnerOneCommandFinishesItAndNothingIsLeft() throws Exception {
        bind(List.of("JOB A a.sub", "JOB B a.sub", "PARENT A CHILD B"));
        Files.writeString(bin.resolve("every"), "1");
        assertThat(run().exit()).isEqualTo(137);
        assertThat(queue()).isEmpty();
        assertThat(state()).isEqualTo("interrupted");
        Files.writeString(bin.resolve("full"), "");
        assertThat(cli("dag", "resume", bound.toString()).exit()).isEqualTo(137);
        assertThat(queue()).hasSize(1);
        assertThat(state()).isEqualTo("running");
        Files.delete(bin.resolve("every"));
        Files.delete(bin.resolve("full"));
        Ended second = run();
        assertThat(second.exit()).isOne();
        assertThat(second.err()).contains("is under way");
        assertThat(cli("dag", "run", bound.toString(), "--follow", "--sbatch", bin + "/sbatch")
                        .exit())
                .isOne();

        assertThat(cli("dag", "cancel", bound.toString()).exit()).isZero();

        assertThat(queue()).isEmpty();
        assertThat(state()).isEqualTo("bound");
        Ended run = cli("dag", "resume", bound.toString(), "--wait");
        assertThat(run.exit()).as(run.err()).isZero();
        Awaitility.await().until(() -> queue().isEmpty());
        assertThat(Files.readAllLines(folder.resolve("ran"))).containsExactly("A", "B");
    }

    @Test
    void aRunnerThatIsTakenOutOfTheQueueLeavesADagThatGoesOnAndOneWithoutItsLauncherSaysSo() throws Exception {
        bind(List.of("JOB A a.sub", "JOB B a.sub", "PARENT A CHILD B"));
        Ended lost = cli(
                "dag", "run", bound.toString(), "--sbatch", bin + "/sbatch", "--launcher", folder + "/none", "--wait");
        assertThat(lost.exit()).as(lost.err()).isOne();
        assertThat(lost.err()).contains("The program (" + folder + "/none) is not on the machine ");
        Ended status = cli("dag", "status", bound.toString());
        assertThat(status.out()).contains("interrupted").contains("none) is not on the machine ");

        Files.writeString(bin.resolve("stuck"), "");
        assertThat(run().exit()).isZero();
        awaitSubmitted("A");
        String name = Files.readString(bound.resolve(".metasched-slurm/runner")).strip();
        stopTheRunner();
        assertThat(cli("dag", "cancel", bound.toString(), "--patience", "0").exit())
                .isEqualTo(3);
        new ProcessBuilder(bin + "/scancel", "--name=" + name).start().waitFor();
        assertThat(state()).isEqualTo("interrupted");
        assertThat(cli("dag", "wait", bound.toString(), "--poll", "1").exit()).isOne();
        assertThat(cli("dag", "cancel", bound.toString()).exit()).isZero();
        assertThat(queue()).isEmpty();
        assertThat(state()).isEqualTo("stopped");
        Files.delete(bin.resolve("stuck"));

        Ended run = cli("dag", "resume", bound.toString(), "--wait", "--json");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(json(run).path("state").asText()).isEqualTo("finished");
        assertThat(json(run).path("jobs")).hasSize(2);
        assertThat(json(run).path("lastJob").asText()).isNotEmpty();
        assertThat(Files.readAllLines(folder.resolve("ran"))).containsExactly("A", "B");
    }

    @Test
    void aCancelledDagGivesItsMatchBackAndTakesItAgainWhenItGoesOn() throws Exception {
        bind(List.of("JOB A a.sub", "JOB B a.sub", "PARENT A CHILD B"));
        Files.writeString(bin.resolve("stuck"), "");
        assertThat(run().exit()).isZero();
        awaitSubmitted("A");
        JsonNode status = json(cli("dag", "status", bound.toString(), "--json", "--svg", folder + "/x.svg"));
        assertThat(status.path("state").asText()).isEqualTo("running");
        assertThat(status.path("way").asText()).isEqualTo("slurm");
        assertThat(status.path("jobs").path("A").asText()).isEqualTo("2");
        assertThat(Files.readString(folder.resolve("x.svg"))).contains("A: SUBMITTED");
        assertThat(bind(folder.resolve("second")).exit()).isOne();

        Ended cancelled = cli("dag", "cancel", bound.toString());

        assertThat(cancelled.exit()).as(cancelled.err()).isZero();
        Awaitility.await().until(() -> queue().isEmpty());
        assertThat(bind(folder.resolve("second")).exit()).isZero();
        Files.delete(bin.resolve("stuck"));
        Ended full = cli("dag", "resume", bound.toString(), "--wait");
        assertThat(full.exit()).isOne();
        assertThat(full.err()).contains("its site has none to give now");
        assertThat(cli("dag", "release", folder.resolve("second").toString()).exit())
                .isZero();
        Ended resumed = cli("dag", "resume", bound.toString(), "--wait");
        assertThat(resumed.exit()).as(resumed.err()).isZero();
        assertThat(cli("dag", "cancel", bound.toString()).exit()).isOne();
    }

    @Test
    void whatWouldBeDoneIsShownAndNothingIsWritten() throws Exception {
        bind(List.of("JOB A a.sub", "FINAL F a.sub"));

        Ended shown = run("--dry-run", "--json", "--runner=--time=2-0,--mem=1G");

        assertThat(shown.exit()).as(shown.err()).isZero();
        assertThat(json(shown).path("state").asText()).isEqualTo("planned");
        assertThat(json(shown).path("submitted").asInt()).isEqualTo(2);
        assertThat(json(shown).path("commands").get(0).asText())
                .contains("/sbatch --parsable --job-name=metasched-dag-")
                .contains(" --requeue ")
                .contains(" --time=2-0 --mem=1G ");
        assertThat(bound.resolve(".metasched-slurm")).doesNotExist();
        Ended nowhere = cli("dag", "run", bound.toString(), "--sbatch", bin + "/sbatch");
        assertThat(nowhere.exit()).isEqualTo(2);
        assertThat(nowhere.err()).contains("--launcher").contains("--follow");
    }

    private Ended run(String... options) throws Exception {
        var words = new ArrayList<>(List.of("dag", "run", bound.toString(), "--poll", "1", "--sbatch"));
        words.addAll(List.of(
                bin + "/sbatch", "--launcher", CliProcess.launcher(folder).toString()));
        words.addAll(List.of(options));
        return cli(words.toArray(String[]::new));
    }

    private String state() throws Exception {
        return json(cli("dag", "status", bound.toString(), "--json"))
                .path("state")
                .asText();
    }

    private void awaitSubmitted(String node) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(2))
                .until(() -> json(cli("dag", "status", bound.toString(), "--json"))
                        .path("states")
                        .path(node)
                        .asText()
                        .equals("SUBMITTED"));
    }

    /** Keeps the runner from hearing what it is asked; not while one of its commands has the lock of the stand-in. */
    private void stopTheRunner() throws Exception {
        try (Stream<Path> jobs = Files.list(bin.resolve("jobs"))) {
            Path runs = jobs.map(job -> job.resolve("runs"))
                    .filter(Files::exists)
                    .findFirst()
                    .orElseThrow();
            String group = "-" + Files.readString(runs).strip();
            Process stop = new ProcessBuilder("flock", bin + "/lock", "kill", "-STOP", "--", group).start();
            assertThat(stop.waitFor()).isZero();
        }
    }

    @Test
    void aDagOfCondorsIsCancelledByItsJobAndKeepsItsMatchWhileItHasItsLock() throws Exception {
        bind(List.of("JOB A a.sub"));
        Files.writeString(bound.resolve("x.dag.lock"), "");
        Files.writeString(
                bound.resolve("x.dag.dagman.log"),
                "000 (041.000.000) 2026-01-05 09:50:00 Job submitted from host: <127.0.0.1:1>\n...\n");
        SlurmStandIn.script(bin.resolve("condor_rm"), "echo \"$@\" > \"$here/removed\"\n");

        Ended patient = cli("dag", "cancel", bound.toString(), "--patience", "0");

        assertThat(patient.exit()).isEqualTo(3);
        assertThat(bind(folder.resolve("second")).exit()).isOne();
        assertThat(bin.resolve("removed")).hasContent("041");
        SlurmStandIn.script(bin.resolve("condor_rm"), "rm " + bound + "/x.dag.lock\n");
        assertThat(cli("dag", "cancel", bound.toString()).exit()).isZero();
        assertThat(bind(folder.resolve("second")).exit()).isZero();
    }

    private static List<String> tree() {
        var lines = new ArrayList<String>();
        for (int i = 0; i < NODES; i++) {
            lines.add("JOB N" + i + " a.sub");
            if (i > 0) {
                lines.add("PARENT N" + (i - 1) / 2 + " CHILD N" + i);
            }
        }
        return lines;
    }

    private List<String> queue() throws IOException {
        Path jobs = bin.resolve("jobs");
        if (!Files.isDirectory(jobs)) {
            return List.of();
        }
        try (Stream<Path> left = Files.list(jobs)) {
            return left.map(Path::toString).toList();
        }
    }

    private void bind(List<String> dag) throws Exception {
        Path generic = Files.createDirectory(folder.resolve("generic"));
        Files.write(generic.resolve("x.dag"), dag);
        Path run = Files.writeString(generic.resolve("run.sh"), "#!/bin/sh\necho \"$1\" >> " + folder + "/ran\n");
        assertThat(run.toFile().setExecutable(true)).isTrue();
        Files.writeString(generic.resolve("a.sub"), "executable = run.sh\narguments = $(JOB)\nqueue\n");
        Ended ended = bind(bound);
        assertThat(ended.exit()).as(ended.err()).isZero();
    }

    /** The site gives one match. */
    private Ended bind(Path out) throws Exception {
        Path ad = Files.writeString(
                folder.resolve("site.ad"),
                "MyType = \"Machine\"\nName = \"one\"\nCurMatches = 0\nMaxMatches = 1\n"
                        + "Requirements = CurMatches < MaxMatches\n");
        return cli(
                "dag",
                "bind",
                folder + "/generic/x.dag",
                "--sites",
                ad.toString(),
                "--ledger",
                folder + "/matches",
                "--out",
                out.toString());
    }

    private Ended cli(String... words) throws Exception {
        return CliProcess.run(folder, Map.of("PATH", bin + ":" + System.getenv("PATH")), words);
    }

    private static JsonNode json(Ended ended) throws IOException {
        return new ObjectMapper().readTree(ended.out());
    }
}
