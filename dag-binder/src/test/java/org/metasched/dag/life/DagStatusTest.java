package org.metasched.dag.life;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.run.RunState;
import org.metasched.dag.slurm.DagSlurmCommands;

class DagStatusTest {

    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    @TempDir
    private Path top;

    private final StringBuilder log = new StringBuilder();

    @BeforeEach
    void bind() throws IOException {
        Files.writeString(
                top.resolve("metasched-binding.json"),
                "{\"Format\":1,\"Dag\":\"x.dag\",\"Directory\":\"/\",\"JobAd\":\"\",\"Site\":\"fzj\",\"Rank\":0.0}");
        Files.writeString(top.resolve("a.sub"), "executable = /bin/true\nqueue\n");
        dag("JOB A a.sub", "JOB B a.sub", "JOB C a.sub", "JOB D a.sub", "PARENT A CHILD B C", "PARENT B C CHILD D");
    }

    @Test
    void aDagThatWasNeverRunIsBoundAndItsFreeNodesAreReady() throws Exception {
        DagStatus status = look();

        assertThat(status.word()).isEqualTo("bound");
        assertThat(status.way()).isEqualTo(DagStatus.Way.NONE);
        assertThat(status.states()).containsEntry("A", RunState.READY).containsEntry("D", RunState.NOT_READY);
        assertThat(status.expectedEnd()).isEmpty();
    }

    @Test
    void condorsLogSaysHowFarEachNodeIsAndThePaceWhenItMayEnd() throws Exception {
        Files.setLastModifiedTime(
                Files.writeString(top.resolve("x.dag.lock"), ""), FileTime.from(NOW.minusSeconds(600)));
        submitted(1, "A");
        terminated(1, 0);
        submitted(2, "B");
        submitted(3, "C");
        terminated(3, 1);
        log();

        DagStatus status = look();

        assertThat(status.way()).isEqualTo(DagStatus.Way.CONDOR);
        assertThat(status.progress()).isEqualTo(DagProgress.RUNNING);
        assertThat(status.states())
                .containsEntry("A", RunState.DONE)
                .containsEntry("B", RunState.SUBMITTED)
                .containsEntry("C", RunState.ERROR)
                .containsEntry("D", RunState.FUTILE);
        assertThat(status.expectedEnd()).contains(NOW.plusSeconds(600));
    }

    @Test
    void aFailedAttemptWithARetryLeftIsNoEnd() throws Exception {
        dag("JOB A a.sub", "RETRY A 1", "JOB B a.sub", "SCRIPT POST B x.sh");
        Files.writeString(top.resolve("x.dag.lock"), "");
        submitted(1, "A");
        terminated(1, 1);
        submitted(2, "B");
        terminated(2, 1);
        log();
        assertThat(look().states()).containsEntry("A", RunState.READY).containsEntry("B", RunState.POSTRUN);

        submitted(3, "A");
        terminated(3, 1);
        log.append("016 (002.000.000) 2026-01-05 09:59:00 POST Script terminated.\n"
                + "\t(1) Normal termination (return value 0)\n    DAG Node: B\n...\n");
        log();
        assertThat(look().states()).containsEntry("A", RunState.ERROR).containsEntry("B", RunState.DONE);
    }

    @Test
    void aNodeMayHaveABlankInItsName() throws Exception {
        dag("JOB \"A B\" a.sub", "JOB C a.sub");
        Files.writeString(top.resolve("x.dag.lock"), "");
        submitted(1, "\"A B\"");
        log();

        assertThat(look().states()).containsEntry("\"A B\"", RunState.SUBMITTED);
    }

    @Test
    void aNodeWhoseFailuresAreToleratedIsDoneAndSoIsOneThatItsPreScriptSkips() throws Exception {
        dag("JOB A a.sub", "TOLERANCE A 50%", "JOB B a.sub", "TOLERANCE B 1", "JOB C a.sub", "PRE_SKIP C 3");
        Files.writeString(top.resolve("x.dag.lock"), "");
        proc(1, 0, "A");
        proc(1, 1, "A");
        proc(2, 0, "B");
        proc(2, 1, "B");
        terminated(1, 0, 1);
        terminated(1, 1, 0);
        terminated(2, 0, 1);
        terminated(2, 1, 1);
        log.append("034 (000.000.000) 2026-01-05 09:50:00 PRE script return value is PRE_SKIP value\n"
                + "    DAG Node: C\n...\n");
        log();

        assertThat(look().states())
                .containsEntry("A", RunState.DONE)
                .containsEntry("B", RunState.ERROR)
                .containsEntry("C", RunState.DONE);
    }

    @Test
    void theRescueFileCountsAndNothingIsUnderWayOnceDagmanHasGone() throws Exception {
        Files.writeString(top.resolve("x.dag.metrics"), "{\"exitcode\": 1}");
        Files.writeString(top.resolve("x.dag.rescue001"), "DONE A\nDONE B\n");
        submitted(7, "C");
        log();

        DagStatus status = look();

        assertThat(status.word()).isEqualTo("stopped");
        assertThat(status.states()).containsEntry("B", RunState.DONE).containsEntry("C", RunState.READY);
        assertThat(status.rescue()).contains(top.resolve("x.dag.rescue001"));
    }

    /** The files of each run stay for the next one, which another program may do. */
    @Test
    void theLastRunCountsWhateverTheEarlierOnesLeft() throws Exception {
        written("x.dag.metrics", "{\"exitcode\": 1}", 900);
        written("x.dag.dagman.out", "", 900);
        assertThat(look().way()).isEqualTo(DagStatus.Way.CONDOR);
        Path slurms = Files.createDirectory(top.resolve(".metasched-slurm"));
        written(".metasched-slurm/journal", "", 600);

        assertThat(DagProgress.of(top, "x.dag")).isEqualTo(DagProgress.RUNNING);
        assertThat(look().way()).isNotEqualTo(DagStatus.Way.CONDOR);

        Files.move(slurms.resolve("journal"), slurms.resolve("journal.ended"));
        assertThat(DagProgress.of(top, "x.dag")).isEqualTo(DagProgress.STOPPED);
        assertThat(DagProgress.stoppedSince(top, "x.dag")).contains(NOW.minusSeconds(600));
        assertThat(look().way()).isNotEqualTo(DagStatus.Way.CONDOR);

        written("x.dag.metrics", "{\"exitcode\": 2}", 300);
        assertThat(look().way()).isEqualTo(DagStatus.Way.CONDOR);
        assertThat(DagProgress.stoppedSince(top, "x.dag")).contains(NOW.minusSeconds(300));
    }

    /** FINAL may succeed in a DAG that was removed (4) or halted (6). */
    @ParameterizedTest
    @CsvSource({"0,FINISHED", "2,FINISHED", "4,STOPPED", "6,STOPPED"})
    void aRemovedOrHaltedDagIsNotFinishedThoughItsFinalSucceeded(int status, DagProgress progress) throws Exception {
        Files.writeString(top.resolve("x.dag.metrics"), "{\n\"exitcode\": 0,\n\"DagStatus\": " + status + "\n}\n");

        assertThat(DagProgress.of(top, "x.dag")).isEqualTo(progress);
    }

    private void written(String name, String text, long secondsAgo) throws IOException {
        Path file = Files.writeString(top.resolve(name), text);
        Files.setLastModifiedTime(file, FileTime.from(NOW.minusSeconds(secondsAgo)));
    }

    @Test
    void aFailureWithoutAnEventOfAJobStandsInTheRescueFile() throws Exception {
        Files.writeString(top.resolve("x.dag.metrics"), "{\"exitcode\": 1}");
        Files.writeString(
                top.resolve("x.dag.rescue001"),
                "# Nodes premarked DONE: 1\n# Nodes that failed: 2\n#   B,C,<ENDLIST>\n\nDONE A\n");
        log();

        DagStatus status = look();

        assertThat(status.states())
                .containsEntry("A", RunState.DONE)
                .containsEntry("B", RunState.ERROR)
                .containsEntry("C", RunState.ERROR)
                .containsEntry("D", RunState.FUTILE);
    }

    @Test
    void thePictureHasALineForEachLevel() throws Exception {
        Files.writeString(top.resolve("x.dag.metrics"), "{\"exitcode\": 1}");
        Files.writeString(top.resolve("x.dag.rescue001"), "DONE A\nDONE B\n");
        DagStatus status = look();
        var picture = new DagPicture(status.dag(), "fzj", status.states());

        assertThat(picture.text(80)).containsExactly("✓ A", "✓ B   ○ C", "· D");
        assertThat(picture.text(4)).containsExactly("✓ A", "2 nodes: 1 ○   1 ✓", "· D");
        var svg = new StringBuilder();
        picture.writeSvg(svg);
        assertThat(svg).contains("<title>C: READY</title>").contains("fill=\"#8ce99a\"");
    }

    @Test
    void aDirectoryWithoutABoundDagIsNamed() {
        assertThatThrownBy(() ->
                        DagStatus.of(top.resolve("none"), words -> "", DagSlurmCommands.of(List.of("sbatch")), NOW))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("holds no bound DAG");
    }

    private void submitted(int cluster, String node) {
        proc(cluster, 0, node);
        log.append("001 " + id(cluster, 0) + "2026-01-05 09:50:10 Job executing on host: <127.0.0.1:2>\n...\n");
    }

    private void proc(int cluster, int proc, String node) {
        log.append("000 " + id(cluster, proc) + "2026-01-05 09:50:00 Job submitted from host: <127.0.0.1:1>\n"
                + "    DAG Node: " + node + "\n...\n");
    }

    private void terminated(int cluster, int code) {
        terminated(cluster, 0, code);
    }

    private void terminated(int cluster, int proc, int code) {
        log.append("005 " + id(cluster, proc)
                + "2026-01-05 09:55:00 Job terminated.\n\t(1) Normal termination (return value " + code
                + ")\n\t\tUsr 0 00:00:00, Sys 0 00:00:00  -  Run Remote Usage\n...\n");
    }

    private static String id(int cluster, int proc) {
        return "(00" + cluster + ".00" + proc + ".000) ";
    }

    private void log() throws IOException {
        // The last event is still being written.
        Files.writeString(top.resolve("x.dag.nodes.log"), log + "005 (002.000.000) 2026-01-05 09:5");
    }

    private DagStatus look() throws IOException {
        return DagStatus.of(top, words -> "", DagSlurmCommands.of(List.of("sbatch")), NOW);
    }

    private void dag(String... lines) throws IOException {
        Files.write(top.resolve("x.dag"), List.of(lines));
    }
}
