package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.classad.ClassAd;
import org.metasched.classad.claim.ClaimAnswer.Agreed;
import org.metasched.classad.claim.ClaimAnswer.Declined;
import org.metasched.classad.claim.ClaimId;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.AdvertiseReceipt;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.MatchRoom;
import org.metasched.soap.claiming.ClaimingClient;
import org.metasched.soap.claiming.ClaimingClient.Step;
import org.metasched.soap.collector.RemoteCollector;
import org.metasched.soap.collector.RemoteLeases;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;

/** A closed server with sites in its own process: matches and ads are their owners', at each door. */
@Tag("full")
class HeldByOthersTest {

    @TempDir
    private static Path folder;

    private static DemoAuthority authority;
    private static ServerAssembly server;
    private static ClientCredentials operator;
    private static ClientCredentials alice;
    private static ClientCredentials bob;
    private static ClientCredentials auditor;
    private static ClientCredentials rival;

    @BeforeAll
    static void serve() throws Exception {
        authority = new DemoAuthority(folder.resolve("pki"), Clock.systemUTC());
        operator = caller("operator");
        alice = caller("alice");
        bob = caller("bob");
        auditor = caller("auditor");
        rival = caller("rival");
        var own = authority.member("server");
        String file = """
                port: 0
                data: %s
                drain: 1s
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 8}}
                  - {site: zib, subject: '%s', scheduler: {type: simulated, nodes: 8}}
                  - {site: lena, subject: '%s', scheduler: {type: simulated, nodes: 8}}
                  - {site: moor, subject: '%s', scheduler: {type: simulated, nodes: 8}}
                security:
                  certificate: %s
                  key: %s
                  authorities: %s
                  quotas: {matches-per-site: 2}
                  roles:
                    user: ['%s', '%s', '%s']
                    operator: ['%s']
                    auditor: ['%s']
                    site: ['%s', '%s']
                """.formatted(
                        folder.resolve("server"),
                        DemoAuthority.subjectOf("bob"),
                        DemoAuthority.subjectOf("bob"),
                        DemoAuthority.subjectOf("bob"),
                        own.certificate(),
                        own.key(),
                        authority.directory(),
                        DemoAuthority.subjectOf("alice"),
                        DemoAuthority.subjectOf("bob"),
                        DemoAuthority.subjectOf("auditor"),
                        DemoAuthority.subjectOf("operator"),
                        DemoAuthority.subjectOf("auditor"),
                        DemoAuthority.subjectOf("rival"),
                        DemoAuthority.subjectOf("bob"));
        server = ServerAssembly.start(ConfigurationFile.from(YamlSettings.parse("server", file)), Clock.systemUTC());
        for (String site : List.of("fzj", "zib", "lena", "moor")) {
            Awaitility.await().until(() -> ad(site).isPresent());
        }
        advertised("pool");
        advertised("lake");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aMatchIsItsOwnersAtTheSoapDoor() {
        UUID held = leases(alice).acquire(request("pool")).orElseThrow();

        for (var other : List.of(bob, auditor, rival)) {
            assertRefused(() -> leases(other).renew(held));
            assertRefused(() -> leases(other).commit(held));
            assertRefused(() -> leases(other).release(held));
        }
        assertThat(leases(alice).renew(held)).isTrue();
        assertThat(leases(alice).commit(held)).isTrue();
        assertThat(leases(operator).release(held)).isTrue();
        assertThat(leases(alice).release(held)).isFalse();
    }

    private interface Attempt {
        boolean isDone();
    }

    /** As unknown as one that is not held, or refused at the door. */
    private static void assertRefused(Attempt attempt) {
        try {
            assertThat(attempt.isDone()).isFalse();
        } catch (UncheckedIOException e) {
            assertThat(e).hasMessageContaining("NOT_ALLOWED");
        }
    }

    @Test
    void aMatchIsItsOwnersAtTheRestDoor() throws Exception {
        UUID held = leases(alice).acquire(request("pool")).orElseThrow();

        for (var other : List.of(bob, auditor, rival)) {
            assertThat(send(other, "DELETE", "/matches/" + held, "").statusCode())
                    .isIn(403, 404);
            assertThat(send(other, "PATCH", "/matches/" + held, "{}").statusCode())
                    .isIn(403, 404);
            assertThat(send(other, "PATCH", "/matches/" + held, "{\"confirmed\": true}")
                            .statusCode())
                    .isIn(403, 404);
        }
        assertThat(send(alice, "PATCH", "/matches/" + held, "{\"confirmed\": true}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(send(alice, "DELETE", "/matches/" + held, "").statusCode()).isEqualTo(204);
    }

    @Test
    void aSubjectHoldsNoMoreMatchesOfASiteThanItsQuota() throws Exception {
        String wish = "{\"site\": \"lake\", \"holder\": \"h\", \"nodes\": 1}";
        UUID first = leases(alice).acquire(request("lake")).orElseThrow();
        assertThat(send(alice, "POST", "/matches", wish).statusCode()).isEqualTo(201);

        var third = send(alice, "POST", "/matches", wish);
        assertThat(third.statusCode()).isEqualTo(403);
        assertThat(third.body()).contains("has 2 matches of lake", "may have 2");
        assertThatThrownBy(() -> leases(alice).acquire(request("lake"))).hasMessageContaining("may have 2");
        assertThat(leases(bob).acquire(request("lake"))).as("another subject").isPresent();
        leases(alice).release(first);
        assertThat(leases(alice).acquire(request("lake"))).as("in its place").isPresent();
    }

    @Test
    void aSiteIsDrainedByItsSubjectAndByOperatorsOnly() throws Exception {
        String wish = "{\"site\": \"%s\", \"holder\": \"drained:\", \"nodes\": 1}";

        for (var site : List.of("fzj", "moor", "pool")) {
            var answer = send(alice, "POST", "/matches", wish.formatted(site));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(403);
            assertThat(answer.body()).contains("(" + site + ")", "operators");
        }
        assertThat(send(bob, "POST", "/matches", wish.formatted("fzj")).statusCode())
                .isEqualTo(403);
        for (var drain : Map.of("moor", bob, "fzj", operator).entrySet()) {
            var answer = send(drain.getValue(), "POST", "/matches", wish.formatted(drain.getKey()));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            String id = new ObjectMapper().readTree(answer.body()).path("id").asText();
            assertThat(send(alice, "DELETE", "/matches/" + id, "").statusCode()).isEqualTo(404);
            assertThat(send(drain.getValue(), "DELETE", "/matches/" + id, "").statusCode())
                    .isEqualTo(204);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"introduced:job-of-alice", "Introduced:job-of-alice", "introduced:"})
    void aMatchIsTakenForNoCustomerOfTheMatchmaker(String holder) throws Exception {
        String wish = "{\"site\": \"pool\", \"holder\": \"%s\", \"nodes\": 1}".formatted(holder);

        var answer = send(bob, "POST", "/matches", wish);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(answer.body()).contains(holder, "claim");
        var request = new LeaseRequest("pool", MatchRoom.exactly(0), holder, Claimant.elsewhere("?"), 1);
        assertThatThrownBy(() -> leases(bob).acquire(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(" + holder + ")");
        assertThat(send(bob, "GET", "/matches", "").body()).doesNotContain(holder);
    }

    @Test
    void aClaimIsPreemptedByTheOwnerOfItsResourceAndWithoutAnAdByAnOperator() throws Exception {
        UUID claim = claimed(machine("brook"), rival);
        assertMayNotPreempt(bob, claim);
        assertThat(withdraw("brook", rival)).isTrue();

        assertMayNotPreempt(bob, claim);
        assertMayNotPreempt(rival, claim);
        assertThat(claims(alice).take(Step.RENEW, claim)).isInstanceOf(Agreed.class);
        assertThat(claims(operator).take(Step.PREEMPT, claim)).isInstanceOf(Agreed.class);
    }

    @Test
    void theSubjectOfASitePreemptsAClaimThereAlsoWithoutItsAd() throws Exception {
        long newest = Clock.systemUTC().instant().plus(Duration.ofDays(1)).getEpochSecond();
        UUID claim = claimed(machine("lena").with("UpdateSequenceNumber", newest), bob);
        assertThat(withdraw("lena", bob)).isTrue();

        assertMayNotPreempt(rival, claim);
        assertThat(claims(bob).take(Step.PREEMPT, claim)).isInstanceOf(Agreed.class);
        assertThat(claims(alice).take(Step.RENEW, claim)).isInstanceOf(Declined.class);
    }

    /** An active claim of Alice. */
    private static UUID claimed(ClassAd resource, ClientCredentials owner) throws Exception {
        var offer = resource.with("Requirements", true).with("Rank", 0);
        try (var collector = RemoteCollector.at(server.base(), Duration.ofSeconds(30), owner)) {
            assertThat(collector.advertise(offer)).isInstanceOf(AdvertiseReceipt.Kept.class);
        }
        var job = ClassAd.parse("[MyType=\"Job\"; Name=\"job\"; Requirements=true; Rank=0]");
        var claim = ClaimId.random();
        var party =
                claims(alice).party(AdKey.of(offer), Optional.of(claim.value()), true, GangAlgorithm.DYNAMIC.matcher());
        assertThat(party.prepare(
                        claim, List.of(job, offer), 1, "", Clock.systemUTC().instant()))
                .isInstanceOf(Agreed.class);
        assertThat(claims(alice).take(Step.ACTIVATE, claim.value())).isInstanceOf(Agreed.class);
        return claim.value();
    }

    private static boolean withdraw(String name, ClientCredentials owner) {
        try (var collector = RemoteCollector.at(server.base(), Duration.ofSeconds(30), owner)) {
            return collector.invalidate(new AdKey("Machine", name));
        }
    }

    private static void assertMayNotPreempt(ClientCredentials caller, UUID claim) {
        assertThatThrownBy(() -> claims(caller).take(Step.PREEMPT, claim)).hasMessageContaining("another's");
    }

    private static ClaimingClient claims(ClientCredentials caller) {
        return new ClaimingClient(server.base(), caller);
    }

    @Test
    void anAuditorChangesNothingThoughHeIsAUserToo() throws Exception {
        assertThat(send(auditor, "GET", "/matches", "").statusCode()).isEqualTo(200);
        assertThat(send(auditor, "POST", "/matches", "{\"site\": \"pool\", \"holder\": \"h\", \"nodes\": 1}")
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void theAdOfASiteInThisProcessIsReplacedByTheServerOrItsSubject() throws Exception {
        try (var hostile = RemoteCollector.at(server.base(), Duration.ofSeconds(30), rival);
                var honest = RemoteCollector.at(server.base(), Duration.ofSeconds(30), bob)) {
            for (String site : List.of("fzj", "zib")) {
                var forged = machine(site).with("UpdateSequenceNumber", Long.MAX_VALUE - 1);
                assertThat(hostile.advertise(forged)).as(site).isInstanceOf(AdvertiseReceipt.Refused.class);
                assertThat(hostile.advertise(machine("decoy").with("Site", site)))
                        .as(site)
                        .isInstanceOf(AdvertiseReceipt.Refused.class);
                assertThat(hostile.invalidate(new AdKey("Machine", site))).isFalse();
                assertThat(ad(site))
                        .hasValueSatisfying(
                                ad -> assertThat(ad.has("AdvertisedByServer")).isTrue());
            }
            assertThat(honest.advertise(machine("fzj"))).isInstanceOf(AdvertiseReceipt.Refused.class);
            long newest = Clock.systemUTC().instant().plus(Duration.ofDays(1)).getEpochSecond();
            assertThat(honest.advertise(machine("zib").with("UpdateSequenceNumber", newest)))
                    .isInstanceOf(AdvertiseReceipt.Kept.class);
        }
    }

    private static void advertised(String name) throws Exception {
        try (var collector = RemoteCollector.at(server.base(), Duration.ofSeconds(30), operator)) {
            assertThat(collector.advertise(machine(name).with("MaxMatches", 10)))
                    .isInstanceOf(AdvertiseReceipt.Kept.class);
        }
    }

    private static Optional<ClassAd> ad(String name) {
        try (var collector = RemoteCollector.at(server.base(), Duration.ofSeconds(30), operator)) {
            return collector.query(CollectorQuery.all().named(name)).stream().findFirst();
        }
    }

    private static ClassAd machine(String name) {
        return ClassAd.EMPTY.with("MyType", "Machine").with("Name", name);
    }

    private static LeaseRequest request(String site) {
        return new LeaseRequest(site, MatchRoom.exactly(0), "/dags/one", Claimant.elsewhere("?"), 1);
    }

    private static RemoteLeases leases(ClientCredentials caller) {
        return new RemoteLeases(server.base(), caller);
    }

    private static HttpResponse<String> send(ClientCredentials caller, String method, String path, String body)
            throws Exception {
        var client =
                HttpClient.newBuilder().sslContext(caller.tls().orElseThrow()).build();
        return client.send(
                HttpRequest.newBuilder(URI.create(server.base() + "/api/v1" + path))
                        .header("Content-Type", "application/json")
                        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private static ClientCredentials caller(String name) throws Exception {
        return new ClientCredentials(
                Optional.of(authority.member(name)), Optional.of(authority.authorities()), Optional.empty());
    }
}
