package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.Wiring;

/**
 * Three servers on one PostgreSQL behind a {@link Balancer}, while some are killed or stopped for longer than their lease, and the database is
 * restarted. In the end every acknowledgement is held against all that the sites hold. Large with {@code -Dmetasched.nodes.offers=5000
 * -Dmetasched.nodes.blows=100}.
 */
@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@Isolated("starts a process after the other")
class ManyServersIT {

    private static final List<String> SITES = List.of("fzj", "scai", "cesca", "viola");
    private static final int NODES = Integer.getInteger("metasched.nodes.servers", 3);
    private static final int CLIENTS = Integer.getInteger("metasched.nodes.clients", 8);
    private static final int OFFERS = Integer.getInteger("metasched.nodes.offers", 150);
    private static final int BLOWS = Integer.getInteger("metasched.nodes.blows", 3);
    private static final Duration GRACE = Duration.ofSeconds(2);
    /** Longer than a lease: others take its work over. */
    private static final Duration STOP = Duration.ofSeconds(12);

    private final long seed = Long.getLong("metasched.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, SimulatedScheduler> sites = new LinkedHashMap<>();
    private final List<AdapterHost> hosts = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final List<ServerProcess> servers = new ArrayList<>();
    private final List<Duration> takeovers = new ArrayList<>();
    private final Map<String, Integer> blows = new TreeMap<>();
    private int postgresPort;
    private EmbeddedPostgres postgres;
    private Balancer balancer;

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws Exception {
        for (var name : SITES) {
            var site = new SimulatedSite(new SiteId(name))
                    .nodes(64)
                    .open(Clock.systemUTC())
                    .misbehavesAtRandom(seed + hosts.size(), 0.03);
            sites.put(name, site);
            hosts.add(AdapterHost.start(site, 0));
        }
        postgresPort = freePort();
        postgres = startPostgres();
        for (int i = 0; i < NODES; i++) {
            ports.add(freePort());
        }
        balancer = new Balancer(ports);
        for (int i = 0; i < NODES; i++) {
            servers.add(ServerProcess.start(configuration(i)));
        }
        for (var server : servers) {
            server.awaitReady();
        }
    }

    @AfterEach
    void stop() throws IOException {
        servers.forEach(ServerProcess::close);
        balancer.close();
        hosts.forEach(AdapterHost::close);
        postgres.close();
    }

    @Test
    void whatWasAcknowledgedIsWhatTheSitesHold() throws Exception {
        var began = Instant.now();
        var earliest = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofHours(6));
        try (var clients = new PersistentClients(balancer.address(), SITES, earliest, OFFERS, CLIENTS)) {
            for (int blow = 0; blow < BLOWS; blow++) {
                int due = OFFERS * (blow + 1) / (BLOWS + 2);
                Awaitility.await().atMost(10, TimeUnit.MINUTES).until(() -> clients.done() >= due);
                strike(blow);
            }
            Awaitility.await().atMost(10, TimeUnit.MINUTES).until(clients::areDone);
            var took = Duration.between(began, Instant.now());
            var processor = Duration.ZERO;
            for (var server : servers) {
                processor = processor.plus(server.processorTime());
            }
            sites.values().forEach(site -> site.misbehavesAtRandom(0, 0));
            for (var server : servers) {
                server.terminate();
            }
            try (var last =
                    Wiring.start(ConfigurationFile.read(configuration(NODES)).onPort(0), Clock.systemUTC())) {
                var started = Instant.now();
                Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> adsAreNewerThan(started, last.base()));
                var history = new HistoryCheck(clients, last, sites);
                Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> {
                    last.sweepNow();
                    return unfinished() == 0 && history.isQuiet();
                });
                System.out.printf(
                        "ManyServersIT: seed %d, %d offers in %s (%s), processor time of %d servers since their start"
                                + " %s, blows %s, takeovers %s; %s%n",
                        seed, OFFERS, took, clients, NODES, processor, blows, takeovers, history.counts());
                assertThat(history.counts())
                        .as("seed %d, %s", seed, history.details())
                        .allSatisfy((what, count) -> assertThat(count).as(what).isZero());
                assertThat(clients.accepted.size()).isGreaterThan(OFFERS / 3);
                // A lease of 9 s, looked at every 2 s; ten times that on a busy machine.
                assertThat(takeovers).allSatisfy(one -> assertThat(one).isLessThan(Duration.ofSeconds(130)));
            }
        }
    }

    /** Kills a server, stops one for longer than its lease, or restarts the database, in turn at first and then at random. */
    private void strike(int blow) throws Exception {
        int kind = blow < 3 ? blow : random.nextInt(20);
        int which = random.nextInt(NODES);
        var server = servers.get(which);
        if (kind == 2) {
            blows.merge("database", 1, Integer::sum);
            postgres.close();
            postgres = startPostgres();
        } else if (kind % 2 == 1) {
            blows.merge("stop", 1, Integer::sum);
            server.signal("STOP");
            var until = Instant.now().plus(blow < 3 ? STOP : Duration.ofSeconds(random.nextInt(5, 20)));
            Awaitility.await()
                    .atMost(1, TimeUnit.MINUTES)
                    .until(() -> Instant.now().isAfter(until));
            server.signal("CONT");
        } else {
            blows.merge("kill", 1, Integer::sum);
            takeOver(server);
            servers.set(which, ServerProcess.start(configuration(which)));
            servers.get(which).awaitReady();
        }
    }

    private void takeOver(ServerProcess server) throws SQLException {
        long epoch = number("SELECT COALESCE(MAX(epoch), 0) FROM node WHERE name LIKE '%/" + server.pid() + "'");
        server.kill();
        var killed = Instant.now();
        Awaitility.await()
                .atMost(5, TimeUnit.MINUTES)
                .until(() -> number("SELECT (SELECT COUNT(*) FROM node WHERE epoch = "
                                + epoch + ") + (SELECT COUNT(*) FROM agreement WHERE state LIKE 'PENDING%' AND owner = "
                                + epoch
                                + ") + (SELECT COUNT(*) FROM reservation_journal WHERE standing IN ('INTENDED',"
                                + " 'GRANTED') AND owner = " + epoch + ")")
                        == 0);
        takeovers.add(Duration.between(killed, Instant.now()));
    }

    private long unfinished() throws SQLException {
        return number("SELECT (SELECT COUNT(*) FROM reservation_journal WHERE standing <> 'KEPT')"
                + " + (SELECT COUNT(*) FROM agreement WHERE state IN ('PENDING', 'PENDING_AND_TERMINATING',"
                + " 'OBSERVED_AND_TERMINATING'))");
    }

    /** The servers advertise these sites; the one that does it now has not done so before. */
    private static boolean adsAreNewerThan(Instant time, URI server) throws IOException {
        try (var in = server.resolve("/api/v1/ads?type=Machine").toURL().openStream()) {
            var received = new ObjectMapper().readTree(in).findValuesAsText("received");
            return received.size() == SITES.size()
                    && received.stream().allMatch(text -> Instant.parse(text).isAfter(time));
        }
    }

    private long number(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(url());
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private String url() {
        return "jdbc:postgresql://localhost:" + postgresPort + "/postgres?user=postgres";
    }

    private EmbeddedPostgres startPostgres() throws IOException {
        return EmbeddedPostgres.builder()
                .setPort(postgresPort)
                .setDataDirectory(folder.resolve("pg"))
                .setCleanDataDirectory(false)
                .start();
    }

    private Path configuration(int node) throws IOException {
        var text = new StringBuilder("""
            port: %d
            public-url: %s
            data: %s
            database: {url: '%s'}
            negotiation: {lead: 5s, call-timeout: 5s, attempts: 12}
            sweeper: {every: %s, grace: %ds}
            monitor: {every: 2s}
            matchmaking: {advertise-every: 2s}
            sites:
            """.formatted(
                        node < NODES ? ports.get(node) : 0,
                        balancer.address(),
                        folder.resolve("node" + node),
                        url(),
                        node < NODES ? "2s" : "1h",
                        GRACE.toSeconds()));
        for (int i = 0; i < SITES.size(); i++) {
            text.append("  - {site: %s, url: '%s'}%n"
                    .formatted(SITES.get(i), hosts.get(i).endpoint()));
        }
        return Files.writeString(folder.resolve("server-" + node + ".yaml"), text);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
