package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.metasched.trust.DemoAuthority;

/** DAGs that wait for a match of a server, through the command of their user. */
@Tag("full")
class DagQueueServerTest {

    @TempDir
    private Path folder;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();
    private ServerAssembly server;
    private String caller = "";

    @BeforeEach
    void aServerWithASiteOfItsOwn() throws Exception {
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\narguments = $ENV(Area)\nqueue\n");
        start("");
    }

    private void start(String more) throws Exception {
        var config = Files.writeString(
                folder.resolve("server.yaml"),
                "port: 0\ndata: " + folder.resolve("data") + "\n" + more
                        + "sites:\n  - {site: fzj, scheduler: {type: simulated, nodes: 4}}\n");
        server = ServerAssembly.start(ConfigurationFile.read(config), Clock.systemUTC());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** @param line {@code @} in it is the folder, {@code SERVER} the option that names it */
    private int run(String line) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.execute(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                line.replace("SERVER", "--server " + server.base() + caller)
                        .replace("@", folder.toString())
                        .split(" "));
    }

    private void advertise(String site, String ad) throws Exception {
        Files.writeString(folder.resolve("site.ads"), "Name = \"" + site + "\"\nMyType = \"Machine\"\n" + ad + "\n");
        assertThat(run("advertise @/site.ads SERVER")).as("%s", err).isZero();
    }

    private void advertise(String site, int matches) throws Exception {
        advertise(
                site,
                "MaxMatches = " + matches + "\nRequirements = CurMatches < MaxMatches\nSiteEnvironment = \"Area=/"
                        + site + "\"");
    }

    private void queue(String names, String more) throws Exception {
        var line = new StringBuilder("dag queue --queue @/queue --out @/bound " + more);
        for (String name : names.split(" ")) {
            Files.writeString(folder.resolve(name + ".dag"), "JOB A a.sub\n");
            line.append(" @/").append(name).append(".dag");
        }
        assertThat(run(line.toString().replaceAll(" +", " "))).as("%s", err).isZero();
    }

    private Set<String> bound(String more) throws Exception {
        assertThat(run("dag queue --queue @/queue --bind SERVER" + more))
                .as("%s", err)
                .isZero();
        return in("bound");
    }

    /** The DAGs in a state. */
    private Set<String> in(String state) throws Exception {
        var names = new TreeSet<String>();
        for (String batch : Set.of("-", "night")) {
            assertThat(run("dag queue --queue @/queue --list --json --batch " + batch))
                    .isZero();
            for (JsonNode dag : new ObjectMapper().readTree(out.toString()).get("dags")) {
                if (dag.get("state").asText().equals(state)) {
                    names.add(dag.get("dag").asText().replaceAll(".*/|\\.dag", ""));
                }
            }
        }
        return names;
    }

    private void release(String name) {
        assertThat(run("dag release @/bound/" + name)).as("%s", err).isZero();
    }

    @Test
    void dagsWaitUntilTheServersCountHasRoomAndTheFirstByPriorityIsBound() throws Exception {
        advertise("oak", 2);
        queue("a b c", "");
        queue("urgent", "--priority 5");

        assertThat(bound("")).containsExactlyInAnyOrder("urgent", "a");

        assertThat(Files.readString(folder.resolve("bound/a/a.sub"))).contains("arguments = /oak");
        assertThat(bound("")).as("nothing to do is no failure").hasSize(2);
        release("urgent");
        assertThat(bound("")).containsExactlyInAnyOrder("urgent", "a", "b");
        advertise("elm", 1);
        assertThat(bound("")).as("a new site").containsExactlyInAnyOrder("urgent", "a", "b", "c");
        assertThat(run("dag queue --queue @/queue --list")).isZero();
        assertThat(out.toString()).contains("matches held of elm: 1", "matches held of oak: 2");
    }

    @Test
    void matchesAreSharedFairlyBetweenOwners() throws Exception {
        advertise("oak", 4);
        queue("x0 x1 x2 x3 x4", "--owner x --priority 9");
        queue("y0 y1 y2", "--owner y");

        assertThat(bound("")).containsExactlyInAnyOrder("x0", "x1", "y0", "y1");

        release("y0");
        release("x0");
        release("x1");
        assertThat(bound("")).containsExactlyInAnyOrder("x0", "x1", "y0", "y1", "y2", "x2", "x3");
    }

    @Test
    void waitingDagsAreWithdrawnOrExpireAlsoWhenTheServerHasRoomAgain() throws Exception {
        advertise("oak", 1);
        queue("first", "");
        queue("late", "--expires 1s --batch night");
        var expiry = Instant.now().plusSeconds(1);
        queue("gone kept", "");
        assertThat(run("dag queue --queue @/queue --withdraw @/gone.dag")).isZero();
        assertThat(bound("")).containsExactly("first");
        await().until(() -> Instant.now().isAfter(expiry));
        release("first");

        assertThat(bound("")).containsExactlyInAnyOrder("first", "kept");

        assertThat(in("expired")).containsExactly("late");
        assertThat(in("withdrawn")).containsExactly("gone");
        assertThat(run("dag queue --queue @/queue --withdraw --batch night"))
                .as("it waits no longer")
                .isEqualTo(1);
    }

    /** A server moves the DAGs of its own user only; the policy of any other is this command, in his crontab. */
    @Test
    void theOwnerMovesHisDagsByTheWordsOfAPolicy() throws Exception {
        advertise("oak", 2);
        queue("a b", "");
        assertThat(bound("")).hasSize(2);
        Files.writeString(folder.resolve("bound/b/b.dag.dagman.out"), "");
        advertise("elm", 2);

        assertThat(run("dag rebind SERVER --when Progress==\"bound\" @/bound/a @/bound/b"))
                .as("%s", err)
                .isZero();

        assertThat(out.toString()).contains("bound/a moved from oak to elm").doesNotContain("bound/b");
        queue("c d", "");
        assertThat(bound("")).as("the server counts one at each").hasSize(4);
        assertThat(run("dag list @/bound")).isZero();
        assertThat(out.toString().lines().filter(line -> line.contains(" elm ")))
                .hasSize(2);
    }

    @Test
    void dagsWaitWhileNoSiteForDagsIsAdvertised() throws Exception {
        await().until(() -> run("status SERVER") == 0 && out.toString().contains("fzj"));
        queue("a", "");

        assertThat(bound("")).as("the server's own site says nothing to a job").isEmpty();

        assertThat(in("waiting")).containsExactly("a");
        advertise("oak", 1);
        assertThat(bound("")).containsExactly("a");
    }

    @Test
    void aSiteThatTheServerDoesNotCountHoldsUpNoDag() throws Exception {
        advertise("ash", "Requirements = true\nSiteEnvironment = \"Area=/ash\"");
        queue("a b", "");

        assertThat(bound("")).isEmpty();

        assertThat(in("failed")).as("the DAGs are sound").isEmpty();
        assertThat(run("dag queue --queue @/queue --list --batch -")).isZero();
        assertThat(out.toString()).contains("No ad of a site (ash) with an integer MaxMatches");
        advertise("oak", 1);
        assertThat(bound("")).hasSize(1);
        assertThat(in("waiting")).hasSize(1);
    }

    @Test
    void aSiteWhereTheUserHasAllThatHeMayHaveIsPassedOver() throws Exception {
        stop();
        var authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        var own = authority.member("server");
        start("""
                drain: 1s
                security:
                  certificate: %s
                  key: %s
                  authorities: %s
                  quotas: {matches-per-site: 1}
                  roles:
                    user: ['%s']
                    site: ['%s']
                """.formatted(
                        own.certificate(),
                        own.key(),
                        authority.directory(),
                        DemoAuthority.subjectOf("alice"),
                        DemoAuthority.subjectOf("alice")));
        var alice = authority.member("alice");
        caller = " --cert " + alice.certificate() + " --key " + alice.key() + " --ca " + authority.directory();
        advertise("oak", 3);
        Files.writeString(folder.resolve("job.ad"), "Requirements = true\nRank = TARGET.Name == \"oak\"\n");
        queue("a b c", "--job-ad @/job.ad");

        assertThat(bound("")).containsExactly("a");
        advertise("elm", 1);
        assertThat(bound("")).containsExactlyInAnyOrder("a", "b");

        assertThat(run("dag queue --queue @/queue --list --batch -")).isZero();
        assertThat(out.toString()).contains("has 1 matches of oak", "it may have 1");
        assertThat(in("waiting")).containsExactly("c");
    }
}
