package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.Need;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.client.AgreementClient;
import org.metasched.client.Credentials;
import org.metasched.client.OfferWriter;
import org.metasched.fakes.FakeSite;
import org.metasched.http.HttpServer;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.KeyMaterial;

/** A server, its operators' port, an adapter and the calls between them, while all their certificates are renewed: no request fails. */
@Tag("full")
class RenewedGridTest {

    private static final int CLIENTS = 8;
    private static final int RENEWALS = 3;
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    private DemoAuthority authority;
    private SSLContext trust;

    private record Door(String member, InetSocketAddress address) {}

    @Test
    void noRequestFailsAndTheNewCertificatesAreServedSoon() throws Exception {
        authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        trust = new ClientCredentials(Optional.empty(), Optional.of(authority.authorities()), Optional.empty())
                .tls()
                .orElseThrow();
        var loopback = InetAddress.getLoopbackAddress();
        var operators = operators();
        var settings = SecuritySettings.read(
                YamlSettings.parse("site", security("adapter", "server: ['" + DemoAuthority.subjectOf("calls") + "']")),
                false);
        try (var gate = ListenerIdentity.open(
                        settings, new InetSocketAddress(loopback, 0), Optional.empty(), Clock.systemUTC());
                var adapter = AdapterHost.start(
                        new FakeSite("fzj", 64, Clock.systemUTC()),
                        HttpServer.at(new InetSocketAddress(loopback, 0)),
                        gate.authentication(),
                        Map.of());
                var server = ServerAssembly.start(
                        ConfigurationFile.from(YamlSettings.parse("server", configuration(adapter, operators))),
                        Clock.systemUTC())) {
            var doors = new LinkedHashMap<String, Door>();
            doors.put(
                    "server",
                    new Door(
                            "server",
                            new InetSocketAddress(loopback, server.base().getPort())));
            doors.put(
                    "adapter",
                    new Door(
                            "adapter",
                            new InetSocketAddress(loopback, adapter.endpoint().getPort())));
            operators.ifPresent(address -> doors.put("operators", new Door("server", address)));
            underLoad(server, doors);
        }
    }

    private void underLoad(ServerAssembly server, Map<String, Door> doors) throws Exception {
        var enough = new AtomicBoolean();
        var threads = Executors.newFixedThreadPool(CLIENTS);
        var counts = new ArrayList<Future<Integer>>();
        var plain = List.copyOf(doors.values());
        for (int i = 0; i < CLIENTS; i++) {
            int client = i;
            Callable<Void> call = client % 2 == 0
                    ? () -> agreement(server, "offer-" + client)
                    : () -> health(plain.get(client / 2 % plain.size()).address());
            counts.add(threads.submit(() -> {
                int count = 0;
                do {
                    call.call();
                    count++;
                } while (!enough.get());
                call.call();
                return count;
            }));
        }
        try {
            for (int i = 0; i < RENEWALS; i++) {
                authority.member("calls");
                authority.member("adapter");
                authority.member("server");
                for (var door : doors.entrySet()) {
                    BigInteger renewed = newest(door.getValue().member());
                    await(door.getKey())
                            .atMost(WITHIN)
                            .until(() -> renewed.equals(serial(door.getValue().address())));
                }
            }
        } finally {
            enough.set(true);
        }
        var calls = new ArrayList<Integer>();
        for (var count : counts) {
            calls.add(count.get());
        }
        assertThat(calls).allMatch(count -> count > 0);
        threads.shutdown();
        System.out.printf(
                "%d doors renewed %d times, no request failed of each client's %s%n", doors.size(), RENEWALS, calls);
    }

    /** Goes on to the adapter, proven by the server's own certificate. */
    private Void agreement(ServerAssembly server, String name) throws Exception {
        var alice = new Credentials(Optional.of(trust), target -> Optional.empty());
        var client = new AgreementClient(server.base(), PATIENCE, alice);
        var made = client.create(OfferWriter.write(
                server.agreements().templates().get(0).key(),
                new OfferWriter.OfferContent(
                        name + "-" + System.nanoTime(),
                        "",
                        List.of(new OfferWriter.Part(Optional.of("fzj"), Optional.empty(), new Need.Nodes(1))),
                        Duration.ofHours(1),
                        Optional.empty(),
                        Optional.empty())));
        client.terminate(made.agreementId());
        return null;
    }

    private Void health(InetSocketAddress address) throws IOException {
        try (var socket = open(address)) {
            socket.getOutputStream()
                    .write("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200");
            return null;
        }
    }

    private BigInteger serial(InetSocketAddress address) throws IOException {
        try (var socket = open(address)) {
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
        }
    }

    private SSLSocket open(InetSocketAddress address) throws IOException {
        var socket = (SSLSocket) trust.getSocketFactory().createSocket(address.getAddress(), address.getPort());
        socket.startHandshake();
        return socket;
    }

    private BigInteger newest(String member) {
        var files = new Tls(
                folder.resolve("pki").resolve(member + ".pem"),
                folder.resolve("pki").resolve(member + ".key"));
        return KeyMaterial.of(files).get().chain()[0].getSerialNumber();
    }

    /** Off loopback, where the port has TLS, if this machine has such an address. */
    private static Optional<InetSocketAddress> operators() throws IOException {
        var other = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        if (other.isEmpty()) {
            return Optional.empty();
        }
        try (var socket = new ServerSocket(0, 1, other.get())) {
            return Optional.of(new InetSocketAddress(other.get(), socket.getLocalPort()));
        }
    }

    private String configuration(AdapterHost adapter, Optional<InetSocketAddress> operators) throws IOException {
        var calls = authority.member("calls");
        return """
                port: 0
                data: %s
                drain: 1s
                client: {certificate: %s, key: %s, authorities: %s}
                sites: [{site: fzj, url: '%s'}]
                """.formatted(
                                folder.resolve("server"),
                                calls.certificate(),
                                calls.key(),
                                authority.authorities(),
                                adapter.endpoint())
                + operators
                        .map(at -> "operators: '" + at.getAddress().getHostAddress() + ":" + at.getPort() + "'\n")
                        .orElse("")
                + security("server", "").replace("anonymous: false", "anonymous: true");
    }

    private String security(String member, String roles) throws IOException {
        var own = authority.member(member);
        return "security: {certificate: %s, key: %s, authorities: %s, anonymous: false, roles: {%s}}%n"
                .formatted(own.certificate(), own.key(), authority.directory(), roles);
    }
}
