package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.CliProcess;
import org.metasched.it.CliProcess.Ended;

/**
 * DAGs bound to the ad of the live Slurm site and run there by the command line client. Every step of a group needs what the step
 * before it has left, so a group that is done has run in its order.
 */
@ResourceLock("slurm")
class LiveSlurmDagIT {

    private static final int GROUPS = 10;

    private static final String WAIT = "while [ ! -e \"$EXPORT/go\" ]; do sleep 1; done\n";

    @TempDir
    Path folder;

    private Path generic = Path.of("");
    private Path bound = Path.of("");
    private Path export = Path.of("");
    private final LiveSite live = LiveSite.named("slurm");

    @LiveTest
    void aDagOfFiftyJobsRunsToItsEndAtTheSite() throws Exception {
        writeGenericDag("");
        bind();
        assertThat(bind(folder.resolve("second")).exit()).isOne();

        Ended run = run("--wait", "--json");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(json(run).get("state").asText()).isEqualTo("finished");
        assertThat(json(run).get("nodes").asInt()).isEqualTo(5 * GROUPS);
        assertThat(json(run).get("jobs")).hasSize(5 * GROUPS);
        assertThat(bound.resolve("metasched-finished")).exists();
        for (int group = 0; group < GROUPS; group++) {
            assertThat(export.resolve("g" + group)).hasContent("left of " + group + "\nright of " + group);
            assertThat(export.resolve("work-g" + group)).doesNotExist();
        }
        awaitEmptyQueue();
        assertThat(run().exit()).isOne();
        assertThat(bind(folder.resolve("second")).exit()).isZero();
    }

    @LiveTest
    void aDagThatFailsGoesOnFromItsRescueFile() throws Exception {
        writeGenericDag("[ $1 != left ] || [ $2 != 3 ] || [ -e \"$EXPORT/repaired\" ] || exit 17\n");
        bind();

        Ended first = run("--wait", "--json");

        assertThat(first.exit()).as(first.err()).isOne();
        assertThat(json(first).get("failed")).hasSize(1);
        assertThat(json(first).get("failed").get(0).asText()).isEqualTo("left3");
        assertThat(json(first).get("done").asInt()).isEqualTo(5 * GROUPS - 3);
        assertThat(bound.resolve("metasched-finished")).doesNotExist();
        assertThat(bound.resolve("group.dag.rescue001")).exists();

        Files.writeString(export.resolve("repaired"), "");
        Ended second = run("--wait", "--json");

        assertThat(second.exit()).as(second.err()).isZero();
        assertThat(json(second).get("submitted").asInt()).isEqualTo(3);
        assertThat(bound.resolve("metasched-finished")).exists();
        assertThat(export.resolve("g3")).hasContent("left of 3\nright of 3");
    }

    @LiveTest
    void aRunnerThatIsKilledOrPutBackInTheQueueGoesOnAndADagIsCancelledByItsRunner() throws Exception {
        // A job that is cancelled at its end has done its work, and runs again. The last group waits until the DAG was
        // cancelled.
        writeGenericDag("sleep 1\n[ $1$2 != in" + (GROUPS - 1) + " ] || " + WAIT
                + "[ $1 != in ] || { mkdir -p \"$work\"; exit; }\n"
                + "[ $1 != clean ] || { test -s \"$EXPORT/g$2\"; rm -rf \"$work\"; exit; }\n");
        bind();
        assertThat(run().exit()).isZero();
        await("running", 5);

        String runner = live.command("squeue", "-h", "-o", "%A %j")
                .lines()
                .filter(line -> line.contains("metasched-dag-"))
                .findFirst()
                .orElseThrow()
                .split(" ")[0];
        live.command("scontrol", "requeue", runner);
        live.command("scontrol", "update", "JobId=" + runner, "StartTime=now");
        await("running", 15);
        live.command("scancel", runner);
        await("interrupted", 15);
        assertThat(cli("dag", "resume", bound.toString()).exit()).isZero();
        await("running", 25);
        Ended cancelled = cli("dag", "cancel", bound.toString(), "--patience", "300");
        assertThat(cancelled.exit()).as(cancelled.err()).isZero();
        await("stopped", 25);
        awaitEmptyQueue();
        Files.createFile(export.resolve("go"));
        Ended end = cli("dag", "resume", bound.toString(), "--wait", "--json");

        assertThat(end.exit()).as(end.err()).isZero();
        for (int group = 0; group < GROUPS; group++) {
            assertThat(export.resolve("g" + group)).hasContent("left of " + group + "\nright of " + group);
        }
    }

    @LiveTest
    void aDagThatWasBoundByAnotherLedgerCountsWhileItsRunnerIsInTheQueue() throws Exception {
        writeGenericDag(WAIT);
        bind();
        assertThat(run().exit()).isZero();

        assertThat(countedAround(folder.resolve("other"))).isOne();
        assertThat(countedAround(folder)).as("its ledger knows the DAG").isZero();
        Files.createFile(export.resolve("go"));
        await("finished", 5 * GROUPS);
        awaitEmptyQueue();
        assertThat(countedAround(folder.resolve("other"))).isZero();
    }

    /** By a publisher that keeps its ledger there. */
    private int countedAround(Path state) throws Exception {
        Path config = Files.writeString(
                folder.resolve("publish.yaml"),
                Files.readString(live.folder().resolve("site.yaml"))
                        + "\npublish: {max-matches: 3, count-queue: squeue}\n");
        Ended ended = cli(
                "publish",
                "--site-config",
                config.toString(),
                "--file",
                folder.resolve("ad").toString(),
                "--once",
                "--json",
                "--state",
                state.toString());
        assertThat(ended.exit()).as(ended.err()).isZero();
        return json(ended).path("CurMatchesAround").asInt();
    }

    /** The runner's job leaves the queue a moment after its process has ended. */
    private void awaitEmptyQueue() {
        Awaitility.await().until(() -> !live.command("squeue", "-h", "-o", "%Z").contains(bound.toString()));
    }

    /** Until the DAG is in a state, with so many nodes done at least. */
    private void await(String state, int done) {
        Awaitility.await().atMost(5, TimeUnit.MINUTES).until(() -> {
            JsonNode status = json(cli("dag", "status", bound.toString(), "--json"));
            return status.path("state").asText().equals(state)
                    && status.path("counts").path("DONE").asInt() >= done;
        });
    }

    /** Groups of stage in, two runs beside one another, stage out, clean up. */
    private void writeGenericDag(String trouble) throws IOException {
        generic = Files.createDirectory(folder.resolve("generic"));
        bound = folder.resolve("bound");
        export = Files.createDirectory(folder.resolve("export"));
        Path step = Files.writeString(
                generic.resolve("step.sh"), "#!/bin/sh\nset -e\nwork=$EXPORT/work-g$2\n" + trouble + """
                        case $1 in
                          in) mkdir "$work" ;;
                          left | right) echo "$1 of $2" > "$work/$1" ;;
                          out) cat "$work/left" "$work/right" > "$EXPORT/g$2" ;;
                          clean) test -s "$EXPORT/g$2"; rm "$work/left" "$work/right"; rmdir "$work" ;;
                        esac
                        """);
        assertThat(step.toFile().setExecutable(true)).isTrue();
        Files.writeString(generic.resolve("step.sub"), """
                executable = step.sh
                arguments = "$(step) $(group)"
                environment = "EXPORT='$ENV(SiteExportDir)'"
                output = $(JOB).out
                error = $(JOB).err
                request_memory = 20
                queue
                """);
        var dag = new StringBuilder("RETRY ALL_NODES 1 UNLESS-EXIT 17\n");
        for (int group = 0; group < GROUPS; group++) {
            for (String word : List.of("in", "left", "right", "out", "clean")) {
                dag.append("JOB " + word + group + " step.sub\nVARS " + word + group + " step=\"" + word + "\" group=\""
                        + group + "\"\n");
            }
            dag.append("PARENT in" + group + " CHILD left" + group + " right" + group + "\n");
            dag.append("PARENT left" + group + " right" + group + " CHILD out" + group + "\n");
            dag.append("PARENT out" + group + " CHILD clean" + group + "\n");
        }
        Files.writeString(generic.resolve("group.dag"), dag);
    }

    private void bind() throws Exception {
        Ended run = bind(bound);
        assertThat(run.exit()).as(run.err()).isZero();
    }

    /** At most one DAG at a time may be at the site. */
    private Ended bind(Path out) throws Exception {
        Path ad = Files.writeString(folder.resolve("site.ad"), """
                MyType = "Machine"
                Name = "live-slurm"
                CurMatches = 0
                MaxMatches = 1
                Requirements = CurMatches < MaxMatches
                SiteEnvironment = "SiteExportDir=%s"
                """.formatted(export));
        return cli(
                "dag",
                "bind",
                generic.resolve("group.dag").toString(),
                "--sites",
                ad.toString(),
                "--ledger",
                folder.resolve("matches").toString(),
                "--out",
                out.toString());
    }

    private Ended run(String... options) throws Exception {
        var words = new ArrayList<>(List.of("dag", "run", bound.toString(), "--launcher"));
        words.add(CliProcess.launcher(folder).toString());
        words.addAll(List.of(options));
        return cli(words.toArray(String[]::new));
    }

    private Ended cli(String... arguments) throws Exception {
        return CliProcess.run(folder, live.environment(), arguments);
    }

    private static JsonNode json(Ended ended) throws IOException {
        return new ObjectMapper().readTree(ended.out());
    }
}
