package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;

/** A rebinding is one transaction: killed at any step it is ended forwards or back, and while its process lives it is alone. */
@Tag("full")
class RebindTransactionIT {

    private static final int KILLED = 137;
    private static final LeaseLocator LOCATOR = LeaseLocator.onThisMachine(Clock.systemUTC());

    @TempDir
    private Path folder;

    private Path bound;
    private FileLeases claims;
    private Map<String, String> before;

    @BeforeEach
    void bindToA() throws Exception {
        Path own = Files.createDirectories(folder.resolve("dags"));
        Files.writeString(own.resolve("run.sh"), "");
        Files.writeString(own.resolve("step.sub"), "executable = run.sh\narguments = $ENV(Area)\nqueue\n");
        Files.writeString(own.resolve("group.dag"), "JOB A step.sub\nJOB B step.sub\nPARENT A CHILD B\n");
        bound = folder.resolve("out").resolve("group");
        claims = new FileLeases(folder.resolve("claims"), Clock.systemUTC(), new BindingEvidence());
        NestedDag dag = dag(folder);
        binder(folder, step -> {}).bind(dag, job(dag), List.of(site("a")), bound);
        Files.writeString(bound.resolve("group.dag.rescue001"), "DONE A\n");
        Files.writeString(Files.createDirectories(bound.resolve("results")).resolve("A.out"), "42\n");
        Files.createSymbolicLink(bound.resolve("latest"), Path.of("results/A.out"));
        before = tree(bound);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"GIVEN_BACK", "REMOVED"})
    void killedAtAnyStepItIsEndedForwardsOrBack(RebindStep step) throws Exception {
        assertThat(run("rebind", "kill", step.name()).waitFor()).isEqualTo(KILLED);

        RebindTransaction.recover(bound, LOCATOR);

        assertWholeAt(step.compareTo(RebindStep.OLD_LEFT) < 0 ? "a" : "b");
    }

    @ParameterizedTest
    @CsvSource({
        "OLD_LEFT, NEW_IN_PLACE, b",
        "OLD_LEFT, OLD_RELEASED, b",
        "NEW_IN_PLACE, ENDED, b",
        "NOTED, LOCKED, a",
        "NOTED, GIVEN_BACK, a",
        "CARRIED, REMOVED, a"
    })
    void theEndingOfItMayBeKilledToo(RebindStep first, RebindStep second, String site) throws Exception {
        assertThat(run("rebind", "kill", first.name()).waitFor()).isEqualTo(KILLED);
        assertThat(run("recover", "kill", second.name()).waitFor()).isEqualTo(KILLED);

        RebindTransaction.recover(bound, LOCATOR);

        assertWholeAt(site);
    }

    @ParameterizedTest
    @ValueSource(strings = {"KEPT", "CHECKED", "OLD_LEFT", "COMPARED"})
    void aLiveRebindIsLeftAlone(String step) throws Exception {
        Process moving = run("rebind", "pause", step);
        assertThat(moving.getInputStream().read()).isEqualTo('.');
        NestedDag dag = dag(folder);

        assertThatThrownBy(() -> RebindTransaction.recover(bound, LOCATOR))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is being rebound by another process");
        assertThatThrownBy(() -> binder(folder, done -> {}).bind(dag, job(dag), List.of(site("c")), bound))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is being rebound by another process");

        moving.getOutputStream().close();
        assertThat(moving.waitFor()).isZero();
        assertWholeAt("b");
    }

    /** The lock must not die with a second look at its file, nor by another name of the directory. */
    @Test
    void theLockIsHeldToTheEnd() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), bound.getParent());
        try (RebindTransaction ours = RebindTransaction.begin(bound, step -> {})) {
            assertThatThrownBy(() -> RebindTransaction.begin(link.resolve("group"), step -> {}))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> RebindTransaction.begin(bound, step -> {}))
                    .isInstanceOf(IllegalStateException.class);

            assertThat(run("rebind", "kill", "LOCKED").waitFor()).isEqualTo(1);

            assertThat(ours.recover(LOCATOR)).isFalse();
        }
        assertWholeAt("a");
        assertThat(run("rebind", "kill", "LOCKED").waitFor()).isEqualTo(KILLED);
    }

    @Test
    void whatAnotherOwnerHasBegunStays() throws Exception {
        assertThat(run("rebind", "kill", "KEPT").waitFor()).isEqualTo(KILLED);
        Path lock = bound.resolveSibling(".group.rebinding.lock");
        assertThat(lock).content().isEqualTo(RebindOwner.ofThisProcess().name() + "\n");
        Files.writeString(lock, "mallory@elsewhere\n");

        assertThatThrownBy(() -> RebindTransaction.recover(bound, LOCATOR))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mallory@elsewhere");

        assertThat(lock).content().isEqualTo("mallory@elsewhere\n");
        assertThat(bound.resolveSibling(".group.rebinding")).isDirectory();
        assertThat(claims.held()).hasSize(2);
        assertThat(tree(bound)).isEqualTo(before);
    }

    @Test
    void aNewBindingThatIsDamagedGivesWayToTheOldOne() throws Exception {
        assertThat(run("rebind", "kill", "OLD_LEFT").waitFor()).isEqualTo(KILLED);
        Files.writeString(bound.resolveSibling(".group.rebinding").resolve("results/A.out"), "41\n");

        assertThat(RebindTransaction.recover(bound, LOCATOR)).isTrue();

        assertWholeAt("a");
    }

    @ParameterizedTest
    @CsvSource({"LISTED, group.dag.rescue001", "CARRIED, results/A.out"})
    void aFileThatChangesMeanwhileStopsIt(RebindStep at, String file) throws Exception {
        var observer = changing(at, () -> write(bound.resolve(file), "late\n"));

        assertThatThrownBy(() -> rebind(folder, observer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file)
                .hasMessageContaining("changed");

        before = tree(bound);
        assertThat(before).containsEntry(file, "late\n");
        assertWholeAt("a");
    }

    @Test
    void aFileThatChangesInTheNewPlaceBringsTheOldOneBack() throws Exception {
        var observer = changing(RebindStep.NEW_IN_PLACE, () -> write(bound.resolve("step.sub"), "queue\n"));

        assertThatThrownBy(() -> rebind(folder, observer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("step.sub");

        assertWholeAt("a");
    }

    @Test
    void aMatchThatLapsedMeanwhileStopsIt() throws Exception {
        var observer = changing(RebindStep.WRITTEN, this::lapse);

        assertThatThrownBy(() -> rebind(folder, observer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("lapsed");

        assertWholeAt("a");
    }

    @Test
    void thereAndBackTheEarlierOnesAreKept() throws Exception {
        rebind(folder, step -> {});
        assertWholeAt("b");
        rebind(folder, step -> {});

        assertThat(tree(bound)).containsAllEntriesOf(Map.of("results/A.out", "42\n", "latest", "-> results/A.out"));
        assertThat(BindingRecord.find(bound).orElseThrow().site()).isEqualTo("a");
        assertThat(bound.resolveSibling("group.at-a")).isDirectory();
        assertThat(bound.resolveSibling("group.at-b")).isDirectory();
        assertThat(claims.held()).hasSize(1);
    }

    @Test
    void aFinishedOrRunningOneStays() throws Exception {
        Path mark = Files.createFile(bound.resolve("group.dag.lock"));
        assertThatThrownBy(() -> rebind(folder, step -> {})).hasMessageContaining("is being run");
        Files.delete(mark);
        Files.createFile(bound.resolve(DagProgress.FINISHED_MARK));
        assertThatThrownBy(() -> rebind(folder, step -> {})).hasMessageContaining("is finished");
        assertThat(claims.held()).hasSize(1);
    }

    @Test
    void bindingAnewAtAnotherSiteGivesTheEarlierMatchBack() throws Exception {
        NestedDag dag = dag(folder);
        Path other = folder.resolve("out").resolve("other");
        binder(folder, step -> {}).bind(dag, job(dag), List.of(site("a")), other);
        String first = MatchNote.find(other).orElseThrow().match();
        binder(folder, step -> {}).bind(dag, job(dag), List.of(site("a")), other);
        assertThat(MatchNote.find(other).orElseThrow().match()).isEqualTo(first);

        binder(folder, step -> {}).bind(dag, job(dag), List.of(site("b")), other);

        assertThat(claims.held()).extracting(lease -> lease.id().toString()).doesNotContain(first);
        assertThat(LeasingBinder.release(other, LOCATOR)).isTrue();
        assertThat(LeasingBinder.release(other, LOCATOR)).isFalse();
        assertThat(claims.held()).hasSize(1);
    }

    private void assertWholeAt(String site) throws IOException {
        lapse();
        Map<String, String> now = tree(bound);
        if (site.equals("a")) {
            assertThat(now).isEqualTo(before);
            assertThat(bound.resolveSibling("group.at-a")).doesNotExist();
        } else {
            assertThat(now.keySet()).isEqualTo(before.keySet());
            assertThat(now)
                    .containsEntry("group.dag.rescue001", "DONE A\n")
                    .containsEntry("results/A.out", "42\n")
                    .containsEntry("latest", "-> results/A.out");
        }
        assertThat(now.get("step.sub")).contains("arguments = /" + site);
        assertThat(bound.resolveSibling(".group.rebinding")).doesNotExist();
        MatchNote note = MatchNote.find(bound).orElseThrow();
        assertThat(note.where()).isEqualTo(FileLeases.whereOf(folder.resolve("claims")));
        assertThat(claims.held())
                .extracting(lease -> lease.id().toString(), Lease::site, Lease::holder, Lease::committed)
                .containsExactly(tuple(note.match(), site, bound.toString(), true));
    }

    /** What was acquired and not committed lapses after its time. */
    private void lapse() {
        claims.held().stream()
                .filter(lease -> !lease.committed())
                .forEach(lease -> assertThat(claims.release(lease.id())).isTrue());
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Consumer<RebindStep> changing(RebindStep at, Runnable change) {
        return step -> {
            if (step == at) {
                change.run();
            }
        };
    }

    private static Map<String, String> tree(Path directory) throws IOException {
        var files = new TreeMap<String, String>();
        try (var paths = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    String content = Files.isSymbolicLink(path)
                            ? "-> " + Files.readSymbolicLink(path)
                            : Files.readString(path, StandardCharsets.ISO_8859_1);
                    files.put(directory.relativize(path).toString(), content);
                }
            }
        }
        return files;
    }

    private static NestedDag dag(Path folder) throws IOException {
        return NestedDag.read(folder.resolve("dags").resolve("group.dag"));
    }

    private static DagJobAd job(NestedDag dag) throws IOException {
        return DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
    }

    private static ClassAd site(String name) throws Exception {
        return ClassAd.parse(
                "[Name=\"" + name + "\"; MaxMatches=9; CurMatches=0; Requirements=true; SiteEnvironment=\"Area=/" + name
                        + "\"]",
                ReadOptions.NEW);
    }

    private static LeasingBinder binder(Path folder, Consumer<RebindStep> observer) {
        return new LeasingBinder(
                new DagBinder(DagBinder.Options.of(Map.of())),
                FileLeases.whereOf(folder.resolve("claims")),
                LOCATOR,
                Claimant.here(),
                MatchNote.KEEP_FAILED,
                observer);
    }

    private static void rebind(Path folder, Consumer<RebindStep> observer) throws Exception {
        Path bound = folder.resolve("out").resolve("group");
        NestedDag dag = dag(folder);
        BindingRecord record = BindingRecord.find(bound).orElseThrow();
        Optional<BoundDag> moved =
                binder(folder, observer).rebind(bound, record, dag, job(dag), List.of(site("a"), site("b")));
        assertThat(moved).isPresent();
    }

    private Process run(String command, String deed, String step) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Mover.class.getName(),
                        folder.toString(),
                        command,
                        deed,
                        step)
                .redirectError(new File(folder.toFile(), "log"))
                .start();
    }

    /** Moves the DAG, or ends its move; dies at a step, or waits there until its input is closed. */
    static final class Mover {

        private Mover() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            var claims = new FileLeases(folder.resolve("claims"), Clock.systemUTC(), new BindingEvidence());
            RebindStep at = RebindStep.valueOf(arguments[3]);
            boolean kill = arguments[2].equals("kill");
            Consumer<RebindStep> observer = step -> {
                if (step == at && kill) {
                    Runtime.getRuntime().halt(KILLED);
                } else if (step == at) {
                    pause();
                }
            };
            if (arguments[1].equals("rebind")) {
                rebind(folder, observer);
            } else {
                RebindTransaction.recover(folder.resolve("out").resolve("group"), LOCATOR, observer);
            }
        }

        private static void pause() {
            System.out.print('.');
            System.out.flush();
            try {
                while (System.in.read() >= 0) {
                    // Waits for the end.
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }
}
