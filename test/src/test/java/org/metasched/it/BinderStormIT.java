package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.dag.DagLimits;
import org.metasched.dag.binding.BindingEvidence;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.ClaimingBinder;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.LeaseLocator;
import org.metasched.dag.binding.MatchNote;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.binding.RebindTransaction;
import org.metasched.leases.FileLeases;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchRoom;

/**
 * Eight binders of three users, in three namespaces of process numbers and mounts, bind, rebind, release and take up again, drain sites
 * and put a ledger in order that they share in one of the ways of {@link Sharing}, while they are stopped and killed at random. No site ever has more matches than it allows; in the end each bound DAG equals its manifest, file by
 * file, and holds its match, and no other match is left. {@code -Dmetasched.storm=2000} for so many DAGs. Each user's directories are
 * seen by that user and in one namespace only. {@link RebindBoundaryIT} kills at each system call.
 */
@Tag("full")
class BinderStormIT {

    private static final int BINDERS = 8;
    private static final int WORLDS = 3;
    private static final int SITES = 20;
    private static final int FIRST_USER = 20_001;
    private static final int GROUP_OF_ALL = 20_000;

    @TempDir
    private Path folder;

    private final List<Process> worlds = new ArrayList<>();
    private final Map<String, Integer> done = new TreeMap<>();
    private final Map<Integer, Long> saidAtDeath = new HashMap<>();

    /** How the folder of a ledger lets users in. */
    enum Sharing {
        ALL("rwxrwxrwx", 0, "0"),
        GROUP("rwxrwx---", 02000, "007"),
        /** Each may replace only files of his own. */
        STICKY("rwxrwxrwx", 01000, "0");

        private final String permissions;
        private final int special;
        private final String umask;

        Sharing(String permissions, int special, String umask) {
            this.permissions = permissions;
            this.special = special;
            this.umask = umask;
        }

        void open(Path ledger) throws IOException {
            Files.setPosixFilePermissions(ledger, PosixFilePermissions.fromString(permissions));
            if (this == GROUP) {
                Files.setAttribute(ledger, "unix:gid", GROUP_OF_ALL);
            }
            Files.setAttribute(ledger, "unix:mode", (Integer) Files.getAttribute(ledger, "unix:mode") | special);
        }
    }

    private Sharing sharing = Sharing.ALL;

    @ParameterizedTest
    @EnumSource
    void neverTooManyMatchesNoneLostNoneLeakedAndEachDirectoryWhole(Sharing shared) throws Exception {
        assumeTrue(isRoot(), "Only root can run binders as other users in namespaces of their own.");
        sharing = shared;
        assumeTrue(
                sharing != Sharing.STICKY
                        || Files.readString(Path.of("/proc/sys/fs/protected_regular"))
                                .strip()
                                .equals("0"),
                "This kernel lets none open another's file in a sticky folder.");
        int dags = Integer.getInteger("metasched.storm", 48) / Sharing.values().length;
        int most = dags / SITES + 2;
        long seed = Long.getLong("metasched.seed", 20261122L);
        prepare(dags, most);
        var random = new Random(seed);
        try {
            for (int world = 0; world < WORLDS; world++) {
                worlds.add(world(world));
            }
            List<Process> binders = new ArrayList<>();
            for (int i = 0; i < BINDERS; i++) {
                binders.add(binder(i, dags));
            }
            while (binders.stream().anyMatch(Process::isAlive)) {
                check(most);
                disturb(random, binders, dags);
            }
            assertThat(binders).allMatch(binder -> binder.exitValue() == 0);
            atTheEnd(dags, most);
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
            if (entry.matches(
                            ".*(classad|condor-submit|dag-binder|site-publisher|adapter|/test/|slf4j|jspecify|jackson|test-classes).*")
                    && !entry.contains("postgres")
                    && Files.exists(from)) {
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
            ads.append("[Name=\"site%d\"; MyType=\"Machine\"; CurMatches=0; MaxMatches=%d;".formatted(i, most));
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

    private Process binder(int index, int dags) throws IOException {
        int world = index % WORLDS;
        int user = index / WORLDS;
        long inside = worlds.get(world).descendants().findFirst().orElseThrow().pid();
        String id = Integer.toString(FIRST_USER + user);
        String java =
                "umask %s; exec '%s/bin/java' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx128m -Xshare:auto -Dslf4j.internal.verbosity=ERROR -cp '%s' '%s' '%s' %d %d"
                        .formatted(
                                sharing.umask,
                                System.getProperty("java.home"),
                                classPath(),
                                Binder.class.getName(),
                                folder,
                                index,
                                dags);
        return new ProcessBuilder(
                        "nsenter",
                        "--target",
                        Long.toString(inside),
                        "--pid",
                        "--mount",
                        "setpriv",
                        "--reuid=" + id,
                        "--regid=" + id,
                        "--groups=" + GROUP_OF_ALL,
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
    private static Map<String, Integer> counts(FileLeases ledger) {
        var counts = new TreeMap<String, Integer>();
        ledger.held().stream()
                .filter(lease -> !lease.holder().equals(Lease.DRAINED))
                .forEach(lease -> counts.merge(lease.site(), lease.matches(), Integer::sum));
        return counts;
    }

    private void note(String what) {
        done.merge(what, 1, Integer::sum);
    }

    private void check(int most) throws IOException {
        var counts = counts(ledger(Duration.ZERO)).values();
        assertThat(counts).allMatch(count -> count <= most);
        note("checks of the ledger");
        done.merge("matches at the fullest site ever seen", counts.stream().reduce(0, Math::max), Math::max);
    }

    private void disturb(Random random, List<Process> binders, int dags) throws Exception {
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
                saidAtDeath.put(one, said(one) + random.nextInt(Math.min(300, 3 * dags / BINDERS)));
                binders.set(one, binder(one, dags));
            }
            case 1, 2 -> {
                note("stopped");
                signal("STOP", pid);
                binder.waitFor(100 + random.nextInt(400), TimeUnit.MILLISECONDS);
                check(dags / SITES + 2);
                signal("CONT", pid);
                // nsenter stops when its child does.
                signal("CONT", Long.toString(binder.pid()));
            }
            default -> {}
        }
    }

    private long said(int binder) throws IOException {
        Path log = folder.resolve("binder-" + binder + ".log");
        return Files.exists(log) ? Files.size(log) : 0;
    }

    private static void signal(String name, String pid) throws Exception {
        int unused = new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
    }

    private void atTheEnd(int dags, int most) throws IOException {
        Set<String> notes = new HashSet<>();
        for (int world = 0; world < WORLDS; world++) {
            try (Stream<Path> all = Files.walk(folder.resolve("real-" + world), 2)) {
                for (Path bound : all.filter(
                                path -> path.getFileName().toString().matches("d\\d+"))
                        .toList()) {
                    BindingRecord record = BindingRecord.find(bound).orElseThrow();
                    MatchNote note = MatchNote.find(bound).orElseThrow();
                    assertThat(record.site()).isEqualTo(note.site());
                    int number = Integer.parseInt(bound.getFileName().toString().substring(1));
                    assertThat(digests(bound)).isEqualTo(manifest(number, record));
                    done.merge("files compared with manifests", digests(bound).size(), Integer::sum);
                    assertThat(notes.add(note.match())).isTrue();
                }
            }
        }
        assertThat(notes).hasSize(dags);
        var before = ledger(Duration.ZERO).held();
        done.put("open claims of the killed at the end", (int)
                before.stream().filter(lease -> !lease.committed()).count());
        // A lease later.
        var held = ledger(Duration.ofMinutes(11)).held();
        assertThat(held).allMatch(Lease::committed);
        assertThat(held.stream().map(match -> match.id().toString())).containsExactlyInAnyOrderElementsOf(notes);
        assertThat(counts(ledger(Duration.ofMinutes(11))).values()).allMatch(count -> count <= most);
        done.put("bound", notes.size());
        for (int i = 0; i < BINDERS; i++) {
            try (Stream<String> lines = Files.lines(folder.resolve("binder-" + i + ".log"))) {
                lines.map(line -> line.replaceAll(":.*", "")).forEach(this::note);
            }
        }
    }

    /**
     * The digests of all files of a bound DAG but its record and the note of its match, which are read. A killed process may leave the
     * temporary file of an atomic replacement.
     */
    private static Map<String, String> digests(Path bound) throws IOException {
        var digests = new TreeMap<String, String>();
        try (Stream<Path> all = Files.walk(bound)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = bound.relativize(file).toString();
                boolean isLeft = name.matches("\\.metasched-[a-z.]+\\.[0-9a-f-]{36}\\.next");
                if (!name.equals(BindingRecord.FILE) && !name.equals(MatchNote.FILE) && !isLeft) {
                    digests.put(name, digest(Files.readAllBytes(file)));
                }
            }
        }
        return digests;
    }

    /** What it must have: what was bound, by its site, and what the DAG has made. */
    private Map<String, String> manifest(int number, BindingRecord record) throws IOException {
        Path generic = folder.resolve("dags/d" + number);
        String area = "/scratch/" + record.site().substring("site".length());
        String step = Files.readString(generic.resolve("step.sub")).replace("$ENV(Area)", area);
        var manifest = new TreeMap<>(Map.of(
                "group.dag", digest(Files.readAllBytes(generic.resolve("group.dag"))),
                "run.sh", digest(Files.readAllBytes(generic.resolve("run.sh"))),
                "step.sub", digest(step.getBytes(StandardCharsets.UTF_8))));
        if (number % 3 == 0) {
            manifest.put("result.dat", digest(Binder.result(number)));
        }
        return manifest;
    }

    private static String digest(byte[] bytes) {
        try {
            return bytes.length + ":"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Binds every eighth DAG. Of three one makes a file and is bound to another site then, one gives its match back and takes it again,
     * and one leaves its site, which is drained.
     */
    static final class Binder {
        private Binder() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[0]);
            int index = Integer.parseInt(arguments[1]);
            int dags = Integer.parseInt(arguments[2]);
            Path outs = folder.resolve("out-" + index % WORLDS + "/u" + index / WORLDS);
            List<ClassAd> ads = ClassAd.parseAll(Files.readString(folder.resolve("sites.ads")), ReadOptions.NEW);
            var locator = LeaseLocator.onThisMachine(Clock.systemUTC());
            var binder = new ClaimingBinder(
                    new DagBinder(DagBinder.Options.of(new HashMap<>())),
                    locator.settled(folder.resolve("ledger")),
                    locator);
            endDrains(folder);
            Path begun = outs.resolve("begun");
            int last = Files.exists(begun)
                    ? Integer.parseInt(Files.readString(begun).strip())
                    : -1;
            for (int i = index; i < dags; i += BINDERS) {
                Path out = outs.resolve("d" + i);
                if (i > last || i == last) {
                    Files.writeString(outs.resolve("begun.new"), Integer.toString(i));
                    Files.move(outs.resolve("begun.new"), begun, StandardCopyOption.REPLACE_EXISTING);
                    bind(binder, folder, i, out, ads);
                }
            }
        }

        static byte[] result(int number) {
            byte[] bytes = new byte[20_000];
            new Random(number).nextBytes(bytes);
            return bytes;
        }

        private static void bind(ClaimingBinder binder, Path folder, int i, Path out, List<ClassAd> ads)
                throws Exception {
            var dag = NestedDag.read(folder.resolve("dags/d" + i + "/group.dag"), DagLimits.DEFAULT);
            var job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
            boolean wasCutOff = RebindTransaction.recover(out, LeaseLocator.onThisMachine(Clock.systemUTC()));
            if (wasCutOff || Files.exists(out.resolve("result.dat")) || Files.exists(out.resolve("result.new"))) {
                System.out.println("rebinds that were cut off:" + i);
            }
            if (MatchNote.find(out).isEmpty()) {
                bindSoon(binder, dag, job, ads, out);
                System.out.println("binds:" + i);
            }
            if (i % 3 == 0) {
                Files.write(out.resolve("result.new"), result(i));
                Files.move(out.resolve("result.new"), out.resolve("result.dat"), StandardCopyOption.REPLACE_EXISTING);
                BindingRecord record = BindingRecord.find(out).orElseThrow();
                boolean moved = binder.rebind(out, record, dag, job, ads).isPresent();
                System.out.println(moved ? "rebinds:" + i : "no other site:" + i);
            } else if (i % 3 == 1) {
                var locator = LeaseLocator.onThisMachine(Clock.systemUTC());
                boolean unused = ClaimingBinder.release(out, locator);
                if (!ClaimingBinder.retake(out, locator)) {
                    bindSoon(binder, dag, job, ads, out);
                }
                System.out.println("releases:" + i);
                locator.settled(folder.resolve("ledger"));
            } else {
                drain(binder, folder, dag, job, ads, out);
                System.out.println("drains:" + i);
            }
        }

        /** Others drain their sites for a moment only. */
        private static void bindSoon(ClaimingBinder binder, NestedDag dag, DagJobAd job, List<ClassAd> ads, Path out)
                throws Exception {
            while (binder.bind(dag, job, ads, out).isEmpty()) {
                System.out.println("waits for room:");
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }

        private static void drain(
                ClaimingBinder binder, Path folder, NestedDag dag, DagJobAd job, List<ClassAd> ads, Path out)
                throws Exception {
            var leases = new FileLeases(folder.resolve("ledger"), Clock.systemUTC(), new BindingEvidence());
            BindingRecord record = BindingRecord.find(out).orElseThrow();
            Optional<UUID> drain = leases.acquire(
                    new LeaseRequest(record.site(), MatchRoom.exactly(0), Lease.DRAINED, Lease.Claimant.here(), 1));
            if (drain.isPresent()) {
                int before = here(leases, record.site());
                boolean unused = binder.rebind(out, record, dag, job, ads).isPresent();
                if (here(leases, record.site()) > before) {
                    throw new IllegalStateException("a drained site was given another match");
                }
                unused = leases.release(drain.get());
            }
        }

        private static int here(FileLeases leases, String site) {
            return counts(leases).getOrDefault(site, 0);
        }

        /** Those of the killed. */
        private static void endDrains(Path folder) {
            var leases = new FileLeases(folder.resolve("ledger"), Clock.systemUTC(), new BindingEvidence());
            leases.held().stream()
                    .filter(lease -> lease.holder().equals(Lease.DRAINED)
                            && lease.isOfThisHost()
                            && ProcessHandle.of(lease.claimant().process().pid())
                                    .isEmpty())
                    .forEach(lease -> leases.release(lease.id()));
        }
    }
}
