package org.metasched.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.trust.Caller;

@Timeout(60)
class OutboundPolicyTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1/",
                "https://10.1.2.3/",
                "https://172.16.0.1/",
                "https://192.168.1.1/",
                "https://169.254.169.254/latest/meta-data",
                "https://100.64.0.1/",
                "https://0.0.0.0/",
                "https://224.0.0.1/",
                "https://[::1]/",
                "https://[::]/",
                "https://[::ffff:7f00:1]/",
                "https://[::ffff:127.0.0.1]/",
                "https://[64:ff9b::7f00:1]/",
                "https://[2002:7f00:1::]/",
                "https://[fe80::1]/",
                "https://[fd00::1]/",
                "https://0177.1/",
                "https://2130706433/",
                "https://0x7f000001/",
                "https://127.1/",
                "https://grid.example.org./",
                "https://good.example.org@127.0.0.1/",
                "https://good.example.org\\@127.0.0.1/",
                "http://grid.example.org/",
                "ftp://grid.example.org/",
                "file:///etc/passwd",
                "https:///nothing",
                "https://grid.example.org:22/",
                "https://grid.example.org:0/",
                "https://grid.example.org/#x"
            })
    void addressesAtWhichNoStrangersServiceIsAreRefused(String address) {
        assertThatIllegalArgumentException().isThrownBy(() -> OutboundPolicy.STRICT.read(address));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://grid.example.org/x",
                "https://grid.example.org:8443/",
                "https://[2a00::1]/",
                "https://8.8.8.8/"
            })
    void othersAreRead(String address) {
        assertThat(OutboundPolicy.STRICT.read(address)).isEqualTo(URI.create(address));
    }

    @Test
    void operatorsOpenNetworksAndNameHosts() {
        var inside = new OutboundPolicy(
                Set.of("http"), List.of("*.example.org"), List.of(Network.of("10.0.0.0/8")), Set.of());

        assertThat(inside.read("http://a.example.org:8080/")).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> inside.read("http://example.net:8080/"))
                .withMessageContaining("not among those that are called");
        assertThat(new OutboundPolicy(Set.of("http"), List.of(), inside.networks(), Set.of())
                        .read("http://10.1.1.1:8080/"))
                .isNotNull();
    }

    @Test
    void aNameThatLeadsToThisMachineIsNotConnectedTo() throws Exception {
        var seen = new AtomicInteger();
        var server = server(seen, 200);
        var policy = new OutboundPolicy(Set.of("http"), List.of(), List.of(), Set.of());
        try (var client = new OutboundClient(policy, Caller.ANONYMOUS, PATIENCE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.post(named(server), "text/plain", new byte[1], PATIENCE))
                    .withMessageContaining("127.0.0.1");
            assertThat(seen).hasValue(0);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void noRedirectionIsFollowed() throws Exception {
        var seen = new AtomicInteger();
        var server = server(seen, 302);
        try (var client = new OutboundClient(OutboundPolicy.LOCAL, Caller.ANONYMOUS, PATIENCE)) {
            assertThat(client.post(named(server), "text/plain", new byte[1], PATIENCE)
                            .status())
                    .isEqualTo(302);
            assertThat(seen).hasValue(1);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void anAnswerWithoutEndIsCutOff() throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            try (var body = exchange.getResponseBody()) {
                for (int i = 0; i < 100_000; i++) {
                    body.write(new byte[1024]);
                }
            }
        });
        server.start();
        try (var client = new OutboundClient(OutboundPolicy.LOCAL, Caller.ANONYMOUS, PATIENCE)) {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> client.get(named(server), Duration.ofSeconds(30))))
                    .isInstanceOf(ExecutionException.class);
        } finally {
            server.stop(0);
        }
    }

    private static URI named(HttpServer server) {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    }

    private static HttpServer server(AtomicInteger seen, int status) throws Exception {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            seen.incrementAndGet();
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        return server;
    }
}
