package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementState;
import org.metasched.negotiation.OrphanSweeper;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/**
 * Kills a server ten times ({@code -Dmetasched.crash.kills}), at random moments, in a storm of 200 offers against sites that lose requests and answers. The
 * moments are counted, not timed: a message to a site, on either side of its effect, or a line of the log. Clients and sites
 * live in the process of the test and speak SOAP with the server: a client that gets no answer makes the same offer again to
 * the next server. After one more start and one sweep every reservation belongs to a living agreement, every
 * living agreement has all its reservations, and what was promised is kept.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Isolated("starts a process after the other")
class CrashRecoveryIT {

    static final List<String> SITES = List.of("fzj", "scai", "cesca");

    private static final int OFFERS = 200;
    /** The last two are early in a start. */
    private static final int KILLS = Integer.getInteger("metasched.crash.kills", 10);

    private static final Duration GRACE = Duration.ofSeconds(2);
    /** A start logs a few more than that, up to the line that it listens. */
    private static final int MOST_LINES_OF_A_START = 12;

    private final long seed = Long.getLong("metasched.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Tripwire.Wire wire = new Tripwire.Wire();
    private final Map<String, SimulatedScheduler> sites = new LinkedHashMap<>();
    private final List<AdapterHost> hosts = new ArrayList<>();
    private final StormClients clients = new StormClients(
            OFFERS, Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofHours(2)));

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
            hosts.add(AdapterHost.start(new Tripwire(site, wire), 0));
        }
    }

    @AfterEach
    void stopSites() {
        hosts.forEach(AdapterHost::close);
    }

    @Test
    void killsInAStormLeaveNothingHeldThatIsNotAgreed() throws Exception {
        var config = configuration("server.yaml", Duration.ofSeconds(5));

        for (int kill = 0; kill < KILLS; kill++) {
            stormAndKill(config, kill);
        }
        int heldAfterTheLastKill =
                sites.values().stream().mapToInt(s -> s.held().size()).sum();
        sites.values().forEach(s -> s.misbehavesAtRandom(0, 0));

        // One sweep can only clear what the sites answer for, so on a busy machine they are given time now.
        var patient = configuration("patient.yaml", Duration.ofMinutes(1));
        try (var server =
                ServerAssembly.start(ConfigurationFile.read(Optional.of(patient), Optional.of(0)), Clock.systemUTC())) {
            // What was under way to a site when the last server died may arrive until then; the sweep is to be the only
            // one.
            Instant settled = Instant.now().plus(GRACE);
            Awaitility.await().until(() -> Instant.now().isAfter(settled));
            var sweep = server.sweepNow();
            var living = server.agreements().newest(Set.of(AgreementState.OBSERVED), Optional.empty(), 10_000);
            print(heldAfterTheLastKill, sweep, living);

            for (var name : SITES) {
                assertThat(heldAt(name))
                        .as(() -> "held at %s, seed %d, %s, %s"
                                .formatted(name, seed, sweep, unwantedAt(name, living, server)))
                        .isEqualTo(wantedAt(name, living));
            }
            var ids = living.stream().map(a -> a.id().value()).toList();
            assertThat(ids).as("promised and not ended, seed %d", seed).containsAll(clients.promised());
            // With early kills no client may have come to end what it was promised.
            assertThat(clients.ended()).as("ended, seed %d", seed).noneMatch(ids::contains);
            assertThat(clients.promised()).isNotEmpty();
            assertThat(sweep.held()).isZero();
        }
    }

    private Path configuration(String file, Duration callTimeout) throws IOException {
        var text = new StringBuilder("""
                port: 0
                data: %s
                negotiation: {lead: 5s, call-timeout: %ds, attempts: 12}
                sweeper: {every: 1h, grace: %ds}
                monitor: {every: 1h}
                sites:
                """.formatted(folder, callTimeout.toSeconds(), GRACE.toSeconds()));
        for (int i = 0; i < SITES.size(); i++) {
            text.append("  - {site: %s, url: '%s'}%n"
                    .formatted(SITES.get(i), hosts.get(i).endpoint()));
        }
        return Files.writeString(folder.resolve(file), text);
    }

    /** The last two are killed while they start or recover, the others in the storm, while they talk with a site. */
    private void stormAndKill(Path config, int kill) throws Exception {
        boolean early = kill >= KILLS - 2;
        try (var server = ServerProcess.start(config, early ? random.nextInt(1, MOST_LINES_OF_A_START) : 0)) {
            if (early) {
                server.awaitLines();
                return;
            }
            clients.storm(server.awaitReady(), random.nextInt(1, 25), new Random(random.nextLong()));
            var killed = wire.trip(random.nextInt(1, 60), server::kill);
            // When the storm is over before so many messages, the server is killed in the calm.
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> killed.getCount() == 0 || clients.areDone());
        } finally {
            clients.stop();
        }
    }

    private void print(int heldAfterTheLastKill, OrphanSweeper.Report sweep, List<Agreement> living) {
        System.out.printf(
                "CrashRecoveryIT: seed %d, %d kills, %d offers (%s); %d reservations held after the last kill,"
                        + " %d entries cleared by one sweep, %d living agreements, %d reservations held%n",
                seed,
                KILLS,
                OFFERS,
                clients,
                heldAfterTheLastKill,
                sweep.released(),
                living.size(),
                sites.values().stream().mapToInt(s -> s.held().size()).sum());
    }

    private Set<String> heldAt(String site) {
        var keys = new TreeSet<String>();
        Objects.requireNonNull(sites.get(site))
                .held()
                .forEach(s -> keys.add(s.reservation().key().value()));
        return keys;
    }

    /** What is held there and should not be, and the agreements that have it among their reservations. */
    private String unwantedAt(String site, List<Agreement> living, ServerAssembly server) {
        var unwanted = new TreeSet<>(heldAt(site));
        unwanted.removeAll(wantedAt(site, living));
        var owners = server.agreements().newest(10_000).stream()
                .filter(a -> a.keys().stream().anyMatch(k -> unwanted.contains(k.value())))
                .map(a -> a.id() + " " + a.state() + " since " + a.changed())
                .toList();
        return "unwanted " + unwanted + " of " + owners;
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
