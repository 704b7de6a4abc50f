package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.dag.binding.BindingEvidence;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.LeaseLocator;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.binding.RebindTransaction;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;

/**
 * A rebind is killed before each of its system calls that open, change, lock or close one of its files ({@code strace} injects the signal); in every other
 * case the command that then mends it is killed at one of its own; the one after that finds the DAG whole, at one site, with one match.
 * The same with SIGSTOP: who looks meanwhile changes nothing. {@code -Dmetasched.boundaries=1} for all of them, not a few.
 */
@Tag("full")
class RebindBoundaryIT {

    private static final String CALLS =
            "openat,close,write,pwrite64,rename,mkdir,rmdir,unlink,unlinkat,link,symlink,fcntl,fsync,fdatasync,ftruncate,"
                    + "chmod,fchmod,fchmodat,utimensat,sendfile,copy_file_range";
    private static final Pattern CALL = Pattern.compile("(\\d+) +([a-z0-9_]+)\\(.*");

    @TempDir
    private Path folder;

    private Path bound;
    private final Map<String, Map<String, String>> manifests = new HashMap<>();
    private final Map<String, Integer> done = new TreeMap<>();

    /** The n-th call of a name, by the thread that moves the DAG. */
    private record Boundary(String call, int number) {}

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
        NestedDag dag = Mover.dag(folder);
        Mover.binder(folder, folder).bind(dag, Mover.job(dag), Mover.ads(folder), bound);
        Files.writeString(bound.resolve("group.dag.rescue001"), "DONE A\n");
        byte[] result = new byte[50_000];
        new Random(1).nextBytes(result);
        Files.write(bound.resolve("result.dat"), result);
        Files.createSymbolicLink(bound.resolve("latest"), Path.of("result.dat"));
    }

    @Test
    void killedOrStoppedBeforeAnyCallItIsWholeAtOneSiteWithOneMatch() throws Exception {
        assumeTrue(canTrace(), "There is no strace that may trace here, so system calls cannot be cut off.");
        List<Boundary> moves = boundaries("rebind");
        manifests.put(site(), manifest());
        tidy();
        boundaries("rebind");
        manifests.put(site(), manifest());
        assertThat(manifests).hasSize(2);
        tidy();
        Boundary exchange = moves.stream()
                .filter(boundary -> boundary.call().equals("rename"))
                .reduce((earlier, later) -> later)
                .orElseThrow();
        assertThat(cutOff(exchange, "rebind", "KILL", () -> {})).isTrue();
        List<Boundary> mends = boundaries("recover");
        int each = Integer.getInteger("metasched.boundaries", Math.max(1, moves.size() / 5));
        var random = new Random(Long.getLong("metasched.seed", 20261122L));
        for (int i = 0; i < moves.size(); i += each) {
            kill(
                    moves.get(i),
                    random.nextBoolean() ? Optional.of(mends.get(random.nextInt(mends.size()))) : Optional.empty());
        }
        for (int i = each / 2; i < moves.size(); i += 2 * each) {
            stop(moves.get(i));
        }
        System.out.println("rebind has " + moves.size() + " boundaries, its mending " + mends.size() + ": " + done);
    }

    private static boolean canTrace() throws Exception {
        try {
            return new ProcessBuilder(
                                    "strace", "-f", "-o", "/dev/null", "-e", "inject=openat:signal=KILL:when=1", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 137;
        } catch (IOException e) {
            return false;
        }
    }

    private void kill(Boundary boundary, Optional<Boundary> mending) throws Exception {
        String before = site();
        boolean died = cutOff(boundary, "rebind", "KILL", () -> {});
        note(died ? "killed before " + boundary.call() : "ended before the call came");
        if (mending.isPresent() && cutOff(mending.get(), "recover", "KILL", () -> {})) {
            note("and killed while it was mended");
        }
        LeaseLocator.onThisMachine(Clock.systemUTC()).settle(folder.resolve("ledger"));
        assertWhole(boundary);
        note(site().equals(before) ? "then where it was" : "then at the other site");
    }

    private void stop(Boundary boundary) throws Exception {
        String before = site();
        boolean moved = !cutOff(boundary, "rebind", "STOP", () -> {
            // A process that stops with the ledger in its hand lets others wait for it.
            try {
                RebindTransaction.recover(bound, LeaseLocator.onThisMachine(Clock.systemUTC()));
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("is being rebound by another process");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(moved).isTrue();
        assertThat(site()).isNotEqualTo(before);
        assertWhole(boundary);
        note("stopped, looked at, and gone on");
    }

    private void note(String what) {
        done.merge(what, 1, Integer::sum);
    }

    private void assertWhole(Boundary boundary) throws Exception {
        assertThat(manifest()).as("%s", boundary).isEqualTo(manifests.get(site()));
        MatchNote note = MatchNote.find(bound).orElseThrow();
        assertThat(note.site()).isEqualTo(site());
        assertThat(new FileLeases(folder.resolve("ledger"), Clock.systemUTC(), new BindingEvidence()).held())
                .as("%s", boundary)
                .extracting(match -> match.id().toString(), Lease::site, Lease::committed)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(note.match(), site(), true));
        tidy();
    }

    /** Takes away what earlier bindings left beside the DAG, so that each rebind makes the same calls. */
    private void tidy() throws IOException {
        try (Stream<Path> beside = Files.list(folder.resolve("out"))) {
            for (Path path : beside.toList()) {
                String name = path.getFileName().toString();
                if (name.startsWith("group.at-") || name.contains(".partial-")) {
                    try (Stream<Path> all = Files.walk(path)) {
                        all.sorted(java.util.Comparator.reverseOrder())
                                .forEach(one -> one.toFile().delete());
                    }
                } else {
                    assertThat(name).isIn("group", ".group.rebinding.lock", ".group.rebinding.intent");
                }
            }
        }
    }

    private String site() throws IOException {
        return BindingRecord.find(bound).orElseThrow().site();
    }

    /** The digest of each file, and the target of each link; the note of the match only names its match. */
    private Map<String, String> manifest() throws Exception {
        var marks = new TreeMap<String, String>();
        try (Stream<Path> all = Files.walk(bound)) {
            for (Path path : all.filter(path -> !Files.isDirectory(path)).toList()) {
                String name = bound.relativize(path).toString();
                if (Files.isSymbolicLink(path)) {
                    marks.put(name, "to " + Files.readSymbolicLink(path));
                } else if (!name.equals(MatchNote.FILE)) {
                    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(path));
                    marks.put(name, HexFormat.of().formatHex(digest));
                }
            }
        }
        return marks;
    }

    /** The calls of an undisturbed run that have to do with our files, in order. */
    private List<Boundary> boundaries(String what) throws Exception {
        Path log = folder.resolve("calls");
        cutOff(new Boundary("", 0), what, "", () -> {});
        List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
        String mover = lines.stream()
                .filter(line -> line.contains("rebinding.lock"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .findFirst()
                .orElseThrow();
        var boundaries = new ArrayList<Boundary>();
        var counts = new LinkedHashMap<String, Integer>();
        for (String line : lines) {
            var call = CALL.matcher(line);
            if (call.matches() && call.group(1).equals(mover)) {
                int number = counts.merge(call.group(2), 1, Integer::sum);
                if (line.contains(folder.toString())) {
                    boundaries.add(new Boundary(call.group(2), number));
                }
            }
        }
        return boundaries;
    }

    /** Runs a command that gets a signal before a call; whether it died of it. */
    private boolean cutOff(Boundary boundary, String what, String signal, Runnable meanwhile) throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xshare:auto",
                        "-Dslf4j.internal.verbosity=ERROR",
                        "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Mover.class.getName(),
                        folder.toString(),
                        what)
                .redirectError(new File(folder.toFile(), "errors"))
                .start();
        assertThat(child.inputReader().readLine()).isEqualTo("ready");
        Path log = folder.resolve("calls");
        Files.deleteIfExists(log);
        List<String> words =
                new ArrayList<>(List.of("strace", "-f", "-y", "-o", log.toString(), "-e", "trace=" + CALLS));
        if (!signal.isEmpty()) {
            words.addAll(
                    List.of("-e", "inject=" + boundary.call() + ":signal=" + signal + ":when=" + boundary.number()));
        }
        words.addAll(List.of("-p", Long.toString(child.pid())));
        Process tracer = new ProcessBuilder(words).redirectErrorStream(true).start();
        assertThat(tracer.inputReader().readLine()).contains("attached");
        try (var in = child.outputWriter()) {
            in.write("go\n");
        }
        if (signal.equals("STOP") && stops(child, log)) {
            var looker = CompletableFuture.runAsync(meanwhile);
            looker = looker.completeOnTimeout(null, 300, TimeUnit.MILLISECONDS);
            looker.join();
            // Each thread has its own n-th call, so another one may stop the process again.
            do {
                int unused = new ProcessBuilder("sh", "-c", "kill -CONT " + child.pid())
                        .start()
                        .waitFor();
            } while (!child.waitFor(200, TimeUnit.MILLISECONDS));
        }
        assertThat(child.waitFor(120, TimeUnit.SECONDS)).isTrue();
        tracer.waitFor();
        assertThat(child.exitValue())
                .as("%s", Files.readString(folder.resolve("errors")))
                .isIn(0, 137);
        return child.exitValue() == 137;
    }

    private static boolean stops(Process child, Path log) throws Exception {
        while (!child.waitFor(10, TimeUnit.MILLISECONDS)) {
            if (Files.exists(log)
                    && Files.readString(log, StandardCharsets.ISO_8859_1).contains("stopped by SIGSTOP")) {
                return true;
            }
        }
        return false;
    }

    /** Binds the DAG to the other site, or mends what another did, once it is told to. */
    static final class Mover {
        private Mover() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            Path bound = folder.resolve("out").resolve("group");
            // What the machine does when it loads a class is of no interest, and takes long when it is traced.
            Path warm = Files.createTempDirectory("warm");
            Path scratch = warm.resolve("group");
            binder(folder, warm).bind(dag(folder), job(dag(folder)), ads(folder), scratch);
            move(folder, warm, scratch);
            RebindTransaction.recover(scratch, LeaseLocator.onThisMachine(Clock.systemUTC()));
            System.out.println("ready");
            System.in.read();
            if (arguments[1].equals("recover")) {
                LeaseLocator.onThisMachine(Clock.systemUTC()).settle(folder.resolve("ledger"));
            } else {
                move(folder, folder, bound);
            }
            // Nothing of the machine's own end is of interest.
            Runtime.getRuntime().halt(0);
        }

        private static void move(Path folder, Path home, Path place) throws Exception {
            NestedDag dag = dag(folder);
            BindingRecord record = BindingRecord.find(place).orElseThrow();
            var moved = binder(folder, home).rebind(place, record, dag, job(dag), ads(folder));
            if (moved.isEmpty()) {
                throw new AssertionError("It was not bound to another site.");
            }
        }

        static LeasingBinder binder(Path folder, Path home) {
            var locator = LeaseLocator.onThisMachine(Clock.systemUTC());
            return new LeasingBinder(
                    new DagBinder(DagBinder.Options.of(Map.of())), locator.settle(home.resolve("ledger")), locator);
        }

        static NestedDag dag(Path folder) throws IOException {
            return NestedDag.read(folder.resolve("dags").resolve("group.dag"));
        }

        static DagJobAd job(NestedDag dag) throws IOException {
            return DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        }

        static List<ClassAd> ads(Path folder) throws Exception {
            return ClassAd.parseAll(Files.readString(folder.resolve("sites.ads")), ReadOptions.NEW);
        }
    }
}
