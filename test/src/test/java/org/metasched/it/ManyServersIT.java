package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
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
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
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
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;

/**
 * Three servers on one PostgreSQL behind a balancer, while some are killed, stopped for longer than their lease or cut off from everything, and the
 * database is restarted. In the end every acknowledgement is held against all that the sites hold. Large with {@code
 * -Dmetasched.nodes.offers=5000 -Dmetasched.nodes.blows=100 -Dmetasched.nodes.pause=60}; with {@code -Dmetasched.nodes.other=CLASSPATH} the
 * last of the servers is of another version.
 */
@Timeout(value = 120, unit = TimeUnit.MINUTES)
@Isolated("starts a process after the other")
class ManyServersIT {

    private static final List<String> SITES = List.of("fzj", "scai", "cesca", "viola");
    private static final int NODES = Integer.getInteger("metasched.nodes.servers", 3);
    private static final int CLIENTS = Integer.getInteger("metasched.nodes.clients", 8);
    private static final int OFFERS = Integer.getInteger("metasched.nodes.offers", 150);
    private static final int BLOWS = Integer.getInteger("metasched.nodes.blows", 4);
    /** The longest that a server is stopped or cut off, in seconds. */
    private static final int PAUSE = Integer.getInteger("metasched.nodes.pause", 20);

    private static final Duration GRACE = Duration.ofSeconds(2);
    /** Longer than a lease: others take its work over. */
    private static final Duration STOP = Duration.ofSeconds(12);

    private final long seed = Long.getLong("metasched.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Map<String, SimulatedScheduler> sites = new LinkedHashMap<>();
    private final List<AdapterHost> hosts = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    /** Everything that a server says and hears, but what this test does to its process. */
    private final List<Cable> cables = new ArrayList<>();

    private final List<ServerProcess> servers = new ArrayList<>();
    private final List<Duration> takeovers = new ArrayList<>();
    private final Map<String, Integer> blows = new TreeMap<>();
    private final List<Path> configurations = new ArrayList<>();
    private int postgresPort;
    private EmbeddedPostgres postgres;
    private final Cable balancer = new Cable();
    private int balanced;

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
        postgresPort = FreePort.next();
        postgres = startPostgres();
        var doors = new ArrayList<Integer>();
        for (int i = 0; i < NODES; i++) {
            ports.add(FreePort.next());
            cables.add(new Cable());
            doors.add(cables.get(i).to(ports.get(i)));
        }
        balanced = balancer.to(doors.toArray(Integer[]::new));
        for (int i = 0; i < NODES; i++) {
            configurations.add(configuration(i));
            servers.add(server(i));
            servers.get(i).awaitReady();
        }
    }

    @AfterEach
    void stop() throws IOException {
        servers.forEach(ServerProcess::close);
        balancer.close();
        for (var cable : cables) {
            cable.close();
        }
        hosts.forEach(AdapterHost::close);
        postgres.close();
    }

    @Test
    void whatWasAcknowledgedIsWhatTheSitesHold() throws Exception {
        var began = Instant.now();
        var earliest = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofHours(6));
        try (var clients = new PersistentClients(address(), SITES, earliest, OFFERS, CLIENTS)) {
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
            try (var last = ServerAssembly.start(
                    ConfigurationFile.read(Optional.of(configuration(NODES)), Optional.of(0)), Clock.systemUTC())) {
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

    /** Kills a server, stops one for longer than its lease, restarts the database, cuts one off: in turn at first, then at random. */
    private void strike(int blow) throws Exception {
        int which = random.nextInt(NODES);
        var server = servers.get(which);
        // The database three times in a hundred blows.
        int kind =
                blow < 4 ? blow : random.nextInt(100) < 3 ? 2 : List.of(0, 1, 3).get(random.nextInt(3));
        var pause = blow < 4 ? STOP : Duration.ofSeconds(random.nextInt(5, PAUSE + 1));
        switch (kind) {
            case 0 -> {
                blows.merge("kill", 1, Integer::sum);
                takeOver(server);
                servers.set(which, server(which));
                servers.get(which).awaitReady();
            }
            case 1 -> {
                blows.merge("stop", 1, Integer::sum);
                server.signal("STOP");
                pass(pause);
                server.signal("CONT");
            }
            case 2 -> {
                blows.merge("database", 1, Integer::sum);
                postgres.close();
                postgres = startPostgres();
            }
            default -> {
                blows.merge("cut", 1, Integer::sum);
                cables.get(which).cut();
                pass(pause);
                cables.get(which).mend();
            }
        }
    }

    private static void pass(Duration pause) {
        var until = Instant.now().plus(pause);
        Awaitility.await().atMost(2, TimeUnit.MINUTES).until(() -> Instant.now().isAfter(until));
    }

    private ServerProcess server(int number) throws IOException {
        String other = System.getProperty("metasched.nodes.other", "");
        return number == NODES - 1 && !other.isEmpty()
                ? ServerProcess.ofClassPath(other, configurations.get(number))
                : ServerProcess.start(configurations.get(number));
    }

    private URI address() {
        return URI.create("http://127.0.0.1:" + balanced);
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
        return url(postgresPort);
    }

    private static String url(int port) {
        return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres";
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
                        address(),
                        folder.resolve("node" + node),
                        node < NODES ? url(cables.get(node).to(postgresPort)) : url(),
                        node < NODES ? "2s" : "1h",
                        GRACE.toSeconds()));
        for (int i = 0; i < SITES.size(); i++) {
            var site = hosts.get(i).endpoint();
            text.append("  - {site: %s, url: 'http://127.0.0.1:%d%s'}%n"
                    .formatted(
                            SITES.get(i),
                            node < NODES ? cables.get(node).to(site.getPort()) : site.getPort(),
                            site.getPath()));
        }
        return Files.writeString(folder.resolve("server-" + node + ".yaml"), text);
    }
}
