package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchLeases;

/**
 * A process that binds a DAG to another site is killed, anywhere; what looks at the DAG next finds it whole, with one
 * match.
 */
class KilledRebindTest {

    private static final LeaseLocator LOCATOR = LeaseLocator.onThisMachine(Clock.systemUTC());

    @TempDir
    private Path folder;

    private Path bound;

    @BeforeEach
    void bind() throws Exception {
        Path own = Files.createDirectories(folder.resolve("dags"));
        Files.writeString(own.resolve("run.sh"), "");
        Files.writeString(own.resolve("step.sub"), "executable = run.sh\narguments = $ENV(Area)\nqueue\n");
        Files.writeString(own.resolve("group.dag"), "JOB A step.sub\nJOB B step.sub\nPARENT A CHILD B\n");
        Files.writeString(
                folder.resolve("sites.ads"),
                "[Name=\"a\"; MaxMatches=1; CurMatches=0; Requirements=true; SiteEnvironment=\"Area=/a\"]\n"
                        + "[Name=\"b\"; MaxMatches=1; CurMatches=0; Requirements=true; SiteEnvironment=\"Area=/b\"]\n");
        bound = folder.resolve("out").resolve("group");
        NestedDag dag = NestedDag.read(own.resolve("group.dag"));
        binder(folder, step -> {}).bind(dag, job(dag), ads(folder), bound);
        Files.writeString(bound.resolve("group.dag.rescue001"), "DONE A\n");
    }

    /** The other looks for what killed processes left, and meets a binding whose process lives: in the midst of its commit. */
    @Test
    void aNewBindingIsSettledByItsOwnProcessAndByAnotherAtOnce() throws Exception {
        Path place = folder.resolve("out").resolve("other");
        var leases = new FileLeases(folder.resolve("server"), Clock.systemUTC(), lease -> Sight.UNSEEN);
        var looking = new LeaseLocator(Clock.systemUTC(), server -> leases);
        var binding = new LeaseLocator(Clock.systemUTC(), server -> new MatchLeases() {
            @Override
            public Optional<UUID> acquire(LeaseRequest request) {
                return leases.acquire(request);
            }

            @Override
            public boolean renew(UUID lease) {
                return leases.renew(lease);
            }

            @Override
            public boolean commit(UUID lease) {
                try {
                    assertThat(RebindTransaction.recover(place, looking)).isFalse();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return leases.commit(lease);
            }

            @Override
            public boolean release(UUID lease) {
                return leases.release(lease);
            }
        });
        NestedDag dag = NestedDag.read(folder.resolve("dags").resolve("group.dag"));

        var bound = new LeasingBinder(
                        new DagBinder(DagBinder.Options.of(Map.of())), "http://server.example.org/", binding)
                .bind(dag, job(dag), ads(folder), place);

        assertThat(bound).isPresent();
        assertThat(PendingMatch.isIn(place)).isFalse();
        assertThat(leases.held()).singleElement().matches(Lease::committed);
    }

    @Test
    void cutOffBeforeTheNewMatchIsConfirmedItGoesBack() throws Exception {
        String before = site();
        assertThat(rebind("WRITTEN").waitFor()).isEqualTo(Mover.KILLED);
        assertThat(hidden()).containsExactly(".group.rebinding", ".group.rebinding.lock");

        LOCATOR.settle(folder.resolve("ledger"));

        assertWholeAt(before);
    }

    @Test
    void cutOffWhileFilesAreCarriedItGoesBack() throws Exception {
        String before = site();
        assertThat(rebind("KEPT").waitFor()).isEqualTo(Mover.KILLED);

        assertThat(RebindTransaction.recover(bound, LOCATOR)).isTrue();

        assertWholeAt(before);
    }

    @Test
    void cutOffAfterTheNewOneTookItsPlaceTheOldMatchGoesBack() throws Exception {
        String before = site();
        assertThat(rebind("COMPARED").waitFor()).isEqualTo(Mover.KILLED);
        assertThat(site()).isNotEqualTo(before);
        assertThat(held()).hasSize(2);

        LOCATOR.settle(folder.resolve("ledger"));

        assertWholeAt(other(before));
    }

    @Test
    void cutOffBetweenTheTwoMovesItGoesForwards() throws Exception {
        String before = site();
        assertThat(rebind("COMPARED").waitFor()).isEqualTo(Mover.KILLED);
        Files.move(bound, bound.resolveSibling(".group.rebinding"));

        LOCATOR.settle(folder.resolve("ledger"));

        assertWholeAt(other(before));
    }

    @Test
    void cutOffBetweenTheTwoMovesItsEarlierBindingIsNoDagOfItsOwn() throws Exception {
        Path old = bound.resolveSibling("group.at-" + site());
        assertThat(rebind("OLD_LEFT").waitFor()).isEqualTo(Mover.KILLED);
        assertThat(old).isDirectory();

        assertThat(RebindTransaction.isEarlier(old)).isTrue();
        assertThat(RebindTransaction.isEarlier(bound)).isFalse();
    }

    @Test
    void cutOffBeforeTheFirstMoveItGoesBack() throws Exception {
        String before = site();
        assertThat(rebind("COMPARED").waitFor()).isEqualTo(Mover.KILLED);
        Files.move(bound, bound.resolveSibling(".group.rebinding"));
        Files.move(bound.resolveSibling("group.at-" + before), bound);

        assertThat(RebindTransaction.recover(bound, LOCATOR)).isTrue();

        assertWholeAt(before);
    }

    @Test
    void aMatchThatOnlyTheLedgerKnowsIsGivenBack() throws Exception {
        String before = site();
        assertThat(rebind("COMPARED").waitFor()).isEqualTo(Mover.KILLED);
        Files.delete(bound.resolve("metasched-rebinding"));

        LOCATOR.settle(folder.resolve("ledger"));

        assertThat(held()).hasSize(1);
        assertThat(site()).isEqualTo(other(before));
    }

    @Tag("full")
    @Test
    void thereAndBackAndThereAgain() throws Exception {
        String before = site();
        for (int i = 0; i < 3; i++) {
            assertThat(rebind("never").waitFor()).isZero();
        }

        assertWholeAt(other(before));
        assertThat(folder.resolve("out"))
                .isDirectoryContaining(path -> path.endsWith("group.at-" + before))
                .isDirectoryContaining(path -> path.endsWith("group.at-" + before + ".2"));
    }

    @Test
    void oneProcessAtATime() throws Exception {
        Files.createDirectory(bound.resolveSibling(".group.rebinding"));
        try (var channel = FileChannel.open(
                        bound.resolveSibling(".group.rebinding.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                var lock = channel.lock()) {
            Process second = rebind("never");
            assertThat(second.waitFor()).isEqualTo(1);
            assertThat(folder.resolve("log")).content().contains("is being rebound by another process");
        }
        assertThat(RebindTransaction.recover(bound, LOCATOR)).isTrue();
        assertThat(hidden()).containsExactly(".group.rebinding.lock");
    }

    /** {@code -Dmetasched.kills=200} for more. */
    @Test
    void killedAnywhere() throws Exception {
        long seed = Long.getLong("metasched.seed", 20261121L);
        System.out.println("metasched.seed=" + seed);
        var random = new Random(seed);
        // Something to carry, so that there is time to be killed.
        for (int i = 0; i < 40; i++) {
            Files.write(bound.resolve("out." + i), new byte[1 << 14]);
        }
        int kills = Integer.getInteger("metasched.kills", 6);
        int moves = 0;
        for (int i = 0; i < kills; i++) {
            String before = site();
            Process moving = rebind("never");
            while (moving.isAlive() && !hidden().contains(".group.rebinding")) {
                Thread.sleep(1);
            }
            moving.waitFor(random.nextInt(60), TimeUnit.MILLISECONDS);
            moving.destroyForcibly().waitFor();

            LOCATOR.settle(folder.resolve("ledger"));
            assertWholeAt(site());
            assertThat(bound.resolve("out.39")).hasSize(1 << 14);
            moves += site().equals(before) ? 0 : 1;
        }
        System.out.println(kills + " kills, " + moves + " times at the other site");
    }

    private void assertWholeAt(String site) throws Exception {
        assertThat(site()).isEqualTo(site);
        assertThat(bound.resolve("step.sub")).content().contains("arguments = /" + site);
        assertThat(bound.resolve("group.dag.rescue001")).content().isEqualTo("DONE A\n");
        assertThat(bound.resolve("metasched-rebinding")).doesNotExist();
        assertThat(hidden()).isSubsetOf(".group.rebinding.lock");
        MatchNote note = MatchNote.find(bound).orElseThrow();
        assertThat(note.site()).isEqualTo(site);
        assertThat(held())
                .extracting(match -> match.id().toString(), Lease::site, Lease::committed)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(note.match(), site, true));
    }

    private String site() throws IOException {
        return BindingRecord.find(bound).orElseThrow().site();
    }

    private static String other(String site) {
        return site.equals("a") ? "b" : "a";
    }

    /** What is half done. What a binder that was killed while it wrote has left is of no consequence. */
    private List<String> hidden() throws IOException {
        try (var entries = Files.list(folder.resolve("out"))) {
            return entries.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith(".") && !name.contains(".partial-"))
                    .sorted()
                    .toList();
        }
    }

    private List<Lease> held() throws IOException {
        return new FileLeases(folder.resolve("ledger"), Clock.systemUTC(), new BindingEvidence()).held();
    }

    private static LeasingBinder binder(Path folder, Consumer<RebindStep> observer) {
        return new LeasingBinder(
                new DagBinder(DagBinder.Options.of(Map.of())),
                LOCATOR.settle(folder.resolve("ledger")),
                LOCATOR,
                Claimant.here(),
                MatchNote.KEEP_FAILED,
                observer);
    }

    private static DagJobAd job(NestedDag dag) throws IOException {
        return DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
    }

    private static List<ClassAd> ads(Path folder) throws Exception {
        return ClassAd.parseAll(Files.readString(folder.resolve("sites.ads")), ReadOptions.NEW);
    }

    private Process rebind(String until) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Mover.class.getName(),
                        folder.toString(),
                        until)
                .redirectErrorStream(true)
                .redirectOutput(new File(folder.toFile(), "log"))
                .start();
    }

    /** Moves the DAG, and dies at the moment it is told. */
    static final class Mover {
        static final int KILLED = 137;

        private Mover() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            Path bound = folder.resolve("out").resolve("group");
            NestedDag dag = NestedDag.read(folder.resolve("dags").resolve("group.dag"));
            BindingRecord record = BindingRecord.find(bound).orElseThrow();
            Optional<BoundDag> moved = binder(folder, step -> {
                        if (arguments[1].equals(step.name())) {
                            Runtime.getRuntime().halt(KILLED);
                        }
                    })
                    .rebind(bound, record, dag, job(dag), ads(folder));
            System.exit(moved.isPresent() ? 0 : 1);
        }
    }
}
