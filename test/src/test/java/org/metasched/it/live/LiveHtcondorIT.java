package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.it.CliProcess;
import org.metasched.it.CliProcess.Ended;

/**
 * A live pool of HTCondor takes what we publish and what we bind: its collector the ads of sites, its negotiator matches them by the
 * recipe of 2003, and its condor_dagman runs bound DAGs, which our commands follow by its logs.
 */
@ResourceLock("htcondor")
@Execution(ExecutionMode.CONCURRENT)
class LiveHtcondorIT {

    private static final String POOL_ACCOUNT = "gridalice";

    private final LiveSite live = LiveSite.named("htcondor");
    private Path folder = Path.of("");

    @BeforeEach
    void aFolderThatThePoolSees() throws Exception {
        folder = Files.createTempDirectory(live.folder().resolve("work"), "it");
        handToThePool(folder);
    }

    @AfterEach
    void anEmptyQueue() throws Exception {
        pool("condor_rm", "-all");
    }

    @LiveTest
    void theNegotiatorMatchesAnAdThatWeAdvertiseUntilItsMatchesAreUsedUp() throws Exception {
        int before = negotiatorLog().length();
        publish("oak", 1);
        publish("full", 0);

        assertThat(pool(
                        "condor_status",
                        "-any",
                        "-constraint",
                        "MaxMatches =!= undefined",
                        "-af",
                        "Name",
                        "CurMatches",
                        "MaxMatches",
                        "SiteEnvironment"))
                .contains("oak 0 1 SiteScratch=/scratch/oak")
                .contains("full 0 0 SiteScratch=/scratch/full");

        Path job = Files.writeString(folder.resolve("job.sub"), """
                universe = vanilla
                executable = /bin/true
                request_disk = 1
                request_memory = 1
                +WANT_USCMS_MATCHMAKER = true
                +WantClaiming = False
                Requirements = TARGET.HasSimulation =?= true
                Rank = -1.0 * TARGET.CurMatches
                log = job.log
                queue
                """);
        String submitted = pool("condor_submit", job.toString());
        assertThat(submitted).contains("submitted to cluster");

        await(() -> negotiatorLog().substring(before).contains("Successfully matched with oak"));
        assertThat(negotiatorLog().substring(before))
                .doesNotContain("Successfully matched with full")
                .doesNotContain("Could not lookup Name and StartdIpAddr");
    }

    @LiveTest
    void aBoundDagRunsToItsEndUnderCondorDagman() throws Exception {
        writeDag("true");
        bind();

        submit();
        await(() -> state().equals("finished"));

        JsonNode status = status();
        assertThat(status.path("counts").path("DONE").asInt()).isEqualTo(3);
        assertThat(folder.resolve("export/simulate")).hasContent("events=2500 it's \"q\" 100% a;b attempt");
        assertThat(folder.resolve("export/after")).hasContent("simulate 0");
        assertThat(cli("dag", "release", bound().toString()).exit()).isZero();
    }

    @LiveTest
    void aNodeThatFailsIsToldAndTheDagGoesOnFromItsRescueFile() throws Exception {
        writeDag("[ -e \"$EXPORT/repaired\" ]");
        bind();

        submit();
        await(() -> state().equals("stopped"));

        assertThat(status().path("counts").path("ERROR").asInt()).isOne();
        assertThat(bound().resolve("group.dag.rescue001")).exists();

        Files.createFile(folder.resolve("export/repaired"));
        submit();
        await(() -> state().equals("finished"));
        assertThat(folder.resolve("export/bring")).exists();
    }

    @LiveTest
    void aDagThatWasSubmittedAroundALedgerCountsThere() throws Exception {
        writeDag("while [ ! -e \"$EXPORT/go\" ]; do sleep 1; done");
        bind();

        submit("-append '+MATCH_Name = \"pool\"' -append '+MATCH_SiteEnvironment = \"SiteScratch=/scratch/pool\"' ");

        assertThat(countedIn("other")).isEqualTo("1, 1 around");
        assertThat(countedIn("own")).as("its ledger knows the DAG").isEqualTo("1, 0 around");
        Files.createFile(folder.resolve("export/go"));
        await(() -> state().equals("finished"));
        await(() -> countedIn("other").equals("0, 0 around"));
    }

    /** The matches in the ad of a publisher that keeps its ledger there. */
    private String countedIn(String state) throws Exception {
        JsonNode ad = new ObjectMapper()
                .readTree(publish("pool", 3, "\n  count-queue: condor_q", state).out());
        return ad.path("CurMatches").asInt() + ", "
                + ad.path("CurMatchesAround").asInt() + " around";
    }

    private void publish(String site, int maxMatches) throws Exception {
        publish(site, maxMatches, "", "state");
    }

    private Ended publish(String site, int maxMatches, String more, String state) throws Exception {
        Path file = Files.writeString(folder.resolve(site + ".yaml"), """
                site: %1$s
                scheduler: {type: simulated, nodes: 4}
                run: {path: [%2$s]}
                publish:
                  max-matches: %3$d%4$s
                  requirements: CurMatches < MaxMatches && TARGET.WANT_USCMS_MATCHMAKER =?= true
                  environment: {SiteScratch: /scratch/%1$s}
                  attributes: {HasSimulation: true, Disk: 100000000, Memory: 100000, Cpus: 1, Arch: X86_64, OpSys: LINUX, HasFileTransfer: true, FileSystemDomain: live.pool}
                """.formatted(site, tools(), maxMatches, more));
        Ended ended = cli(
                "publish",
                "--site-config",
                file.toString(),
                "--condor-advertise",
                "--once",
                "--json",
                "--state",
                folder.resolve(state).toString());
        assertThat(ended.exit()).as(ended.err()).isZero();
        return ended;
    }

    /** Three nodes in a row: the second has values that need quoting, a script after it, and a test that may fail. */
    private void writeDag(String trial) throws Exception {
        Path generic = Files.createDirectory(folder.resolve("generic"));
        Files.createDirectory(folder.resolve("export"));
        script(
                generic.resolve("step.sh"),
                "set -e\n[ $1 != simulate ] || { " + trial + "; }\necho \"$2\" > \"$EXPORT/$1\"\n");
        script(generic.resolve("after.sh"), "echo \"$1 $2\" > ../export/after\nexit \"$2\"\n");
        Files.writeString(generic.resolve("step.sub"), """
                executable = step.sh
                arguments = "$(step) '$(text)'"
                environment = "EXPORT='$ENV(SiteExportDir)'"
                error = $(JOB).err
                log = group.log
                queue
                """);
        Files.writeString(generic.resolve("group.dag"), """
                JOB fetch step.sub
                JOB simulate step.sub
                JOB bring step.sub
                VARS fetch step="fetch" text="-"
                VARS simulate step="simulate" text="events=2500 it''s ""q"" 100% a;b attempt"
                VARS bring step="bring" text="-"
                SCRIPT POST simulate after.sh $JOB $RETURN
                RETRY fetch 2
                PARENT fetch CHILD simulate
                PARENT simulate CHILD bring
                """.replace("\"\"q\"\"", "\\\"\\\"q\\\"\\\""));
        Files.writeString(folder.resolve("sites.ads"), """
                MyType = "Machine"
                Name = "pool"
                CurMatches = 0
                MaxMatches = 1
                Requirements = CurMatches < MaxMatches
                SiteEnvironment = "SiteExportDir=%s"
                """.formatted(folder.resolve("export")));
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text);
        assertThat(file.toFile().setExecutable(true, false)).isTrue();
    }

    private void bind() throws Exception {
        Ended ended = cli(
                "dag",
                "bind",
                folder.resolve("generic/group.dag").toString(),
                "--sites",
                folder.resolve("sites.ads").toString(),
                "--ledger",
                folder.resolve("own/matches").toString(),
                "--out",
                bound().toString());
        assertThat(ended.exit()).as(ended.err()).isZero();
        handToThePool(folder);
    }

    private void submit() throws Exception {
        submit("");
    }

    private void submit(String options) throws Exception {
        String said = pool(
                "sh", "-c", "cd '" + bound() + "' && '" + tools() + "/condor_submit_dag' " + options + "group.dag");
        assertThat(said).contains("submitted to cluster");
    }

    private Path bound() {
        return folder.resolve("bound");
    }

    private Path tools() {
        return live.folder().resolve("bin");
    }

    private String state() throws Exception {
        return status().path("state").asText();
    }

    private JsonNode status() throws Exception {
        Ended ended = cli("dag", "status", bound().toString(), "--json");
        assertThat(ended.exit()).as(ended.err()).isIn(0, 1);
        return new ObjectMapper().readTree(ended.out());
    }

    private Ended cli(String... words) throws Exception {
        String path = tools() + ":" + System.getenv("PATH");
        return CliProcess.run(folder, Map.of("PATH", path, "JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + folder), words);
    }

    /** A command of the pool, by its name, or another. */
    private String pool(String... words) throws Exception {
        Path tool = tools().resolve(words[0]);
        words[0] = Files.exists(tool) ? tool.toString() : words[0];
        return live.command(words);
    }

    private String negotiatorLog() throws Exception {
        return Files.readString(live.folder().resolve("log/NegotiatorLog"));
    }

    private void handToThePool(Path what) throws Exception {
        assertThat(live.command("chown", "-R", POOL_ACCOUNT + ":", what.toString()))
                .isEmpty();
    }

    private static void await(java.util.concurrent.Callable<Boolean> what) {
        Awaitility.await()
                .atMost(2, TimeUnit.MINUTES)
                .pollInterval(2, TimeUnit.SECONDS)
                .until(what);
    }
}
