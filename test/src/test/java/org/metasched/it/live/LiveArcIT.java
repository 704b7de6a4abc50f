package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.CliProcess;
import org.metasched.it.CliProcess.Ended;

/** The paper of 2003, live: nodes of bound DAGs run at two ARC computing elements, by the grid universe of a condor that has no slot. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("arc")
class LiveArcIT {

    private static final Path ROOT =
            Path.of(System.getProperty("metasched.root", "..")).toAbsolutePath().normalize();

    private final LiveSite live = LiveSite.named("arc");

    @TempDir
    private Path folder;

    @AfterEach
    void anEmptyQueue() throws Exception {
        live.command(tool("condor_rm"), "-all");
    }

    @LiveTest
    void theExampleOfThePaperIsPlayedToItsEnd() throws Exception {
        Path out = folder.resolve("said.txt");
        var example = new ProcessBuilder(
                        "sh", ROOT.resolve("examples/uscms-dag/live.sh").toString())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        example.environment().put("METASCHED", CliProcess.launcher(folder).toString());
        Process process = example.start();
        boolean ended = process.waitFor(20, TimeUnit.MINUTES);
        process.destroy();

        String said = Files.readString(out);
        assertThat(ended).as(said).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said)
                .contains(
                        "generate one: 2500 events at birch",
                        "simulate one: 2500 events at birch",
                        "Detected Down Grid Resource",
                        "two moved from alder to birch",
                        "simulate two: 2500 events at birch",
                        "simulate three: 2500 events at birch")
                .doesNotContain("events at alder");
        assertThat(said.substring(said.indexOf("== In the end")))
                .contains("0 are held")
                .doesNotContain("bound/");
    }

    @LiveTest
    void aNodeThatFailedAtItsSiteRunsAgainFromTheRescueFile() throws Exception {
        Path work = Files.createTempDirectory(live.folder().resolve("work"), "it");
        for (String file : List.of("group.dag", "step.sub", "step.sh")) {
            Files.copy(ROOT.resolve("examples/uscms-dag/live").resolve(file), work.resolve(file));
        }
        String group = work.getFileName() + "/one";
        Files.writeString(
                work.resolve("group.dag"),
                Files.readString(work.resolve("group.dag")).replace("\"one\"", "\"" + group + "\""));
        Path bound = work.resolve("bound");
        cli(
                "dag",
                "bind",
                work.resolve("group.dag").toString(),
                "--site",
                "alder",
                "--sites",
                ads(),
                "--ledger",
                work.resolve("ledger").toString(),
                "--out",
                bound.toString());

        submit(work, bound);
        assertThat(cli(1, "dag", "wait", bound.toString()).out()).contains("is stopped at site alder");

        assertThat(bound.resolve("generate.err")).content().contains(group + ".events");
        Path missing =
                Files.createDirectory(live.folder().resolve("sites/alder").resolve(work.getFileName()));
        submit(work, bound);
        cli("dag", "wait", bound.toString());
        assertThat(bound.resolve("simulate.txt")).hasContent("simulate " + group + ": 2500 events at alder");
        assertThat(missing.resolve("one.simulated")).content().endsWith("2500 simulated\n");
    }

    private String tool(String name) {
        return live.folder().resolve("bin").resolve(name).toString();
    }

    private String ads() {
        return live.folder().resolve("sites.ads").toString();
    }

    private void submit(Path work, Path bound) throws Exception {
        live.command(
                "chmod",
                "-R",
                "a+rwX",
                work.toString(),
                live.folder().resolve("sites").toString());
        assertThat(live.command("sh", "-c", "cd '" + bound + "' && '" + tool("condor_submit_dag") + "' group.dag"))
                .contains("submitted to cluster");
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(bound.resolve("group.dag.lock")));
    }

    private Ended cli(String... words) throws Exception {
        return cli(0, words);
    }

    private Ended cli(int exit, String... words) throws IOException, InterruptedException {
        Ended ended = CliProcess.run(folder, Map.of(), words);
        assertThat(ended.exit()).as(ended.out() + ended.err()).isEqualTo(exit);
        return ended;
    }
}
