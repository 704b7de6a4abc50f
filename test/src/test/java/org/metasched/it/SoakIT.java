package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;

/**
 * Two grids, one on PostgreSQL and one on its own H2 file, of which initiators ask all the time, while one fault after the other comes and goes:
 * a full disk, a database that is away, a site that is dead or hangs, names that are not resolved, a clock that jumps, a renewed certificate, a record whose files are moved away, a killed server. In the
 * end the sites hold what was promised and no more, the heap is as large as it was, and the chain of the audit is whole. An hour with a fault a
 * minute is {@code -Dmetasched.soak.rounds=60 -Dmetasched.soak.seconds=60}.
 */
@Tag("full")
@Timeout(value = 100, unit = TimeUnit.MINUTES)
@Isolated("starts a process after the other")
@EnabledIfSystemProperty(
        named = "metasched.soak.rounds",
        matches = "\\d+",
        disabledReason = "a soak is asked for by -Dmetasched.soak.rounds=8 or more")
class SoakIT {

    private static final int ROUNDS = Integer.getInteger("metasched.soak.rounds", 8);
    private static final Duration ROUND = Duration.ofSeconds(Integer.getInteger("metasched.soak.seconds", 2));
    /** A fault stays for a third of its round, and the rest is for coming back. */
    private static final Duration FAULT = ROUND.dividedBy(3);

    private static final Duration STEP = Duration.ofMinutes(10);
    private static final int MOST_LIVING = 60;
    private static final String DISK_SIZE = ROUNDS > 10 ? "256m" : "64m";

    private interface Step {
        void run() throws Exception;
    }

    /** Comes and goes. */
    private record Fault(Step begin, Step end) {}

    private final List<SoakGrid> grids = new ArrayList<>();
    private final List<Path> disks = new ArrayList<>();
    private final Map<String, Duration> slowest = new TreeMap<>();
    private final SSLSocketFactory usual = HttpsURLConnection.getDefaultSSLSocketFactory();
    private EmbeddedPostgres postgres;
    private int postgresPort;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws Exception {
        postgresPort = FreePort.next();
        postgres = startPostgres();
        // A clock that is behind must not be before the certificates.
        var authority = new DemoAuthority(folder.resolve("pki"), Clock.offset(Clock.systemUTC(), Duration.ofHours(-1)));
        HttpsURLConnection.setDefaultSSLSocketFactory(
                new ClientCredentials(Optional.empty(), Optional.of(authority.authorities()), Optional.empty())
                        .tls()
                        .orElseThrow()
                        .getSocketFactory());
        grids.add(new SoakGrid(
                "PostgreSQL",
                authority,
                folder.resolve("one"),
                disk("disk-one"),
                "jdbc:postgresql://localhost:" + postgresPort + "/postgres?user=postgres"));
        grids.add(new SoakGrid("H2", authority, folder.resolve("two"), disk("disk-two"), ""));
        for (var grid : grids) {
            grid.startServer();
        }
    }

    @AfterEach
    void stop() throws Exception {
        HttpsURLConnection.setDefaultSSLSocketFactory(usual);
        grids.forEach(SoakGrid::close);
        postgres.close();
        for (var disk : disks) {
            run("umount", "-l", disk.toString());
        }
    }

    @Test
    void faultsComeAndGoAndNothingIsLeftBehind() throws Exception {
        var faults = new ArrayList<>(faults().entrySet());
        var pace = ROUNDS > 10
                ? new PersistentClients.Pace(Duration.ofSeconds(2), MOST_LIVING)
                : new PersistentClients.Pace(Duration.ofMillis(100), 10);
        for (var grid : grids) {
            grid.startClients(pace);
        }
        for (int round = 0; round < ROUNDS; round++) {
            var end = Instant.now().plus(ROUND);
            if (round % Math.max(2, ROUNDS / 4) == 0) {
                for (var grid : grids) {
                    grid.measureHeap();
                }
            }
            var fault = faults.get(round % faults.size());
            strike(fault.getKey(), fault.getValue());
            await(end);
        }
        for (var grid : grids) {
            grid.measureHeap();
            grid.endClients();
        }
        System.out.printf("SoakIT: %d rounds of %s, health came back after at most %s%n", ROUNDS, ROUND, slowest);
        for (var grid : grids) {
            // What was written while the clock was ahead may be due when it is there again.
            grid.check(STEP.plusMinutes(2));
            assertThat(grid.heaps.get(grid.heaps.size() - 1) - grid.heaps.get(1))
                    .isLessThan(24L << 20);
        }
    }

    private void strike(String name, Fault fault) throws Exception {
        fault.begin().run();
        await(Instant.now().plus(FAULT));
        fault.end().run();
        for (var grid : grids) {
            slowest.merge(name, grid.awaitHealth(), (a, b) -> a.compareTo(b) > 0 ? a : b);
        }
    }

    private Map<String, Fault> faults() throws IOException {
        var faults = new LinkedHashMap<String, Fault>();
        faults.put("database", new Fault(() -> postgres.close(), () -> postgres = startPostgres()));
        if (disks.isEmpty()) {
            System.out.println("SoakIT: no disk gets full: a file system in memory cannot be mounted here.");
        } else {
            faults.put("disk", new Fault(this::fill, this::free));
        }
        faults.put("dead site", each(grid -> grid.killSite("south"), grid -> grid.startSite("south")));
        faults.put("names", each(grid -> grid.resolves(false), grid -> grid.resolves(true)));
        faults.put(
                "hung site",
                each(
                        grid -> grid.site("north").answersWithin(Duration.ofSeconds(30)),
                        grid -> grid.site("north").answersWithin(Duration.ZERO)));
        if (ShiftedClock.isPossible()) {
            faults.put("clock ahead", each(grid -> grid.setClock(STEP), grid -> grid.setClock(Duration.ZERO)));
            faults.put(
                    "clock behind", each(grid -> grid.setClock(STEP.negated()), grid -> grid.setClock(Duration.ZERO)));
        } else {
            System.out.println("SoakIT: no clock jumps: " + ShiftedClock.LIBRARY + " is not installed (libfaketime).");
        }
        faults.put("renewed certificate", each(SoakGrid::renewCertificate, SoakGrid::renewCertificate));
        faults.put("archived record", each(SoakGrid::archiveAudit, SoakGrid::archiveAudit));
        faults.put("killed server", each(SoakGrid::killServer, grid -> {}));
        return faults;
    }

    private interface OfGrid {
        void run(SoakGrid grid) throws Exception;
    }

    private Fault each(OfGrid begin, OfGrid end) {
        return new Fault(() -> all(begin), () -> all(end));
    }

    private void all(OfGrid step) throws Exception {
        for (var grid : grids) {
            step.run(grid);
        }
    }

    private static void await(Instant time) {
        Awaitility.await()
                .atMost(Duration.ofHours(1))
                .until(() -> !Instant.now().isBefore(time));
    }

    private EmbeddedPostgres startPostgres() throws IOException {
        return EmbeddedPostgres.builder()
                .setPort(postgresPort)
                .setDataDirectory(folder.resolve("pg"))
                .setCleanDataDirectory(false)
                .start();
    }

    /** A file system of its own where this user may mount one. */
    private Path disk(String name) throws Exception {
        Path path = Files.createDirectory(folder.resolve(name));
        if (run("mount", "-t", "tmpfs", "-o", "size=" + DISK_SIZE, "tmpfs", path.toString())) {
            disks.add(path);
        }
        return path;
    }

    private void fill() throws IOException {
        for (var disk : disks) {
            try (var out = Files.newOutputStream(disk.resolve("filler"))) {
                var block = new byte[1 << 20];
                while (true) {
                    out.write(block);
                }
            } catch (IOException e) {
                // It is full.
            }
        }
    }

    private void free() throws IOException {
        for (var disk : disks) {
            Files.delete(disk.resolve("filler"));
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor() == 0;
    }
}
