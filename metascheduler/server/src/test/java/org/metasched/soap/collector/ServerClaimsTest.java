package org.metasched.soap.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.publisher.Evidence.Sight;
import org.metasched.publisher.MatchLedger;
import org.metasched.publisher.MatchmakerMonitor;
import org.metasched.soap.collector.ServerClaims.ServerSilentException;

class ServerClaimsTest {

    private static final ClassAd SITE =
            ClassAd.EMPTY.with("MyType", "Machine").with("Name", "wisc").with("MaxMatches", 1L);

    @TempDir
    private Path directory;

    private SoapServer server;
    private ServerClaims claims;

    @BeforeEach
    void start() throws Exception {
        var clock = Clock.systemUTC();
        var monitor = new MatchmakerMonitor(
                new InMemoryCollector(clock), new MatchLedger(directory, clock, match -> Sight.MISSING));
        monitor.advertise(SITE);
        server = SoapServer.onPort(0)
                .service("Collector", new CollectorEndpoint(monitor, monitor))
                .start();
        claims = new ServerClaims(server.base());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theServerCountsAndSettles() throws Exception {
        String match = claims.take(SITE, "/dags/1", 1).orElseThrow();

        assertThat(claims.take(SITE, "/dags/2", 1)).isEmpty();
        assertThat(claims.settle(match, true)).isTrue();
        assertThat(claims.settle(match, false)).isTrue();
        assertThat(claims.settle(match, false)).isFalse();
        assertThat(claims.take(SITE, "/dags/2", 1)).isPresent();
    }

    @Test
    void theAdIsTheServersOwnCount() {
        assertThat(claims.counted(List.of(SITE))).containsExactly(SITE);
        assertThat(claims.where()).isEqualTo(server.base().toString());
    }

    @Test
    void aSiteWithoutAnAdAndAMatchWithoutANameAreMistakes() {
        assertThatThrownBy(() -> claims.take(ClassAd.EMPTY.with("Name", "nowhere"), "/dags/1", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() -> claims.settle("none", true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(none)");
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws IOException {
        var nobody = new ServerClaims(URI.create("http://127.0.0.1:" + closedPort()));

        assertThatThrownBy(() -> nobody.take(SITE, "/dags/1", 1))
                .isInstanceOf(ServerSilentException.class)
                .hasMessageStartingWith("No answer from the collector at " + nobody.where());
    }

    private static int closedPort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
