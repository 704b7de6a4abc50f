package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
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
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.adapter.Need;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.adapter.soap.RemoteScheduler;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.w3c.dom.Document;

/**
 * A tree of two levels: one server above, regions below it, simulated sites at the leaves. The first region is a process, which is killed at
 * each step of an agreement: before and after each message that makes or cancels a reservation, above it and below it. Large with {@code
 * -Dmetasched.tree.regions=8 -Dmetasched.tree.sites=8 -Dmetasched.tree.parts=5}.
 */
@Tag("full")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
@Isolated("starts a process after the other")
class TreeOfGridsIT {

    private static final int REGIONS = Integer.getInteger("metasched.tree.regions", 2);
    private static final int SITES = Integer.getInteger("metasched.tree.sites", 3);
    private static final int PARTS = Integer.getInteger("metasched.tree.parts", 2);
    /** An offer and its end: messages of two levels, two steps each. */
    private static final int STEPS = 16;

    private static final int KILLS = Integer.getInteger("metasched.tree.kills", 3);

    private final Tripwire.Wire wire = new Tripwire.Wire();
    private final Map<String, SimulatedScheduler> sites = new LinkedHashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Path> configurations = new ArrayList<>();
    private final List<ServerAssembly> regions = new ArrayList<>();
    private final List<URI> doors = new ArrayList<>();
    private ServerProcess victim;
    private ServerAssembly above;
    private AgreementClient client;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws Exception {
        for (int r = 0; r < REGIONS; r++) {
            configurations.add(region(r));
        }
        victim = ServerProcess.start(configurations.get(0));
        victim.awaitReady();
        for (int r = 1; r < REGIONS; r++) {
            regions.add(ServerAssembly.start(ConfigurationFile.read(configurations.get(r)), Clock.systemUTC()));
        }
        var text = new StringBuilder("port: 0\n" + settings("above"));
        for (int r = 0; r < REGIONS; r++) {
            text.append("  - {site: region%d, url: '%s'}%n".formatted(r, tripped(doors.get(r), "region" + r)));
        }
        above = ServerAssembly.start(
                ConfigurationFile.read(Files.writeString(folder.resolve("above.yaml"), text)), Clock.systemUTC());
        client = new AgreementClient(above.base(), Duration.ofMinutes(1));
    }

    /** A region behind a door that counts messages. */
    private URI tripped(URI door, String name) {
        var remote = RemoteScheduler.at(new SiteId(name), door);
        var host = AdapterHost.start(new Tripwire(remote, wire), 0);
        open.add(host);
        open.add(remote);
        return host.endpoint();
    }

    private Path region(int number) throws IOException {
        int port = FreePort.next();
        doors.add(URI.create("http://127.0.0.1:" + port + "/services/Site"));
        var text = new StringBuilder("grid: region%d%nport: %d%n".formatted(number, port));
        text.append(settings("region" + number));
        for (int s = 0; s < SITES; s++) {
            String name = "site%d-%d".formatted(number, s);
            var site = new SimulatedSite(new SiteId(name)).nodes(16).open(Clock.systemUTC());
            sites.put(name, site);
            var host = AdapterHost.start(number == 0 ? new Tripwire(site, wire) : site, 0);
            open.add(host);
            text.append("  - {site: %s, url: '%s'}%n".formatted(name, host.endpoint()));
        }
        return Files.writeString(folder.resolve("region" + number + ".yaml"), text);
    }

    private String settings(String name) {
        return """
                data: %s
                negotiation: {lead: 2s, call-timeout: 10s, attempts: 3}
                sweeper: {every: 1s, grace: 2s}
                monitor: {every: 1s}
                matchmaking: {advertise-every: 1s}
                sites:
                """.formatted(folder.resolve(name));
    }

    @AfterEach
    void stop() throws Exception {
        above.close();
        victim.close();
        regions.forEach(ServerAssembly::close);
        for (var one : open) {
            one.close();
        }
    }

    @Test
    void aRegionThatDiesInAnyStepLeavesNothingThatNobodyOwns() throws Exception {
        var earliest = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofHours(6));
        var whole = offer("first", earliest);
        var held = await(whole);
        assertThat(held.commitments()).hasSize(PARTS);
        assertThat(held.commitments())
                .extracting(part -> part.reservation().slot().start())
                .as("one start")
                .containsOnly(earliest);
        assertThat(sites.values().stream().mapToInt(site -> site.held().size()).sum())
                .isEqualTo(PARTS);

        int made = 0;
        int cutOff = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            var killed = wire.trip(1 + kill * STEPS / KILLS, victim::kill);
            made += offered("kill-" + kill, earliest) ? 1 : 0;
            wire.trip(0, () -> {});
            cutOff += killed.getCount() == 0 ? 1 : 0;
            victim.kill();
            victim = ServerProcess.start(configurations.get(0));
            victim.awaitReady();
        }
        victim.terminate();
        regions.add(ServerAssembly.start(ConfigurationFile.read(configurations.get(0)), Clock.systemUTC()));
        Awaitility.await().atMost(2, TimeUnit.MINUTES).untilAsserted(() -> {
            above.sweepNow();
            assertThat(heldAtSites()).isEqualTo(wantedAtSites());
        });
        System.out.printf(
                "TreeOfGridsIT: %d regions of %d sites, %d parts, %d kills, %d of them in a step, %d of %d offers were"
                        + " accepted%n",
                REGIONS, SITES, PARTS, KILLS, cutOff, made + 1, KILLS + 1);
        assertThat(living(above)).hasSizeGreaterThanOrEqualTo(1);

        for (var one : living(above)) {
            client.terminate(one.id().value());
        }
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .untilAsserted(() -> assertThat(heldAtSites()).isEmpty());
        assertThat(regions).allSatisfy(region -> assertThat(living(region)).isEmpty());
    }

    /** The sites of regions are known when the regions have advertised them. */
    private Agreement await(Document offer) {
        var made = new ArrayList<String>();
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .ignoreExceptions()
                .until(() -> made.add(client.create(offer).agreementId()));
        return above.agreements().find(new AgreementId(made.get(0))).orElseThrow();
    }

    /** Whether an agreement was made; it is ended at once, so that ends are cut off, too. */
    private boolean offered(String name, Instant earliest) throws IOException {
        try {
            var made = client.create(offer(name, earliest));
            client.terminate(made.agreementId());
            return true;
        } catch (AgreementFaultException refused) {
            return false;
        }
    }

    private Document offer(String name, Instant earliest) throws AgreementFaultException, IOException {
        var parts = IntStream.range(0, PARTS)
                .mapToObj(r -> new Part(Optional.of("region" + r), Optional.empty(), new Need.Nodes(4)))
                .toList();
        return OfferWriter.write(
                AgreementClient.keyOf(client.templates().get(0)),
                new OfferContent(name, "CN=tree", parts, Duration.ofHours(1), Optional.of(earliest), Optional.empty()));
    }

    private static List<Agreement> living(ServerAssembly server) {
        return server.agreements()
                .newest(
                        Set.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING),
                        Optional.empty(),
                        1000);
    }

    private Set<String> heldAtSites() {
        var held = new TreeSet<String>();
        sites.forEach((name, site) -> site.held()
                .forEach(status -> held.add(name + "/" + status.reservation().key())));
        return held;
    }

    /** What the living agreements above hold, followed down to the leaves. */
    private Set<String> wantedAtSites() {
        var wanted = new TreeSet<String>();
        for (var agreement : living(above)) {
            for (var part : agreement.commitments()) {
                var id = new AgreementId(part.reservation().id().value());
                var below = regions.stream()
                        .flatMap(region -> region.agreements().find(id).stream())
                        .findFirst();
                wanted.add(below.filter(one -> one.state() == AgreementState.OBSERVED)
                        .map(one -> one.commitments().get(0))
                        .map(leaf -> leaf.site() + "/" + leaf.reservation().key())
                        .orElse("missing " + id));
            }
        }
        return wanted;
    }
}
