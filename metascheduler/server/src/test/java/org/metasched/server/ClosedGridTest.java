package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.policy.PolicedScheduler;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.adapter.soap.OutgoingCalls;
import org.metasched.adapter.soap.RemoteScheduler;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.AdvertiseReceipt;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.Credentials;
import org.metasched.client.OfferWriter;
import org.metasched.fakes.FakeSite;
import org.metasched.http.HttpServer;
import org.metasched.soap.collector.RemoteCollector;
import org.metasched.trust.AuditLog;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.Operation;
import org.w3c.dom.Document;

/** A server and an adapter, both closed, over TLS: who may what at every door. */
@Tag("full")
class ClosedGridTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private static Path folder;

    private static DemoAuthority authority;
    private static ListenerIdentity gate;
    private static AdapterHost adapter;
    private static ServerAssembly server;
    private static ClientCredentials operator;
    private static ClientCredentials alice;
    private static ClientCredentials bob;
    private static ClientCredentials site;
    private static ClientCredentials rival;
    private static ClientCredentials speaker;

    @BeforeAll
    static void serve() throws Exception {
        authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        operator = caller("operator");
        alice = caller("alice");
        bob = caller("bob");
        site = caller("site");
        rival = caller("rival");
        var own = authority.member("server");
        speaker = new ClientCredentials(Optional.of(own), Optional.of(authority.authorities()), Optional.empty());
        var security = security(own, "server: ['" + DemoAuthority.subjectOf("server") + "']");
        gate = ListenerIdentity.open(
                SecuritySettings.read(YamlSettings.parse("site", security), false),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                Clock.systemUTC());
        adapter = AdapterHost.start(
                PolicedScheduler.around(new FakeSite("fzj", 64, Clock.systemUTC()), policy(), Clock.systemUTC()),
                HttpServer.onPort(0),
                gate.authentication(),
                Map.of("/reservations", () -> "{}"));
        server = ServerAssembly.start(
                ConfigurationFile.from(YamlSettings.parse("server", configuration(own))), Clock.systemUTC());
    }

    /** What alice asks for herself is forbidden, whatever a server may ask for her. */
    private static YamlSettings policy() {
        String rule =
                "rules: [{name: by a server only, servers: ['" + DemoAuthority.subjectOf("alice") + "'], deny: true}]";
        return YamlSettings.parse("policy", rule);
    }

    private static String configuration(Tls own) {
        return """
                port: 0
                data: %s
                drain: 1s
                client: {certificate: %s, key: %s, authorities: %s}
                sites:
                  - {site: fzj, url: '%s', subject: '%s'}
                """.formatted(
                                folder.resolve("server"),
                                own.certificate(),
                                own.key(),
                                authority.authorities(),
                                adapter.endpoint(),
                                DemoAuthority.subjectOf("site"))
                + security(
                        own,
                        "operator: ['" + DemoAuthority.subjectOf("operator") + "'], site: ['"
                                + DemoAuthority.subjectOf("site") + "', '" + DemoAuthority.subjectOf("rival") + "']");
    }

    private static String security(Tls own, String roles) {
        return "security: {certificate: %s, key: %s, authorities: %s, anonymous: false, quotas: {ad-bytes: 4000}, roles: {%s}}%n"
                .formatted(own.certificate(), own.key(), authority.directory(), roles);
    }

    @AfterAll
    static void stop() {
        server.close();
        adapter.close();
        gate.close();
    }

    @Test
    void everyOperationThatIsServedStandsInTheTableOfRules() {
        var served = new TreeSet<>(server.operations());
        served.addAll(adapter.operations());
        // What `metasched listen` serves, and what every listener does.
        served.add("Introductions/Introduce");
        served.add("GET ?wsdl");

        assertThat(Operation.all()).extracting(Operation::id).containsExactlyInAnyOrderElementsOf(served);
    }

    @Test
    void theServerReservesForTheSubjectThatProvedItselfAndNobodyElseEndsIt() throws Exception {
        var made = client(alice).create(offer("alice-1", ""));

        assertThat(made.sites()).hasSize(1);
        assertThat(client(bob).list()).isEmpty();
        assertThatThrownBy(() -> client(bob).terminate(made.agreementId()))
                .hasMessageContaining("There is no agreement");
        assertThatThrownBy(() -> client(bob).create(offer("bob-1", DemoAuthority.subjectOf("alice"))))
                .isInstanceOf(AgreementFaultException.class)
                .hasMessageContaining("must be the sender");
        assertThat(client(operator).list()).hasSize(1);
        client(alice).terminate(made.agreementId());
    }

    @Test
    void theRulesOfASiteKnowWhoSentTheMessage() throws Exception {
        var start = Instant.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(60));
        for (ClientCredentials sender : List.of(alice, speaker)) {
            try (var remote = RemoteScheduler.at(
                    new SiteId("fzj"),
                    adapter.endpoint(),
                    new OutgoingCalls(sender, Duration.ofSeconds(5), PATIENCE))) {
                if (sender == speaker) {
                    assertThat(remote.earliestStart(request("alice"), start)).isPresent();
                } else {
                    assertThatThrownBy(() -> remote.earliestStart(request("alice"), start))
                            .isInstanceOf(LocalSchedulerException.Refused.class)
                            .hasMessageContaining("rule by a server only, deny");
                    assertThatThrownBy(() -> remote.reserve(new RequestKey("k9"), request("alice"), start))
                            .hasMessageContaining("rule by a server only, deny");
                }
            }
        }
    }

    @Test
    void anAdapterDoesNotBelieveWhatAMessageSaysOfItsRequester() throws Exception {
        var start = Instant.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(50));

        try (var remote = RemoteScheduler.at(
                new SiteId("fzj"), adapter.endpoint(), new OutgoingCalls(bob, Duration.ofSeconds(5), PATIENCE))) {
            assertThatThrownBy(() -> remote.reserve(new RequestKey("k1"), request("alice"), start))
                    .isInstanceOf(LocalSchedulerException.Refused.class)
                    .hasMessageContaining("may not reserve for");
            var own = remote.reserve(new RequestKey("k2"), request("bob"), start);
            assertThatThrownBy(() -> remote.cancel(new ReservationId(own.id().value())))
                    .isInstanceOf(LocalSchedulerException.Misconfigured.class)
                    .hasMessageContaining("does not let this server do Cancel");
        }
    }

    @Test
    void anAdIsChangedByItsSiteAlone() throws Exception {
        // The server advertises the site itself until the site does.
        long later = Instant.now().plus(Duration.ofDays(1)).getEpochSecond();
        var ours = ad("fzj").with("UpdateSequenceNumber", later);
        try (var honest = collector(site);
                var hostile = collector(rival);
                var user = collector(alice)) {
            assertThat(honest.advertise(ours)).isInstanceOf(AdvertiseReceipt.Kept.class);

            assertThat(hostile.advertise(ad("fzj")
                            .with("UpdateSequenceNumber", Long.MAX_VALUE)
                            .with("AuthenticatedIdentity", DemoAuthority.subjectOf("site"))))
                    .isInstanceOf(AdvertiseReceipt.Refused.class);
            assertThat(hostile.advertise(ad("decoy").with("Site", "FZJ"))).isInstanceOf(AdvertiseReceipt.Refused.class);
            assertThat(hostile.advertise(ad("rival"))).isInstanceOf(AdvertiseReceipt.Kept.class);
            var large = ad("large").with("Text", "x".repeat(3_000));
            assertThat(hostile.advertise(large)).isInstanceOf(AdvertiseReceipt.Kept.class);
            assertThat(hostile.advertise(large)).as("in its own place").isInstanceOf(AdvertiseReceipt.Kept.class);
            assertThat(hostile.advertise(ad("second").with("Text", "x".repeat(3_000))))
                    .isInstanceOfSatisfying(
                            AdvertiseReceipt.Refused.class,
                            refused -> assertThat(refused.reason())
                                    .contains("as many bytes of ads as it may have (4000)"));
            assertThat(honest.advertise(ours)).isInstanceOf(AdvertiseReceipt.Kept.class);
            assertThat(hostile.invalidate(CollectorQuery.ofType("Machine"))).isEqualTo(2);
            assertThat(hostile.invalidate(new AdKey("Machine", "fzj"))).isFalse();
            assertThatThrownBy(() -> user.advertise(ad("mine"))).hasMessageContaining("NOT_ALLOWED");

            assertThat(honest.advertise(ours.with("UpdateSequenceNumber", later + 1)))
                    .isInstanceOf(AdvertiseReceipt.Kept.class);
            assertThat(user.query(CollectorQuery.ofType("Machine")))
                    .singleElement()
                    .satisfies(kept -> assertThat(
                                    kept.evaluate("AuthenticatedIdentity").print())
                            .contains(DemoAuthority.subjectOf("site")));
        }
    }

    @Test
    void whatWasDecidedIsWrittenDown() throws Exception {
        try (var user = collector(alice)) {
            assertThatThrownBy(() -> user.invalidate(new AdKey("Machine", "fzj")))
                    .hasMessageContaining("NOT_ALLOWED");
        }

        Path audit = folder.resolve("server/audit");
        assertThat(AuditLog.verify(audit, Optional.empty()).problem()).isEmpty();
        assertThat(Files.readString(audit.resolve("audit-000001.jsonl")))
                .contains("\"who\":\"" + DemoAuthority.subjectOf("alice") + "\",\"kind\":\"certificate\","
                        + "\"what\":\"Collector/Invalidate\",\"from\":\"127.0.0.1:");
    }

    private static ClassAd ad(String name) {
        return ClassAd.EMPTY.with("MyType", "Machine").with("Name", name);
    }

    private static ResourceRequest request(String name) {
        return new ResourceRequest(
                new Need.Nodes(1), Duration.ofHours(1), Optional.of(new Requester(DemoAuthority.subjectOf(name))));
    }

    private static Document offer(String id, String initiator) {
        return OfferWriter.write(
                server.agreements().templates().get(0).key(),
                new OfferWriter.OfferContent(
                        id,
                        initiator,
                        List.of(new OfferWriter.Part(Optional.of("fzj"), Optional.empty(), new Need.Nodes(2))),
                        Duration.ofHours(1),
                        Optional.empty(),
                        Optional.empty()));
    }

    private static ClientCredentials caller(String name) throws Exception {
        return new ClientCredentials(
                Optional.of(authority.member(name)), Optional.of(authority.authorities()), Optional.empty());
    }

    private static AgreementClient client(ClientCredentials caller) {
        return new AgreementClient(server.base(), PATIENCE, new Credentials(caller.tls(), caller::authorization));
    }

    private static RemoteCollector collector(ClientCredentials caller) {
        return RemoteCollector.at(server.base(), PATIENCE, caller);
    }
}
