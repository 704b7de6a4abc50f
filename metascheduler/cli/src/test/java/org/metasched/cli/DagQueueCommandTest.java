package org.metasched.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DAGs that wait for a match, through the command of their user. */
class DagQueueCommandTest {

    private static final String SITE = "Name = \"%s\"\nMaxMatches = %d\nRequirements = CurMatches < MaxMatches\n"
            + "SiteEnvironment = \"Area=/%1$s\"\n\n";

    @TempDir
    private Path folder;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    @BeforeEach
    void aSiteForTwoDags() throws Exception {
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\narguments = $ENV(Area)\nqueue\n");
        Files.writeString(folder.resolve("sites.ads"), SITE.formatted("oak", 2));
    }

    private int run(String... arguments) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private String dag(String name) throws IOException {
        Files.writeString(folder.resolve(name + ".dag"), "JOB A a.sub\n");
        return file(name + ".dag");
    }

    private int queue(String... more) {
        var words = new ArrayList<>(List.of("dag", "queue", "--queue", file("queue")));
        words.addAll(List.of(more));
        return run(words.toArray(String[]::new));
    }

    private int bind(String... more) {
        var words = new ArrayList<>(List.of("--bind", "--sites", file("sites.ads"), "--ledger", file("ledger")));
        words.addAll(List.of(more));
        return queue(words.toArray(String[]::new));
    }

    private boolean isBound(String name) {
        return Files.exists(folder.resolve("bound").resolve(name).resolve("metasched-match.json"));
    }

    private int count(String state) throws IOException {
        assertThat(queue("--list", "--json")).isZero();
        int count = 0;
        for (JsonNode row : new ObjectMapper().readTree(out.toString()).get("batches")) {
            count += row.get(state).asInt();
        }
        return count;
    }

    @Test
    void dagsWaitUntilASiteHasRoomAndTheFirstByPriorityIsBound() throws Exception {
        assertThat(queue(dag("a"), dag("b"), dag("c"), "--out", file("bound"))).isZero();
        assertThat(queue(dag("urgent"), "--out", file("bound"), "--priority", "5"))
                .isZero();
        assertThat(queue(dag("a"), "--out", file("bound")))
                .as("its place is taken")
                .isEqualTo(2);
        assertThat(err.toString()).contains("a.dag", "bound/a");

        assertThat(bind()).as(err.toString()).isZero();

        assertThat(isBound("urgent")).isTrue();
        assertThat(isBound("a")).isTrue();
        assertThat(isBound("b")).isFalse();
        assertThat(Files.readString(folder.resolve("bound/a/a.sub"))).contains("arguments = /oak");
        assertThat(count("waiting")).isEqualTo(2);
        assertThat(bind()).as("nothing to do is no failure").isZero();
        assertThat(run("dag", "release", file("bound/a"))).isZero();
        assertThat(bind()).isZero();
        assertThat(isBound("b")).isTrue();
        assertThat(count("bound")).isEqualTo(3);
    }

    @Test
    void matchesAreSharedFairlyBetweenOwners() throws Exception {
        Files.writeString(folder.resolve("sites.ads"), SITE.formatted("oak", 4));
        for (int i = 0; i < 5; i++) {
            assertThat(queue(dag("x" + i), "--out", file("bound"), "--owner", "x", "--priority", "9"))
                    .isZero();
        }
        assertThat(queue(dag("y0"), dag("y1"), dag("y2"), "--out", file("bound"), "--owner", "y"))
                .isZero();

        assertThat(bind()).isZero();

        for (String name : List.of("x0", "x1", "y0", "y1")) {
            assertThat(isBound(name)).as(name).isTrue();
        }
        assertThat(run("dag", "release", file("bound/y0"), file("bound/x0"), file("bound/x1")))
                .isZero();
        assertThat(bind()).isZero();
        assertThat(isBound("y2")).isTrue();
        assertThat(isBound("x2")).isTrue();
        assertThat(isBound("x3")).isTrue();
    }

    @Test
    void aWaitMayBeLongerThanTime() throws Exception {
        assertThat(queue(dag("patient"), "--out", file("bound"), "--expires", "P999999999999D"))
                .isZero();
        assertThat(bind()).isZero();
        assertThat(isBound("patient")).isTrue();
    }

    @Tag("full")
    @Test
    void waitingDagsAreWithdrawnOrExpireAndBrokenOnesHoldUpNoOther() throws Exception {
        String broken = dag("broken");
        assertThat(queue(dag("late"), "--out", file("bound"), "--expires", "1s", "--batch", "night"))
                .isZero();
        var expiry = Instant.now().plusSeconds(1);
        assertThat(queue(dag("gone"), broken, dag("kept"), "--out", file("bound")))
                .isZero();
        Files.delete(Path.of(broken));
        assertThat(queue("--withdraw", file("gone.dag"))).isZero();
        assertThat(queue("--withdraw", file("gone.dag"))).isEqualTo(1);
        await().until(() -> Instant.now().isAfter(expiry));

        assertThat(bind()).as("one of them is broken: %s%s", out, err).isEqualTo(2);

        assertThat(err.toString()).contains("broken.dag");
        assertThat(isBound("kept")).isTrue();
        for (String state : List.of("expired", "withdrawn", "failed", "bound")) {
            assertThat(count(state)).as(state).isEqualTo(1);
        }
        assertThat(queue("--list", "--batch", "night")).isZero();
        assertThat(out.toString()).contains("late.dag", "expired").doesNotContain("kept.dag");
        assertThat(queue(dag("late"), "--out", file("bound"))).as("again").isZero();
    }

    /** As a process leaves it that is killed between the binding and its record in the queue. */
    @Test
    void aBoundDagIsRecordedAlsoIfItFillsItsSite() throws Exception {
        Files.writeString(folder.resolve("sites.ads"), SITE.formatted("oak", 1));
        assertThat(queue(dag("a"), dag("b"), "--out", file("bound"))).isZero();
        List<String> before = Files.readAllLines(folder.resolve("queue/queue.log"));
        assertThat(bind()).isZero();
        assertThat(isBound("a")).isTrue();
        Files.write(folder.resolve("queue/queue.log"), before);

        assertThat(bind()).as(err.toString()).isZero();

        assertThat(out.toString()).contains("a.dag bound to oak");
        assertThat(count("bound")).isEqualTo(1);
        assertThat(isBound("b")).isFalse();
    }

    @Test
    @Tag("full")
    void aQueueThatIsBoundByAKilledProcessIsWholeAndNoMatchIsLost() throws Exception {
        Files.writeString(folder.resolve("sites.ads"), SITE.formatted("oak", 30));
        var words = new ArrayList<String>();
        for (int i = 0; i < 40; i++) {
            words.add(dag("d" + i));
        }
        words.addAll(List.of("--out", file("bound")));
        assertThat(queue(words.toArray(String[]::new))).isZero();
        int kills = 0;
        for (int round = 0; round < 4; round++) {
            Process binder = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Xshare:auto",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "dag",
                            "queue",
                            "--queue",
                            file("queue"),
                            "--follow",
                            "--poll",
                            "1",
                            "--sites",
                            file("sites.ads"),
                            "--ledger",
                            file("ledger"))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("binder.log").toFile())
                    .start();
            int goal = 1 + round * 8;
            while (binder.isAlive() && bound() < goal) {
                Thread.onSpinWait();
            }
            assertThat(binder.isAlive())
                    .as(Files.readString(folder.resolve("binder.log")))
                    .isTrue();
            binder.destroyForcibly().waitFor();
            kills++;
        }

        assertThat(kills).isEqualTo(4);
        assertThat(bind()).as(err.toString()).isZero();
        assertThat(bound()).isEqualTo(30);
        assertThat(count("bound")).isEqualTo(30);
        assertThat(count("waiting")).isEqualTo(10);
        for (int i = 0; i < 40; i++) {
            if (isBound("d" + i)) {
                assertThat(run("dag", "release", file("bound/d" + i))).isZero();
            }
        }
        assertThat(bind()).isZero();
        assertThat(count("bound")).isEqualTo(40);
    }

    @Test
    void aBatchIsBoundMovedAndLookedAtWithTheSameWordsAsOneDag() throws Exception {
        Files.writeString(
                folder.resolve("sites.ads"),
                "Name = \"server\"\nAdvertisedByServer = true\nMaxMatches = 10\nRequirements = CurMatches < MaxMatches\n\n"
                        + SITE.formatted("oak", 2) + SITE.formatted("elm", 1));
        String[] places = {"--sites", file("sites.ads"), "--ledger", file("ledger")};
        String a = dag("a");
        assertThat(run(and(places, "dag", "bind", a, "--each", "--out", file("bound"))))
                .isZero();
        assertThat(run(and(places, "dag", "bind", dag("b"), dag("c"), "--out", file("bound"))))
                .as("%s", err)
                .isZero();
        assertThat(run(and(places, "dag", "bind", dag("d"), "--out", file("bound/d"))))
                .as("no site for DAGs has room, and the server's own is none")
                .isEqualTo(1);
        assertThat(run("dag", "release", file("bound/c"))).isZero();

        assertThat(run(and(places, "dag", "rebind", "--when", "false", file("bound/a"), file("bound/b"))))
                .isZero();
        assertThat(err.toString()).contains("2 DAGs stay").doesNotContain("bound/a");
        String site = org.metasched.dag.binding.BindingRecord.find(folder.resolve("bound/a"))
                .orElseThrow()
                .site();
        assertThat(run("dag", "release", file("bound/b"))).isZero();
        assertThat(run(and(places, "dag", "rebind", "--when", "true", file("bound/a"))))
                .as("%s", err)
                .isZero();

        String old = file("bound/a.at-" + site);
        assertThat(Path.of(old)).isDirectory();
        assertThat(run("dag", "list", file("bound"))).isZero();
        assertThat(out.toString()).contains("bound/a ").doesNotContain(".at-");
        assertThat(run("dag", "status", file("bound/a"), old, file("bound/b"))).isZero();
        assertThat(out.toString()).contains("bound/a is", "bound/b is").doesNotContain(".at-");
        assertThat(run("dag", "status", old)).as("asked for by name").isZero();
        assertThat(run("dag", "status", file("bound/a"), file("none"))).isEqualTo(2);
        assertThat(out.toString()).contains("bound/a is");
    }

    private static String[] and(String[] more, String... words) {
        var all = new ArrayList<>(List.of(words));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private int bound() {
        String[] names = folder.resolve("bound").toFile().list();
        return names == null
                ? 0
                : (int) List.of(names).stream()
                        .filter(name -> name.startsWith("d") && isBound(name))
                        .count();
    }

    @Test
    @Tag("full")
    void tenThousandWaitingDagsCostALookNoMoreThanAHundredthOfACoresPause() throws Exception {
        Files.writeString(folder.resolve("sites.ads"), SITE.formatted("oak", 0));
        var words = new ArrayList<String>();
        for (int i = 0; i < 10_000; i++) {
            words.add(dag("d" + i));
        }
        words.addAll(List.of("--out", file("bound")));
        assertThat(queue(words.toArray(String[]::new))).isZero();
        var threads = ManagementFactory.getThreadMXBean();
        Thread follower = new Thread(() -> run(
                "dag",
                "queue",
                "--queue",
                file("queue"),
                "--follow",
                "--poll",
                "1",
                "--sites",
                file("sites.ads"),
                "--ledger",
                file("ledger")));
        follower.start();
        while (follower.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        long before = threads.getThreadCpuTime(follower.getId());
        TimeUnit.SECONDS.sleep(5);
        long spent = threads.getThreadCpuTime(follower.getId()) - before;
        follower.interrupt();
        follower.join();

        assertThat(queue("--list")).isZero();
        assertThat(out.toString()).contains("10000");
        System.out.println("five looks at 10,000 waiting DAGs: " + spent / 1_000_000 + " ms of CPU");
        // A hundredth of the ten seconds between two looks.
        assertThat(spent / 5).isBetween(1L, TimeUnit.MILLISECONDS.toNanos(100));
    }
}
