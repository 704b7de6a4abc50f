package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.io.EndPoint;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.durable.ReloadedFile;
import org.metasched.http.HttpServer;
import org.metasched.trust.Authentication.Tls;

/** Certificates, keys, authorities and revocation lists that change while a server runs. */
class RenewedFilesTest {

    @Test
    void aNewCertificateIsServedAndGarbageIsNot(@TempDir Path folder) throws Exception {
        var authority = new DemoAuthority(folder.resolve("ca"), Clock.systemUTC());
        var tls = authority.member("server");
        try (var server = server(tls, Optional.empty()).start()) {
            var before = serial(server.base(), authority);
            authority.member("server");

            assertThat(serial(server.base(), authority)).isNotEqualTo(before).isEqualTo(serial(tls));

            byte[] good = Files.readAllBytes(tls.certificate());
            Files.writeString(tls.certificate(), "garbage");
            assertThat(serial(server.base(), authority)).isEqualTo(serial(good));
            assertThat(status(tls.certificate()).failed()).isTrue();
            assertThat(status(tls.certificate()).expires())
                    .hasValueSatisfying(
                            t -> assertThat(t).isAfter(Clock.systemUTC().instant()));

            Files.write(tls.certificate(), good);
            ReloadedFile.lookAtAll();
            assertThat(status(tls.certificate()).failed()).isFalse();
        }
    }

    @Test
    @Tag("full")
    void aKeyWrittenAfterItsCertificateIsTakenWithIt(@TempDir Path folder) throws Exception {
        var authority = new DemoAuthority(folder.resolve("ca"), Clock.systemUTC());
        var tls = authority.member("server");
        byte[] oldKey = Files.readAllBytes(tls.key());
        var material = KeyMaterial.of(tls);
        var first = material.get();
        authority.member("server");
        byte[] newKey = Files.readAllBytes(tls.key());
        Files.write(tls.key(), oldKey);
        Files.setLastModifiedTime(tls.key(), FileTime.fromMillis(1));
        assertThat(material.get()).isSameAs(first);

        Files.write(tls.key(), newKey);

        assertThat(material.get().chain()[0].getSerialNumber()).isEqualTo(serial(tls));
    }

    @Test
    @Tag("full")
    void noRequestFailsWhileCertificatesAreRenewedUnderEightClients(@TempDir Path folder) throws Exception {
        var authority = new DemoAuthority(folder.resolve("ca"), Clock.systemUTC());
        var tls = authority.member("server");
        var client = authority.member("client");
        try (var server = server(tls, Optional.of(new ChainVerifier(authority.directory())))
                .start()) {
            var renewed = new AtomicBoolean();
            var pool = Executors.newFixedThreadPool(8);
            Callable<Integer> calls = () -> {
                int count = 0;
                do {
                    assertThat(get(server.base(), caller(authority, client))).isEqualTo(200);
                    count++;
                } while (!renewed.get());
                return count;
            };
            var counts = IntStream.range(0, 8).mapToObj(i -> pool.submit(calls)).toList();
            for (int i = 0; i < 2; i++) {
                authority.member("server");
            }
            renewed.set(true);
            for (var count : counts) {
                assertThat(count.get()).isPositive();
            }
            pool.shutdown();
        }
    }

    @Tag("full")
    @Test
    void outgoingCallsProveThemselvesByTheNewCertificate(@TempDir Path folder) throws Exception {
        var authority = new DemoAuthority(folder.resolve("ca"), Clock.systemUTC());
        var own = authority.member("client");
        var seen = new ArrayBlockingQueue<BigInteger>(1);
        var listener = server(
                authority.member("server"),
                Optional.of(new ChainVerifier(authority.directory())),
                Authorizer.OPEN,
                request -> seen.add(((EndPoint.SslSessionData) ServletContextRequest.getServletContextRequest(request)
                                .getAttribute(EndPoint.SslSessionData.ATTRIBUTE))
                        .peerCertificates()[0].getSerialNumber()));
        try (var server = listener.start()) {
            var context = caller(authority, own);
            get(server.base(), context);
            assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo(serial(own));
            var before = serial(own);

            authority.member("client");

            await().atMost(Duration.ofSeconds(30)).until(() -> {
                get(server.base(), context);
                return !before.equals(seen.peek()) || seen.poll() == null;
            });
            assertThat(seen.poll()).isEqualTo(serial(own));
        }
    }

    @Test
    @Tag("full")
    void aNewCertificateIsServedAtTheOperatorsPort(@TempDir Path folder) throws Exception {
        var other = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst();
        assumeTrue(other.isPresent(), "This machine has the loopback address alone, where the port is plain.");
        var authority = new DemoAuthority(folder.resolve("ca"), Clock.systemUTC());
        var tls = authority.member("server");
        int port = freePort(other.get());
        try (var server = server(tls, Optional.empty())
                .operators(new InetSocketAddress(other.get(), port))
                .start()) {
            var before = serial(other.get(), port, authority);
            authority.member("server");

            assertThat(serial(other.get(), port, authority))
                    .isNotEqualTo(before)
                    .isEqualTo(serial(tls));
            assertThat(serial(server.base(), authority)).isEqualTo(serial(tls));
        }
    }

    private static int freePort(InetAddress address) throws IOException {
        try (var socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }

    @Test
    @Tag("full")
    void aRevocationHoldsWhenItsListIsThere(@TempDir Path folder) throws Exception {
        var authority = new DemoAuthority(folder.resolve("ca"), Clock.systemUTC());
        var chain = KeyMaterial.of(authority.member("alice")).get().chain();
        var verifier = new ChainVerifier(authority.directory());
        assertThat(verifier.verify(chain).name()).isEqualTo(DemoAuthority.subjectOf("alice"));
        verifier.trustManager().checkClientTrusted(chain, "RSA");

        revoke(authority, "garbage");
        ReloadedFile.lookAtAll();
        assertThat(verifier.verify(chain).name()).isEqualTo(DemoAuthority.subjectOf("alice"));
        assertThat(status(authority.directory()).failed()).isTrue();

        revoke(authority, authority.revocations(chain[0]));
        ReloadedFile.lookAtAll();
        assertThatThrownBy(() -> verifier.verify(chain))
                .isInstanceOf(UntrustedException.class)
                .hasMessageContaining("revoked");
        assertThat(status(authority.directory()).failed()).isFalse();
    }

    @Test
    void aCertificateThatTheHandshakeRefusesIsRecordedWithItsReason(@TempDir Path folder) throws Exception {
        var authority = new DemoAuthority(folder.resolve("ca"), Clock.systemUTC());
        var alice = authority.member("alice");
        revoke(authority, authority.revocations(KeyMaterial.of(alice).get().chain()[0]));
        Path record = folder.resolve("audit");
        try (var log = AuditLog.in(record, Optional.empty(), Clock.systemUTC());
                var server = server(
                                authority.member("server"),
                                Optional.of(new ChainVerifier(authority.directory())),
                                new Authorizer(AccessPolicy.OPEN, Quotas.NONE, log),
                                request -> {})
                        .start()) {
            assertThatThrownBy(() -> get(server.base(), caller(authority, alice)))
                    .isInstanceOf(IOException.class);

            await().atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(record.resolve("audit-000001.jsonl"))
                            .content()
                            .contains(
                                    "\"from\":\"127.0.0.1:",
                                    "\"outcome\":\"denied\"",
                                    "the credential (certificate) is refused:",
                                    "CN=alice",
                                    "revoked"));
        }
    }

    private static void revoke(DemoAuthority authority, String list) throws IOException {
        try (var files = Files.list(authority.directory())) {
            for (Path file : files.filter(f -> f.toString().endsWith(".r0")).toList()) {
                Files.writeString(file, list);
            }
        }
    }

    private static ReloadedFile.Status status(Path file) {
        return ReloadedFile.statuses().stream()
                .filter(s -> s.file().equals(file))
                .findFirst()
                .orElseThrow();
    }

    private static HttpServer.Builder server(Tls tls, Optional<ChainVerifier> chains) {
        return server(tls, chains, Authorizer.OPEN, request -> {});
    }

    private static HttpServer.Builder server(
            Tls tls, Optional<ChainVerifier> chains, Authorizer guard, Consumer<HttpServletRequest> look) {
        return HttpServer.onPort(0)
                .authentication(
                        new Authentication(Optional.of(tls), chains, Optional.empty(), Optional.empty(), false, guard))
                .servlet("/health", new HttpServlet() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
                        look.accept(request);
                        response.setStatus(200);
                    }
                });
    }

    private static SSLContext caller(DemoAuthority authority, Tls own) {
        return new ClientCredentials(Optional.of(own), Optional.of(authority.authorities()), Optional.empty())
                .tls()
                .orElseThrow();
    }

    private static int get(URI base, SSLContext tls) throws Exception {
        return HttpClient.newBuilder()
                .sslContext(tls)
                .build()
                .send(HttpRequest.newBuilder(base.resolve("/health")).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private static BigInteger serial(URI base, DemoAuthority authority) throws Exception {
        return serial(InetAddress.getLoopbackAddress(), base.getPort(), authority);
    }

    private static BigInteger serial(InetAddress address, int port, DemoAuthority authority) throws Exception {
        var tls = new ClientCredentials(Optional.empty(), Optional.of(authority.authorities()), Optional.empty())
                .tls()
                .orElseThrow();
        try (var socket = (javax.net.ssl.SSLSocket) tls.getSocketFactory().createSocket(address, port)) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
        }
    }

    private static BigInteger serial(Tls tls) throws Exception {
        return serial(Files.readAllBytes(tls.certificate()));
    }

    private static BigInteger serial(byte[] pem) throws Exception {
        return ((X509Certificate) java.security.cert.CertificateFactory.getInstance("X.509")
                        .generateCertificate(new java.io.ByteArrayInputStream(pem)))
                .getSerialNumber();
    }
}
