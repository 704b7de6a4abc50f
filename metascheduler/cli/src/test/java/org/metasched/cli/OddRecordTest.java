package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.testkit.ScriptedCommands;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/** A reservation that cannot be read blocks its own nodes, and everybody who looks at the site is told of it. */
class OddRecordTest {

    private static final String WHY = "The reservation bent is odd: EndTime is not understood: (whenever).";

    @TempDir
    private Path folder;

    private String scheduler = "";

    @BeforeEach
    void aSlurmWithAnOddRecord() {
        var commands = new ScriptedCommands(folder.resolve("bin"), "sinfo", "squeue", "scontrol", "scancel");
        commands.answer("sinfo *", 0, "NODELIST|STATE|CPUS|AVAIL_FEATURES\ns1|idle|4|fast\ns2|idle|4|fast\n", "");
        commands.answer("squeue *", 0, "JOBID|STATE|END_TIME|NODELIST\n", "");
        commands.answer(
                "scontrol *",
                0,
                "ReservationName=bent StartTime=1790000000 EndTime=whenever Duration=01:00:00 Nodes=s2 NodeCnt=1 CoreCnt=4"
                        + " Features=(null) PartitionName=grid Flags= TRES=cpu=4 Users=eve Groups=(null)"
                        + " Accounts=(null) Licenses=(null) State=ACTIVE\n",
                "");
        scheduler = "{type: slurm, partition: grid, run: {path: [" + commands.folder() + "]}}";
    }

    private String said(String... words) {
        var out = new StringWriter();
        var commands = Main.commandLine(new PrintWriter(out, true), new PrintWriter(out, true));
        assertThat(commands.execute(words)).as(out.toString()).isZero();
        return out.toString();
    }

    @Test
    void adapterCheckNamesIt() throws Exception {
        Path config = Files.writeString(folder.resolve("site.yaml"), "site: fzj\nscheduler: " + scheduler + "\n");

        assertThat(said("adapter", "check", "--config", config.toString(), "--rule", "A1"))
                .contains("A1  passed", WHY);
    }

    @Test
    void theServersSitesAndItsConsoleNameItAndTheOtherNodeIsOnOffer() throws Exception {
        Path config = Files.writeString(
                folder.resolve("server.yaml"),
                "port: 0\ndata: " + folder + "\nsites:\n  - {site: fzj, scheduler: " + scheduler + "}\n");
        try (var server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC())) {
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() ->
                            assertThat(get(server.base().resolve("/sites"))).contains(WHY));

            assertThat(get(server.base().resolve("/sites"))).contains("\"state\":\"up\"", "\"freeNodes\":1");
            assertThat(get(server.base().resolve("/console/sites"))).contains(WHY);
            assertThat(said("sites", "--server", server.base().toString())).contains("fzj: " + WHY);
        }
    }

    private static String get(URI place) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(place).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
