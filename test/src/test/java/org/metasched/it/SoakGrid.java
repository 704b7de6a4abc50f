package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.simulated.SimulatedSite;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.agreement.AgreementState;
import org.metasched.client.Credentials;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.KeyMaterial;

/**
 * One grid of {@link SoakIT}: a server in a process of its own, with names and a clock that the test makes wrong, two sites behind SOAP, and
 * initiators.
 */
final class SoakGrid implements AutoCloseable {

    private static final List<String> SITES = List.of("north", "south");
    private static final Set<AgreementState> UNFINISHED = EnumSet.of(
            AgreementState.PENDING, AgreementState.PENDING_AND_TERMINATING, AgreementState.OBSERVED_AND_TERMINATING);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration RENEWED_WITHIN = Duration.ofSeconds(5);
    private static final int AUDIT_FILE = 1 << 14;

    private final String name;
    private final DemoAuthority authority;
    private final SSLContext trust;
    private Tls own;
    private final Path archive;
    private final Path folder;
    private final Path data;
    private final String database;
    private final Map<String, SimulatedScheduler> sites = new LinkedHashMap<>();
    private final Map<String, AdapterHost> hosts = new LinkedHashMap<>();
    private final Map<String, Integer> sitePorts = new LinkedHashMap<>();
    private final ShiftedClock clock;
    private final int port = FreePort.next();
    private ServerProcess server;
    private PersistentClients clients;
    final List<Long> heaps = new ArrayList<>();
    int renewals;
    private int archived;
    int restarts;

    /**
     * @param authority that certifies the server, and does again
     * @param data folder of the server, on a file system that gets full
     * @param database that the server is told; empty for its own in its folder
     */
    SoakGrid(String name, DemoAuthority authority, Path folder, Path data, String database) throws IOException {
        this.name = name;
        this.authority = authority;
        trust = new ClientCredentials(Optional.empty(), Optional.of(authority.authorities()), Optional.empty())
                .tls()
                .orElseThrow();
        own = authority.member(name);
        this.folder = Files.createDirectories(folder);
        archive = Files.createDirectories(folder.resolve("archive"));
        this.data = data;
        this.database = database;
        for (var site : SITES) {
            var simulated = new SimulatedSite(new SiteId(site)).nodes(256).open(Clock.systemUTC());
            sites.put(site, simulated);
            hosts.put(site, AdapterHost.start(simulated, 0));
            sitePorts.put(site, hosts.get(site).endpoint().getPort());
        }
        resolves(true);
        clock = new ShiftedClock(folder.resolve("clock"));
    }

    private URI address() {
        return URI.create("https://127.0.0.1:" + port);
    }

    void startServer() throws IOException {
        server = ServerProcess.start(configuration(port, "2s"), environment());
        server.awaitReady();
    }

    private Map<String, String> environment() {
        var environment = new LinkedHashMap<String, String>();
        environment.put(
                "JDK_JAVA_OPTIONS",
                "-Dmetasched.audit.file-bytes=" + AUDIT_FILE
                        + " -Dsun.net.inetaddr.ttl=1 -Dsun.net.inetaddr.negative.ttl=1 -Djdk.net.hosts.file="
                        + folder.resolve("hosts"));
        environment.putAll(clock.environment());
        return environment;
    }

    private Path configuration(int listen, String sweepEvery) throws IOException {
        var text = new StringBuilder("""
                port: %d
                public-url: %s
                data: %s
                negotiation: {lead: 5s, call-timeout: 2s, attempts: 12}
                sweeper: {every: %s, grace: 2s}
                monitor: {every: 2s}
                matchmaking: {advertise-every: 2s}
                security: {certificate: %s, key: %s}
                """.formatted(listen, address(), data, sweepEvery, own.certificate(), own.key()));
        if (!database.isEmpty()) {
            text.append("database: {url: '%s'}%n".formatted(database));
        }
        text.append("sites:\n");
        for (var site : SITES) {
            text.append("  - {site: %s, url: 'http://localhost:%d%s'}%n"
                    .formatted(
                            site,
                            sitePorts.get(site),
                            hosts.get(site).endpoint().getPath()));
        }
        return Files.writeString(folder.resolve("server-" + listen + ".yaml"), text);
    }

    void startClients(PersistentClients.Pace pace) {
        var earliest = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofHours(6));
        clients = new PersistentClients(
                address(),
                new Credentials(Optional.of(trust), target -> Optional.empty()),
                SITES,
                earliest,
                Integer.MAX_VALUE,
                2,
                pace);
    }

    /** Returns when each has come to the end of what it did. */
    void endClients() {
        clients.enough();
        await(clients::areDone);
    }

    /** @param known whether the name of sites and database is */
    void resolves(boolean known) throws IOException {
        replace("hosts", "127.0.0.1 " + InetAddress.getLocalHost().getHostName() + (known ? " localhost\n" : "\n"));
    }

    /** Returns when the new certificate is served. */
    void renewCertificate() throws Exception {
        own = authority.member(name);
        BigInteger renewed = KeyMaterial.of(own).get().chain()[0].getSerialNumber();
        Awaitility.await(name + ": the new certificate").atMost(RENEWED_WITHIN).until(() -> renewed.equals(served()));
        renewals++;
    }

    private BigInteger served() throws IOException {
        try (var socket = (SSLSocket) trust.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
        }
    }

    /** All files of the record but the one that is written go to an archive. */
    void archiveAudit() throws IOException {
        var files = auditFiles();
        for (Path file : files.subList(0, Math.max(0, files.size() - 1))) {
            Files.move(file, archive.resolve(file.getFileName()));
            archived++;
        }
    }

    private List<Path> auditFiles() throws IOException {
        try (var files = Files.list(data.resolve("audit"))) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        }
    }

    /** By how much the clock of the server is wrong from the next second on. */
    void setClock(Duration offset) throws IOException {
        clock.set(offset);
    }

    private void replace(String file, String text) throws IOException {
        Path next = Files.writeString(folder.resolve(file + ".next"), text);
        Files.move(next, folder.resolve(file), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    void killSite(String site) {
        hosts.get(site).close();
    }

    void startSite(String site) {
        hosts.put(site, AdapterHost.start(sites.get(site), sitePorts.get(site)));
    }

    SimulatedScheduler site(String site) {
        return sites.get(site);
    }

    void killServer() throws IOException {
        server.kill();
        startServer();
    }

    /** Waits until the server can do its work; one that stops meanwhile, because it could not go on safely, is started again. */
    Duration awaitHealth() {
        var begin = Instant.now();
        await(() -> health() == HttpURLConnection.HTTP_OK);
        return Duration.between(begin, Instant.now());
    }

    /** A server that has stopped itself is started again meanwhile. */
    private void await(Callable<Boolean> condition) {
        try {
            Awaitility.await(name).atMost(PATIENCE).until(() -> {
                if (!server.isAlive()) {
                    restarts++;
                    startServer();
                }
                return condition.call();
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(
                    name + ": " + clients + ", the health page says " + health() + ", the server lives: "
                            + server.isAlive() + ", and said " + server.log() + "\n" + server.threads(),
                    e);
        }
    }

    /** Status of the health page; 0 if there is none. */
    int health() {
        try {
            var connection =
                    (HttpURLConnection) address().resolve("/health").toURL().openConnection();
            connection.setReadTimeout(10_000);
            return connection.getResponseCode();
        } catch (IOException e) {
            return 0;
        }
    }

    void measureHeap() throws Exception {
        heaps.add(server.usedHeap(address()));
    }

    /** Ends the server, lets a last one clear up within that time, and holds all that was said against all that the sites hold. */
    void check(Duration rest) throws Exception {
        var books = data.resolve("server.mv.db");
        if (Files.exists(books)) {
            assertThat(Files.size(books)).as(name + ": bytes of its file").isLessThan(96L << 20);
        }
        server.terminate();
        try (var files = Files.list(archive)) {
            for (Path file : files.toList()) {
                Files.move(file, data.resolve("audit").resolve(file.getFileName()));
            }
        }
        int auditFiles = auditFiles().size();
        var audit = CliProcess.run(
                folder, Map.of(), "audit", "verify", data.resolve("audit").toString());
        assertThat(audit.exit()).as(name + ": " + audit.out() + audit.err()).isZero();
        try (var last = ServerAssembly.start(ConfigurationFile.read(configuration(0, "1h")), Clock.systemUTC())) {
            var history = new HistoryCheck(clients, last, sites);
            Awaitility.await(name)
                    .atMost(rest)
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> {
                        last.sweepNow();
                        return last.agreements()
                                        .newest(UNFINISHED, Optional.empty(), 1)
                                        .isEmpty()
                                && history.isQuiet();
                    });
            System.out.printf(
                    "SoakIT: %s: %s, %d restarts, %d renewals, %d files of the record, %d of them archived, heap MiB %s, %s;%n  audit: %s  refused: %s%n",
                    name,
                    clients,
                    restarts,
                    renewals,
                    auditFiles,
                    archived,
                    heaps.stream().map(b -> b >> 20).toList(),
                    history.counts(),
                    audit.out(),
                    clients.reasons());
            assertThat(history.counts())
                    .as(name + ": " + history.details())
                    .allSatisfy((what, count) -> assertThat(count).as(what).isZero());
            assertThat(clients.accepted.size() + clients.ended.size()).isPositive();
        }
    }

    @Override
    public void close() {
        if (clients != null) {
            clients.close();
        }
        if (server != null) {
            server.close();
        }
        hosts.values().forEach(AdapterHost::close);
    }
}
