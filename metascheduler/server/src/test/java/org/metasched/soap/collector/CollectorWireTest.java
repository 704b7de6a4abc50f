package org.metasched.soap.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.AdvertiseReceipt;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseSamples;
import org.metasched.publisher.MatchmakerMonitor;
import org.metasched.trust.ClientCredentials;

class CollectorWireTest {

    @TempDir
    private Path directory;

    private SoapServer server;
    private RemoteCollector remote;
    private RemoteLeases leases;

    @BeforeEach
    void start() throws Exception {
        var clock = Clock.systemUTC();
        var monitor = new MatchmakerMonitor(
                new InMemoryCollector(clock), new FileLeases(directory, clock, match -> Sight.MISSING));
        server = SoapServer.onPort(0)
                .service("Collector", OpenCollector.of(monitor))
                .start();
        remote = RemoteCollector.at(server.base(), Duration.ofSeconds(20));
        leases = new RemoteLeases(server.base(), ClientCredentials.ANONYMOUS);
    }

    @AfterEach
    void stop() {
        remote.close();
        server.close();
    }

    @Test
    void manyAdsGoInSeveralMessagesAndEachIsAnswered() throws Exception {
        var ads = new ArrayList<ClassAd>();
        for (int i = 0; i < 2_500; i++) {
            ads.add(ClassAd.EMPTY.with("MyType", "Machine").with("Name", "m" + i));
        }
        var told = new ArrayList<Integer>();

        var receipts = remote.advertiseAll(ads, told::add);

        assertThat(receipts).hasSize(2_500).allMatch(AdvertiseReceipt.Kept.class::isInstance);
        assertThat(told).containsExactly(1_000, 2_000, 2_500);
    }

    @Test
    void whatIsAdvertisedIsFoundAgainWithoutItsTicket() throws Exception {
        var ad = ClassAd.parse(
                "[MyType=\"Machine\"; Name=\"grün <&>\"; Memory=2048; ClaimId=\"secret\"; Rank=TARGET.Prio*2]");

        var receipt = remote.advertise(ad);
        var found = remote.query(CollectorQuery.ofType("machine").where(Expr.parse("Memory > 1000")));

        assertThat(receipt)
                .isInstanceOfSatisfying(
                        AdvertiseReceipt.Kept.class,
                        kept -> assertThat(kept.first()).isTrue());
        assertThat(found).containsExactly(ad.without("ClaimId"));
        assertThat(remote.query(CollectorQuery.all().selecting(List.of("Name"))))
                .singleElement()
                .satisfies(one -> assertThat(one.names()).containsExactly("Name"));
        assertThat(remote.find(new AdKey("Machine", "grün <&>"))).isPresent();
    }

    @Test
    void badAdsAndConstraintsAreRefusedWithTheReason() throws Exception {
        var refused = remote.advertise(ClassAd.parse("[MyType=\"Machine\"]"));

        assertThat(refused)
                .isInstanceOfSatisfying(
                        AdvertiseReceipt.Refused.class,
                        refusal -> assertThat(refusal.reason()).contains("no name"));
        remote.advertise(ClassAd.parse("[MyType=\"Machine\"; Name=\"s\"; MaxMatches=9; MatchUnit=\"node\"]"));
        var negative = LeaseSamples.request("s", 9, "/dags/1");
        assertThatThrownBy(() ->
                        leases.acquire(new LeaseRequest("s", negative.room(), "/dags/1", negative.claimant(), -5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(-5) must be at least 1");
        assertThatThrownBy(() -> leases.acquire(LeaseSamples.request("nowhere", 1, "/dags/1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(nowhere)");
    }

    @Test
    void matchesAreTakenAndGivenBackAcrossTheWire() throws Exception {
        remote.advertise(ClassAd.parse("[MyType=\"Machine\"; Name=\"wisc\"; CurMatches=0; MaxMatches=1]"));

        UUID match = leases.acquire(LeaseSamples.request("wisc", 1, "/dags/1")).orElseThrow();
        var second = leases.acquire(LeaseSamples.request("wisc", 1, "/dags/2"));
        boolean kept = leases.commit(match);

        assertThat(second).isEmpty();
        assertThat(kept).isTrue();
        assertThat(remote.query(CollectorQuery.all())
                        .get(0)
                        .evaluate("CurMatches")
                        .print())
                .isEqualTo("1");
        assertThat(leases.release(match)).isTrue();
        assertThat(leases.release(match)).isFalse();
        assertThat(leases.acquire(LeaseSamples.request("wisc", 1, "/dags/3"))).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "http://www.w3.org/2003/05/soap-envelope, application/soap+xml, 400, :Sender",
        "http://schemas.xmlsoap.org/soap/envelope/, text/xml, 500, :Client"
    })
    void aMatchWhoseIdIsNoneIsNamedAsTheSendersFault(String envelope, String type, int status, String code)
            throws Exception {
        String message = """
                <s:Envelope xmlns:s="%s"><s:Body>
                <RenewMatch xmlns="urn:metasched:collector:1"><Match>first</Match></RenewMatch></s:Body></s:Envelope>""";
        var request = HttpRequest.newBuilder(server.base().resolve("/services/Collector"))
                .header("Content-Type", type)
                .POST(BodyPublishers.ofString(message.formatted(envelope)))
                .build();

        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).contains("The match (first) must be a UUID.", code);
    }

    @Test
    void invalidatingDropsTheAd() throws Exception {
        remote.advertise(ClassAd.parse("[MyType=\"Machine\"; Name=\"a\"]"));
        remote.advertise(ClassAd.parse("[MyType=\"Machine\"; Name=\"b\"]"));

        assertThat(remote.invalidate(new AdKey("Machine", "a"))).isTrue();
        assertThat(remote.invalidate(CollectorQuery.ofType("Machine"))).isEqualTo(1);
        assertThat(remote.snapshot()).isEmpty();
    }

    @Test
    void aCollectorThatIsNotThereIsAFailureOfTheWorld() {
        var nobody = RemoteCollector.at(URI.create("http://127.0.0.1:9/"), Duration.ofSeconds(2));

        assertThatThrownBy(nobody::snapshot)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("127.0.0.1:9");
        nobody.close();
    }
}
