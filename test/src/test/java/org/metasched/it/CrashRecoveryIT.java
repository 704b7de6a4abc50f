package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementState;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.Wiring;

/**
 * Kills a server ten times, at random moments, in a storm of 200 offers against sites that lose requests and answers. The
 * sites stay up, behind their SOAP adapters, in the process of the test. After one more start and one sweep every
 * reservation belongs to a living agreement, every living agreement has all its reservations, and what was promised is there.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CrashRecoveryIT {

    static final List<String> SITES = List.of("fzj", "scai", "cesca");

    private static final int OFFERS = 200;
    private static final int KILLS = 10;
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final long seed = Long.getLong("metasched.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, SimulatedScheduler> sites = new LinkedHashMap<>();
    private final List<AdapterHost> hosts = new ArrayList<>();
    private final Set<Integer> open = new TreeSet<>();
    private final Map<Integer, String> promised = new TreeMap<>();
    private final Set<Integer> ended = new TreeSet<>();
    private int refused;

    @TempDir
    private Path folder;

    @BeforeEach
    void startSites() {
        for (var name : SITES) {
            var site = new SimulatedSite(new SiteId(name))
                    .nodes(256)
                    .open(Clock.systemUTC())
                    .misbehavesAtRandom(seed + hosts.size(), 0.15);
            sites.put(name, site);
            hosts.add(AdapterHost.start(site, 0));
        }
    }

    @AfterEach
    void stopSites() {
        hosts.forEach(AdapterHost::close);
    }

    @Test
    void tenKillsInAStormLeaveNothingHeldThatNobodyWants() throws Exception {
        var config = configuration();
        var earliest = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofHours(2));
        for (int i = 0; i < OFFERS; i++) {
            open.add(i);
        }

        for (int kill = 0; kill < KILLS; kill++) {
            stormAndKill(config, earliest, kill);
        }
        int heldAfterTheLastKill =
                sites.values().stream().mapToInt(s -> s.held().size()).sum();
        sites.values().forEach(s -> s.misbehavesAtRandom(0, 0));
        Thread.sleep(GRACE.plusMillis(200).toMillis());

        try (var server = Wiring.start(ConfigurationFile.read(config).onPort(0), Clock.systemUTC())) {
            Thread.sleep(GRACE.plusMillis(200).toMillis());
            var sweep = server.sweepNow();
            var living = server.agreements().inState(Set.of(AgreementState.OBSERVED), 10_000);
            System.out.printf(
                    "CrashRecoveryIT: seed %d, %d kills, %d offers: %d promised, %d ended, %d refused, %d never answered;"
                            + " %d held after the last kill, %d given back by one sweep, %d living agreements%n",
                    seed,
                    KILLS,
                    OFFERS,
                    promised.size(),
                    ended.size(),
                    refused,
                    open.size(),
                    heldAfterTheLastKill,
                    sweep.released(),
                    living.size());

            for (var name : SITES) {
                assertThat(heldAt(name)).as("held at %s, seed %d", name, seed).isEqualTo(wantedAt(name, living));
            }
            assertThat(living.stream().map(a -> a.id().value()).toList())
                    .as("promised agreements, seed %d", seed)
                    .containsAll(promised.values());
            assertThat(promised).isNotEmpty();
            assertThat(sweep.held()).isZero();
        }
    }

    private Path configuration() throws IOException {
        var text = new StringBuilder("""
                port: 0
                data: %s
                negotiation: {lead: 5s, call-timeout: 5s, attempts: 12}
                sweeper: {every: 1h, grace: %ds}
                monitor: {every: 1h}
                sites:
                """.formatted(folder, GRACE.toSeconds()));
        for (int i = 0; i < SITES.size(); i++) {
            text.append("  - {site: %s, url: '%s'}%n"
                    .formatted(SITES.get(i), hosts.get(i).endpoint()));
        }
        return Files.writeString(folder.resolve("server.yaml"), text);
    }

    /** The last two are killed while they start or recover, the others in the storm after so many answers and a moment. */
    private void stormAndKill(Path config, Instant earliest, int kill) throws Exception {
        var numbers = new ArrayList<>(open);
        Collections.shuffle(numbers, random);
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                StormProcess.class.getName(),
                config.toString(),
                earliest.toString()));
        numbers.forEach(n -> command.add(n.toString()));
        var errors = folder.resolve("stderr-" + kill).toFile();
        var process = new ProcessBuilder(command).redirectError(errors).start();
        var answers = new CountDownLatch(random.nextInt(1, 2 + Math.min(30, numbers.size() / 2)));
        var reader = CompletableFuture.runAsync(() -> listen(process, answers));
        if (kill < KILLS - 2) {
            assertThat(answers.await(60, TimeUnit.SECONDS))
                    .as("answers from the server; it said %s", Files.readString(errors.toPath()))
                    .isTrue();
            Thread.sleep(random.nextInt(100));
        } else {
            Thread.sleep(random.nextInt(500, 4000));
        }
        process.destroyForcibly().waitFor();
        reader.get(30, TimeUnit.SECONDS);
    }

    private void listen(Process process, CountDownLatch answers) {
        try (var lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line);
                answers.countDown();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void hear(String line) {
        String[] words = line.split(" ");
        switch (words[0]) {
            case "CREATED" -> {
                promised.put(Integer.parseInt(words[1]), words[2]);
                open.remove(Integer.parseInt(words[1]));
            }
            case "ENDING" -> {
                ended.add(Integer.parseInt(words[1]));
                open.remove(Integer.parseInt(words[1]));
            }
            case "REFUSED" -> refused++;
            case "FAILED" -> System.out.println("CrashRecoveryIT: " + line);
            default -> {}
        }
    }

    private Set<String> heldAt(String site) {
        var keys = new TreeSet<String>();
        sites.get(site).held().forEach(s -> keys.add(s.reservation().key().value()));
        return keys;
    }

    private static Set<String> wantedAt(String site, List<Agreement> living) {
        var keys = new TreeSet<String>();
        for (var agreement : living) {
            assertThat(agreement.commitments().stream().map(c -> c.site().value()))
                    .containsExactlyElementsOf(SITES);
            agreement.commitments().stream()
                    .filter(c -> c.site().value().equals(site))
                    .forEach(c -> keys.add(c.reservation().key().value()));
        }
        return keys;
    }
}
