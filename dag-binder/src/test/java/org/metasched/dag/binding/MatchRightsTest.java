package org.metasched.dag.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;

/** Who may give a match back or move a DAG is decided before note or ledger change, and they change together. */
class MatchRightsTest {

    private static final LeaseLocator LOCATOR = LeaseLocator.onThisMachine(Clock.systemUTC());
    private static final String SITES =
            "[Name=\"a\"; MaxMatches=1; Requirements=true]\n[Name=\"b\"; MaxMatches=1; Requirements=true]\n";

    @TempDir
    private Path folder;

    private Path bound = Path.of("");

    @BeforeEach
    void bind() throws Exception {
        Files.writeString(folder.resolve("a.sub"), "executable = /bin/true\nqueue\n");
        Files.writeString(folder.resolve("group.dag"), "JOB A a.sub\n");
        bound = folder.resolve("out").resolve("group");
        NestedDag dag = NestedDag.read(folder.resolve("group.dag"));
        Optional<BoundDag> made = binder(folder, step -> {}).bind(dag, job(dag), ads(), bound);
        assertThat(made).isPresent();
    }

    @Test
    void anotherUserChangesNothing() throws Exception {
        assumeTrue(
                isRoot() && Files.isExecutable(Path.of("/usr/bin/setpriv")),
                "needs root, to give the DAG to another user");
        try (Stream<Path> files = Files.walk(bound)) {
            for (Path file : files.toList()) {
                Files.setAttribute(file, "unix:uid", 65534);
            }
        }
        List<Lease> before = held();

        assertThat(withoutCapabilities("release").waitFor()).isZero();
        assertThat(withoutCapabilities("rebind").waitFor()).isZero();

        assertThat(Files.readString(folder.resolve("log.release"))).contains("no permission to write its directory");
        assertThat(Files.readString(folder.resolve("log.rebind"))).contains("no permission to write its directory");
        assertThat(held()).isEqualTo(before).hasSize(1);
        try (Stream<Path> left = Files.list(bound.getParent())) {
            assertThat(left).containsExactly(bound);
        }
        assertThat(LeasingBinder.release(bound, LOCATOR)).isTrue();
        assertThat(held()).isEmpty();
    }

    @Test
    void aReleaseBesideARebindIsRefusedAndTheNewMatchStays() throws Exception {
        BindingRecord record = BindingRecord.find(bound).orElseThrow();
        var refusals = new java.util.ArrayList<String>();
        Optional<BoundDag> moved = binder(folder, step -> {
                    if (step == RebindStep.NEW_IN_PLACE || step == RebindStep.KEPT) {
                        try {
                            refusals.add("released: " + LeasingBinder.release(bound, LOCATOR));
                        } catch (Exception e) {
                            refusals.add(String.valueOf(e.getMessage()));
                        }
                    }
                })
                .rebind(bound, record, Map.of(), ads());

        assertThat(refusals).hasSize(2).allMatch(text -> text.contains("by another process"));
        assertThat(moved).isPresent();
        MatchNote note = MatchNote.find(bound).orElseThrow();
        assertThat(held()).extracting(lease -> lease.id().toString()).containsExactly(note.match());
        assertThat(note.site()).isNotEqualTo(record.site());
    }

    @Test
    void aReleaseThatWasCutOffIsEndedByItsNote() throws Exception {
        Files.move(bound.resolve(MatchNote.FILE), bound.resolve(MatchNote.RELEASED));
        assertThat(held()).hasSize(1);

        String unused = LOCATOR.settle(folder.resolve("ledger"));

        assertThat(held()).isEmpty();
    }

    private List<Lease> held() {
        return new FileLeases(folder.resolve("ledger"), Clock.systemUTC(), new BindingEvidence()).held();
    }

    private static boolean isRoot() throws Exception {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
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

    private static DagJobAd job(NestedDag dag) throws Exception {
        return DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
    }

    private static List<ClassAd> ads() throws Exception {
        return ClassAd.parseAll(SITES, ReadOptions.NEW);
    }

    /** Root without them is a user as others are. */
    private Process withoutCapabilities(String what) throws Exception {
        return new ProcessBuilder(
                        "/usr/bin/setpriv",
                        "--bounding-set=-all",
                        "--inh-caps=-all",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherUser.class.getName(),
                        folder.toString(),
                        what)
                .redirectErrorStream(true)
                .redirectOutput(new File(folder.toFile(), "log." + what))
                .start();
    }

    /** Tries to release the DAG, or to move it, and says what it was told. */
    static final class OtherUser {
        private OtherUser() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            Path bound = folder.resolve("out").resolve("group");
            try {
                if (arguments[1].equals("release")) {
                    System.out.println(LeasingBinder.release(bound, LOCATOR));
                } else {
                    BindingRecord record = BindingRecord.find(bound).orElseThrow();
                    System.out.println(binder(folder, step -> {})
                            .rebind(bound, record, Map.of(), ads())
                            .isPresent());
                }
            } catch (IllegalStateException | java.io.IOException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
