package org.metasched.soap.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseSamples;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchLeases;
import org.metasched.leases.MatchLeasesContract;
import org.metasched.publisher.MatchmakerMonitor;
import org.metasched.store.Database;
import org.metasched.store.DatabaseSettings;
import org.metasched.trust.ClientCredentials;

/** Leases behind a server, over each store. */
@Tag("full")
class RemoteLeasesTest {

    private abstract static class Remote extends MatchLeasesContract {

        private final Collector ads = new InMemoryCollector(Clock.systemUTC());
        private final List<SoapServer> servers = new ArrayList<>();

        @Override
        protected MatchLeases leases(LeaseStore store) throws Exception {
            var monitor = new MatchmakerMonitor(ads, store);
            var server = SoapServer.onPort(0)
                    .service("Collector", OpenCollector.of(monitor))
                    .start();
            servers.add(server);
            return new RemoteLeases(server.base(), ClientCredentials.ANONYMOUS);
        }

        /** The server looks at the ad of the site. */
        @Override
        protected LeaseRequest request(String site, int most, String holder, Claimant claimant) {
            ads.advertise(
                    ClassAd.EMPTY.with("MyType", "Machine").with("Name", site).with("MaxMatches", most));
            return LeaseSamples.request(site, 0, holder, claimant);
        }

        /** Without a certificate or a token. */
        @Override
        protected Claimant known(Claimant claimant) {
            return Claimant.elsewhere("?");
        }

        @Override
        protected boolean isLocal() {
            return false;
        }

        @AfterEach
        void stop() {
            servers.forEach(SoapServer::close);
        }
    }

    @Nested
    class OverAFile extends Remote {
        @TempDir
        private Path folder;

        @Override
        protected LeaseStore store(Clock clock, HolderEvidence evidence) {
            return new FileLeases(folder, clock, evidence);
        }
    }

    @Nested
    class OverADatabase extends Remote {
        private final Database database =
                Database.open(new DatabaseSettings("jdbc:h2:mem:" + UUID.randomUUID(), "", "", 4));

        @Override
        protected LeaseStore store(Clock clock, HolderEvidence evidence) {
            return database.leases(clock, evidence);
        }

        @AfterEach
        void close() {
            database.close();
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() throws IOException {
        var nobody = new RemoteLeases(URI.create("http://127.0.0.1:" + closedPort()), ClientCredentials.ANONYMOUS);

        assertThatThrownBy(() -> nobody.acquire(LeaseSamples.request("wisc", 1, "/dags/1")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("No answer from the collector at http://127.0.0.1");
    }

    @Test
    void theAdsOfAServerShowWhatIsHeldAlready() {
        var ads = List.of(ClassAd.EMPTY.with("Name", "wisc").with("MaxMatches", 1L));

        assertThat(new RemoteLeases(URI.create("http://127.0.0.1:9"), ClientCredentials.ANONYMOUS).counted(ads))
                .isSameAs(ads);
    }

    private static int closedPort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
