package org.metasched.http;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.temporaryRedirect;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.trust.ClientCredentials;

@Timeout(60)
class OutboundPolicyTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @RegisterExtension
    private final WireMockExtension server =
            WireMockExtension.newInstance().failOnUnmatchedRequests(false).build();

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
                Set.of("http"), List.of("*.example.org"), List.of(AddressBlock.of("10.0.0.0/8")), Set.of());

        assertThat(inside.read("http://a.example.org:8080/")).isNotNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> inside.read("http://example.net:8080/"))
                .withMessageContaining("not one of the allowed hosts");
        assertThat(new OutboundPolicy(Set.of("http"), List.of(), inside.networks(), Set.of())
                        .read("http://10.1.1.1:8080/"))
                .isNotNull();
    }

    @Test
    void aNameThatLeadsToThisMachineIsNotConnectedTo() {
        var policy = new OutboundPolicy(Set.of("http"), List.of(), List.of(), Set.of());
        try (var client = new OutboundClient(policy, ClientCredentials.ANONYMOUS, PATIENCE)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> client.post(named(), "text/plain", new byte[1], Map.of(), PATIENCE))
                    .withMessageContaining("127.0.0.1");
            server.verify(0, anyRequestedFor(anyUrl()));
        }
    }

    @Test
    void noRedirectionIsFollowed() throws Exception {
        server.stubFor(any(anyUrl()).willReturn(temporaryRedirect("/elsewhere")));
        try (var client = new OutboundClient(OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS, PATIENCE)) {
            assertThat(client.post(named(), "text/plain", new byte[1], Map.of(), PATIENCE)
                            .status())
                    .isEqualTo(302);
            server.verify(1, anyRequestedFor(anyUrl()));
        }
    }

    @Tag("full")
    @Test
    void anAnswerWithoutEndIsCutOff() {
        server.stubFor(any(anyUrl()).willReturn(aResponse().withBody(new byte[100 << 20])));
        try (var client = new OutboundClient(OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS, PATIENCE)) {
            assertThatThrownBy(() -> client.post(named(), "text/plain", new byte[1], Map.of(), Duration.ofSeconds(30)))
                    .isInstanceOf(ExecutionException.class);
        }
    }

    @Test
    void headersWithoutEndAreCutOff() throws Exception {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var client = new OutboundClient(OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS, PATIENCE)) {
            var answering = new Thread(() -> {
                try (var caller = listener.accept()) {
                    caller.getOutputStream()
                            .write(("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + "X: 23456789\r\n".repeat(80_000)
                                            + "\r\n")
                                    .getBytes(US_ASCII));
                    caller.shutdownOutput();
                    caller.getInputStream().readAllBytes();
                } catch (IOException expected) {
                    // The client hangs up.
                }
            });
            answering.start();
            var address = URI.create("http://localhost:" + listener.getLocalPort() + "/");
            assertThatThrownBy(() -> client.post(address, "text/plain", new byte[1], Map.of(), PATIENCE))
                    .isInstanceOf(ExecutionException.class);
            answering.join();
        }
    }

    @Test
    void noCookieIsKept() throws Exception {
        server.stubFor(any(anyUrl()).willReturn(aResponse().withHeader("Set-Cookie", "seen=1; Path=/")));
        try (var client = new OutboundClient(OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS, PATIENCE)) {
            client.post(named(), "text/plain", new byte[1], Map.of(), PATIENCE);
            client.post(named(), "text/plain", new byte[1], Map.of(), PATIENCE);
            server.verify(2, anyRequestedFor(anyUrl()).withoutHeader("Cookie"));
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void anAnswerThatBreaksOffIsAFailureAndNoAnswer(Fault fault) {
        server.stubFor(any(anyUrl()).willReturn(aResponse().withFault(fault)));
        try (var client = new OutboundClient(OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS, PATIENCE)) {
            assertThatThrownBy(() -> client.post(named(), "text/plain", new byte[1], Map.of(), Duration.ofSeconds(30)))
                    .isInstanceOf(ExecutionException.class);
        }
    }

    private URI named() {
        return URI.create("http://localhost:" + server.getPort() + "/");
    }
}
