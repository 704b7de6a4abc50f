package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.it.CliProcess.Ended;

/** A server that is killed while DAGs wait for its matches, and comes back. */
class DagQueueServerIT {

    @TempDir
    private Path folder;

    private final Cable cable = new Cable();
    private ServerProcess server;
    private String address = "";
    private int port;

    @BeforeEach
    void aServerBehindACable() throws Exception {
        port = FreePort.next();
        Files.writeString(
                folder.resolve("server.yaml"),
                "port: " + port + "\ndata: " + folder.resolve("data")
                        + "\nsites:\n  - {site: fzj, scheduler: {type: simulated, nodes: 4}}\n");
        address = "http://127.0.0.1:" + cable.to(port);
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\narguments = $ENV(Area)\nqueue\n");
        start();
    }

    private void start() throws Exception {
        server = ServerProcess.start(folder.resolve("server.yaml"));
        server.awaitReady();
    }

    @AfterEach
    void end() throws Exception {
        server.close();
        cable.close();
    }

    /** @param line {@code @} in it is the folder, {@code SERVER} the option that names it */
    private String[] words(String line) {
        return line.replace("SERVER", "--server " + address)
                .replace("@", folder.toString())
                .split(" ");
    }

    private Ended run(String line) {
        return CliProcess.here(words(line));
    }

    private void advertise(int matches) throws Exception {
        Files.writeString(
                folder.resolve("oak.ads"),
                "Name = \"oak\"\nMyType = \"Machine\"\nMaxMatches = " + matches
                        + "\nRequirements = CurMatches < MaxMatches\nSiteEnvironment = \"Area=/oak\"\n");
        assertThat(run("advertise @/oak.ads SERVER").exit()).isZero();
    }

    private void queue(String... names) throws Exception {
        var line = new StringBuilder("dag queue --queue @/queue --out @/bound");
        for (String name : names) {
            Files.writeString(folder.resolve(name + ".dag"), "JOB A a.sub\n");
            line.append(" @/").append(name).append(".dag");
        }
        assertThat(run(line.toString()).exit()).isZero();
    }

    private boolean isBound(String name) {
        return Files.exists(folder.resolve("bound/" + name + "/metasched-match.json"));
    }

    private String listed() {
        return run("dag queue --queue @/queue --list --batch -").out();
    }

    @Test
    @Tag("full")
    void aMatchThatTheServerCouldNotKeepAnyMoreIsKeptWhenItIsBack() throws Exception {
        advertise(1);
        queue("a", "b");
        cable.beforeFirst("SettleMatch", server::kill);

        assertThat(run("dag queue --queue @/queue --bind SERVER").exit()).isEqualTo(3);

        assertThat(folder.resolve("bound/a/metasched-pending.json")).exists();
        assertThat(listed()).contains("waiting").doesNotContain(" bound ");
        start();
        advertise(1);
        Ended after = run("dag queue --queue @/queue --bind SERVER");
        assertThat(after.exit()).as(after.err()).isZero();
        assertThat(after.out()).contains("a.dag bound to oak");
        assertThat(folder.resolve("bound/a/metasched-pending.json")).doesNotExist();
        assertThat(isBound("a")).isTrue();
        assertThat(isBound("b")).isFalse();
        assertThat(run("dag release @/bound/a").exit()).isZero();
        assertThat(run("dag queue --queue @/queue --bind SERVER").exit()).isZero();
        assertThat(isBound("b")).isTrue();
    }

    @Test
    @Tag("full")
    void dagsGoOnWaitingForAServerThatIsAwayAndItsCountIsKept() throws Exception {
        address = "http://127.0.0.1:" + port;
        advertise(2);
        queue("a", "b", "c", "d");
        Path said = folder.resolve("said");
        Process follower = CliProcess.of(words("dag queue --queue @/queue --follow --poll 1 SERVER"))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            await().atMost(2, TimeUnit.MINUTES).until(() -> isBound("a") && isBound("b"));
            server.kill();
            await().atMost(2, TimeUnit.MINUTES)
                    .until(() -> Files.readString(said).contains("metasched: "));
            assertThat(run("dag release @/bound/a").exit()).as("nobody counts").isEqualTo(3);
            assertThat(isBound("a")).isTrue();

            start();
            advertise(2);
            Ended now = run("dag queue --queue @/queue --bind SERVER");

            assertThat(now.exit()).as(now.err()).isZero();
            assertThat(isBound("c") || isBound("d"))
                    .as("a and b are counted still")
                    .isFalse();
            assertThat(run("dag release @/bound/a").exit()).isZero();
            await().atMost(2, TimeUnit.MINUTES).until(() -> isBound("c"));
            assertThat(isBound("d")).isFalse();
            assertThat(follower.isAlive()).isTrue();
            assertThat(Files.readString(said).lines().filter(line -> line.startsWith("metasched: ")))
                    .as("of one reason, said once each time")
                    .hasSizeLessThanOrEqualTo(2);
        } finally {
            follower.destroyForcibly().waitFor();
        }
    }
}
