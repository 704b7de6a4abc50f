package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.http.HttpServer;
import org.metasched.http.PublicAddress;
import org.metasched.trust.AccessPolicy;
import org.metasched.trust.AccessPolicy.People;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authentication;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.MessageVerifier;
import org.metasched.trust.Quotas;
import org.metasched.trust.ReplayCache;
import org.metasched.trust.Signing;

/** A signed message counts at the server for which it was signed, whatever the {@code Host} header of its carrier says. */
class SignedForOthersTest {

    @TempDir
    private Path folder;

    @Test
    void aMessageForAnotherServerIsRefused() throws Exception {
        var authority = new DemoAuthority(folder, Clock.systemUTC());
        var alice = new Signing(authority.member("alice"));
        try (var chains = new ChainVerifier(authority.directory());
                var host = AdapterHost.start(
                        new NotebookScheduler(),
                        HttpServer.at(new InetSocketAddress("0.0.0.0", 0)),
                        accepting(chains),
                        Map.of());
                var named = AdapterHost.start(
                        new NotebookScheduler(),
                        HttpServer.onPort(0)
                                .knownAs(new PublicAddress(Optional.empty(), List.of(), Set.of("other.example"))),
                        accepting(chains),
                        Map.of())) {
            int port = host.endpoint().getPort();
            String machine = InetAddress.getLocalHost().getHostName();
            for (String own : List.of("127.0.0.1:" + port, "localhost:" + port, machine + ":" + port)) {
                assertThat(post(port, own, signed(alice, own))).as(own).startsWith("HTTP/1.1 200 ");
            }
            for (String other : List.of("other.example:1", "192.0.2.7:" + port, "[2001:db8::7]:" + port)) {
                assertThat(post(port, other, signed(alice, other))).as(other).startsWith("HTTP/1.1 401 ");
            }
            String alias = "other.example:1";
            assertThat(post(named.endpoint().getPort(), alias, signed(alice, alias)))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    private static Authentication accepting(ChainVerifier chains) {
        var clock = Clock.systemUTC();
        return new Authentication(
                Optional.empty(),
                Optional.of(chains),
                Optional.empty(),
                Optional.of(new MessageVerifier(
                        Optional.of(chains), Optional.empty(), ReplayCache.inThisProcess(clock), clock)),
                true,
                new Authorizer(new AccessPolicy(People.CLOSED, List.of()), Quotas.NONE, AuditLog.NONE));
    }

    private static String signed(Signing signer, String authority) throws Exception {
        try (var question = SignedForOthersTest.class.getResourceAsStream("/golden/available.request.xml")) {
            return Signing.text(
                    signer.sign(Signing.parse("<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'>"
                            + "<s:Header><a:To xmlns:a='http://www.w3.org/2005/08/addressing'>http://" + authority
                            + "/services/Site</a:To></s:Header><s:Body>"
                            + new String(question.readAllBytes(), StandardCharsets.UTF_8)
                            + "</s:Body></s:Envelope>")));
        }
    }

    private static String post(int port, String host, String message) throws Exception {
        byte[] body = message.getBytes(StandardCharsets.UTF_8);
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(("POST /services/Site HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
                                    + "Content-Type: application/soap+xml; charset=utf-8\r\nContent-Length: "
                                    + body.length + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
