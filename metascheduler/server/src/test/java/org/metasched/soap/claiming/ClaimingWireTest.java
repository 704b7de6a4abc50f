package org.metasched.soap.claiming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.classad.ClassAd;
import org.metasched.classad.claim.ClaimAnswer;
import org.metasched.classad.claim.ClaimAnswer.Agreed;
import org.metasched.classad.claim.ClaimAnswer.Declined;
import org.metasched.classad.claim.ClaimId;
import org.metasched.classad.claim.ClaimOutcome.Failed;
import org.metasched.classad.claim.ClaimParty;
import org.metasched.classad.claim.GangClaimer;
import org.metasched.classad.claim.GangClaimer.Contact;
import org.metasched.classad.claim.ResourceAgent;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.classad.cycle.JobRequest;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.Gangmatcher;
import org.metasched.classad.gang.PortedAd;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseSamples;
import org.metasched.leases.MatchLeases;
import org.metasched.leases.MatchRoom;
import org.metasched.matches.OwnMatches;
import org.metasched.publisher.MatchmakerMonitor;
import org.metasched.soap.claiming.ClaimingClient.Step;
import org.metasched.soap.collector.AdOwners;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ClientCredentials;

/** Claims across the wire: the resources' agent is the server, the claimant is here. */
class ClaimingWireTest {

    private static final AdKey SITE = new AdKey("Machine", "wisc");
    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

    @TempDir
    private Path folder;

    private final Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    private final Gangmatcher matcher = GangAlgorithm.DYNAMIC.matcher();
    private FileLeases claims;
    private MatchmakerMonitor monitor;
    private SoapServer server;
    private ClaimingClient remote;
    private ClassAd job;

    /** At a site that starts what is called so. */
    private final Map<UUID, ClaimedJobs.Job> started = new LinkedHashMap<>();

    private final ClaimedJobs jobs = new ClaimedJobs() {
        @Override
        public Optional<String> start(Lease claim, String site, Job job, Authorizer.Call call) {
            if (!job.words().get(0).equals("start")) {
                return Optional.of("there is no " + job.words().get(0) + " at " + site);
            }
            started.put(claim.id(), job);
            return Optional.empty();
        }

        @Override
        public void end(UUID claim) {
            started.remove(claim);
        }
    };

    @BeforeEach
    void start() throws Exception {
        claims = new FileLeases(folder.resolve("ledger"), clock, match -> Sight.UNSEEN);
        monitor = new MatchmakerMonitor(new InMemoryCollector(clock), claims);
        server = SoapServer.onPort(0)
                .service(
                        ClaimingEndpoint.NAME,
                        new ClaimingEndpoint(
                                monitor,
                                claims,
                                new OwnMatches(claims, Lease::owner, Authorizer.OPEN),
                                matcher,
                                new AdOwners(Map.of(), monitor),
                                Authorizer.OPEN,
                                jobs))
                .start();
        remote = new ClaimingClient(server.base(), ClientCredentials.ANONYMOUS);
        job = ClassAd.parse("[Type=\"Job\"; Name=\"ann-1\"; Owner=\"ann\"; Requirements=TARGET.Memory >= 512; Rank=0]");
        advertise("[Type=\"Machine\"; Name=\"wisc\"; Memory=1024; MaxMatches=1; CurMatches=0;"
                + " Requirements=CurMatches < MaxMatches; Rank=0; AuthorizationTicket=\"t\"]");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void advertise(String ad) throws Exception {
        monitor.advertise(ClassAd.parse(ad));
    }

    private ClassAd site() {
        return monitor.find(SITE).map(Advertisement::ad).orElseThrow();
    }

    private ClaimAnswer request(ClaimId claim, String ticket) throws Exception {
        return party(Optional.of(claim.value())).prepare(claim, List.of(job, site()), 1, ticket, NOW);
    }

    private ClaimParty party(Optional<UUID> introduced) {
        return remote.party(SITE, introduced, true, matcher);
    }

    @Test
    void anActivatedClaimStartsItsJobOrSaysWhyNotAndTheJobEndsWithTheClaim() throws Exception {
        ClaimId claim = ClaimId.random();
        var job = new ClaimedJobs.Job(List.of("start", "--now"), 2, 4, Duration.ofMinutes(5));
        assertThat(remote.run(claim.value(), job)).isInstanceOf(Declined.class);
        assertThat(request(claim, "t")).isInstanceOf(Agreed.class);

        assertThat(remote.run(claim.value(), new ClaimedJobs.Job(List.of("stop"), 1, 1, Duration.ofMinutes(5))))
                .isInstanceOfSatisfying(
                        Declined.class, no -> assertThat(no.reason()).contains("there is no stop at wisc"));
        assertThat(remote.claims()).singleElement().matches(held -> !held.active());
        assertThat(remote.run(claim.value(), job)).isInstanceOf(Agreed.class);
        assertThat(remote.claims()).singleElement().matches(ClaimingClient.Claim::active);
        assertThat(started).containsExactly(Map.entry(claim.value(), job));

        assertThat(remote.take(Step.PREEMPT, claim.value())).isInstanceOf(Agreed.class);
        assertThat(started).isEmpty();
    }

    @Test
    void aClaimIsRequestedActivatedRenewedAndReleasedAndEachStepMayBeRepeated() throws Exception {
        ClaimId claim = ClaimId.random();

        assertThat(request(claim, "t")).isInstanceOf(Agreed.class);
        assertThat(request(claim, "t")).isInstanceOf(Agreed.class);
        assertThat(site().evaluate("CurMatches").print()).isEqualTo("1");
        assertThat(remote.take(Step.RENEW, claim.value())).isInstanceOf(Declined.class);
        assertThat(remote.take(Step.ACTIVATE, claim.value())).isInstanceOf(Agreed.class);
        assertThat(remote.take(Step.ACTIVATE, claim.value())).isInstanceOf(Agreed.class);
        assertThat(remote.take(Step.RENEW, claim.value())).isInstanceOf(Agreed.class);
        assertThat(remote.claims()).singleElement().satisfies(held -> {
            assertThat(held.active()).isTrue();
            assertThat(held.customer()).isEqualTo("ann-1");
            assertThat(held.owner()).isEqualTo("ann");
            assertThat(held.leaseEnd()).isEqualTo(NOW.plus(MatchLeases.LEASE_TIME));
        });
        assertThat(remote.take(Step.RELEASE, claim.value())).isInstanceOf(Agreed.class);
        assertThat(remote.take(Step.RELEASE, claim.value())).isInstanceOf(Declined.class);
        assertThat(claims.held()).isEmpty();
    }

    @Test
    void theResourceDeclinesAWrongTicketAFullSiteAndAnAdThatHasChanged() throws Exception {
        assertThat(reason(request(ClaimId.random(), "x"))).contains("ticket");
        assertThat(request(ClaimId.random(), "t")).isInstanceOf(Agreed.class);
        assertThat(reason(request(ClaimId.random(), "t"))).contains("do not match any more");

        claims.held().forEach(match -> claims.release(match.id()));
        ClassAd before = site();
        advertise(
                "[Type=\"Machine\"; Name=\"wisc\"; Memory=64; MaxMatches=1; Requirements=true; AuthorizationTicket=\"t\"]");
        var late = party(Optional.empty()).prepare(ClaimId.random(), List.of(job, before), 1, "t", NOW);

        assertThat(late)
                .isInstanceOfSatisfying(
                        Declined.class,
                        no -> assertThat(no.current()
                                        .orElseThrow()
                                        .evaluate("Memory")
                                        .print())
                                .isEqualTo("64"));
        assertThat(claims.held()).isEmpty();
    }

    @Test
    void anIntroducedMatchIsClaimedByItsNameAndCountsOnce() throws Exception {
        monitor.advertise(job);
        UUID match = introduced(JobRequest.of(monitor.find(AdKey.of(job)).orElseThrow()), site(), false);

        assertThat(request(new ClaimId(match), "t")).isInstanceOf(Agreed.class);
        assertThat(remote.take(Step.ACTIVATE, match)).isInstanceOf(Agreed.class);

        assertThat(claims.count("wisc")).isEqualTo(1);
        job = job.with("Name", "bob-1");
        assertThat(reason(request(new ClaimId(match), "t"))).contains("of other parties");
    }

    @Test
    void thePreemptedHearsAtItsNextRenewal() throws Exception {
        ClaimId claim = ClaimId.random();
        request(claim, "t");
        remote.take(Step.ACTIVATE, claim.value());

        assertThat(remote.take(Step.PREEMPT, claim.value())).isInstanceOf(Agreed.class);

        assertThat(remote.take(Step.RENEW, claim.value())).isInstanceOf(Declined.class);
        assertThat(claims.count("wisc")).isZero();
    }

    @Test
    void theCustomerThatAMachineLikesBetterTakesThePlaceWhenItActivates() throws Exception {
        advertise("[Type=\"Machine\"; Name=\"one\"; Memory=1024; Requirements=true; Rank=0]");
        ClassAd machine =
                monitor.find(new AdKey("Machine", "one")).orElseThrow().ad();
        UUID worse = introduced(new JobRequest("bob", job.with("Name", "bob-1"), "", 1, 0), machine, false);
        assertThat(claims.commit(worse)).isTrue();
        UUID better = introduced(new JobRequest("ann", job, "", 1, 0), machine, true);

        assertThat(remote.take(Step.ACTIVATE, better)).isInstanceOf(Agreed.class);

        assertThat(claims.held())
                .singleElement()
                .satisfies(held -> assertThat(held.id()).isEqualTo(better));
    }

    @Test
    void matchesOfDagsAreNoClaimsHere() {
        UUID dag = claims.acquire(LeaseSamples.request("wisc", 1, "/dags/1")).orElseThrow();

        assertThat(remote.take(Step.RELEASE, dag)).isInstanceOf(Declined.class);
        assertThat(remote.take(Step.PREEMPT, dag)).isInstanceOf(Declined.class);
        assertThat(remote.claims()).isEmpty();
        assertThat(claims.count("wisc")).isEqualTo(1);
        assertThatThrownBy(() -> party(Optional.empty()).prepare(ClaimId.random(), List.of(job), 0, "t", NOW))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aGangIsClaimedWholeOrNotAtAllAndAnInterruptedAttemptIsGivenBack() throws Exception {
        for (String cpu : List.of("a", "b")) {
            advertise("[Type=\"Machine\"; Name=\"" + cpu + "\"; Requirements=true; Rank=0]");
            advertise("[Type=\"Licence\"; Name=\"l" + cpu + "\"; Host=\"" + cpu + "\"; Requirements=true; Rank=0]");
        }
        ClassAd root = ClassAd.parse("""
                [ Type = "Job"; Name = "gang"; Ports = {
                  [ Label = cpu; Requirements = cpu.Type == "Machine" && cpu.Name != "wisc"; Rank = cpu.Name == "a" ? 1 : 0 ],
                  [ Label = licence; Requirements = licence.Type == "Licence" && licence.Host == cpu.Name ] } ]
                """);
        List<ClassAd> offers =
                monitor.snapshot().stream().map(Advertisement::ad).toList();
        assertThat(claims.acquire(LeaseSamples.request("la", 1, Lease.INTRODUCED + "other")))
                .isPresent();
        var journal = new ClaimFolder(folder.resolve("journal"));
        var own = new Contact(new ResourceAgent(() -> root, "", matcher, clock), "");
        var claimer = new GangClaimer(
                matcher, ad -> ad.equals(root) ? own : contact(ad), journal, MatchLeases.LEASE_TIME, clock);
        var failures = new ArrayList<Failed>();

        var claimed = claimer.marshalAndClaim(PortedAd.of(root), new GangPool(offers), ClaimId::random, failures::add);

        assertThat(failures)
                .singleElement()
                .satisfies(no -> assertThat(no.reason()).contains("la").contains("no match"));
        assertThat(remote.claims()).extracting(ClaimingClient.Claim::resource).containsExactly("la", "b", "lb");
        assertThat(journal.open()).isEmpty();

        var cut = claimed.orElseThrow();
        journal.begin(
                cut.claim(),
                cut.gang().members().stream().map(member -> member.ad().ad()).toList());
        assertThat(Files.list(folder.resolve("journal"))).hasSize(1);
        assertThat(claimer.recover()).isZero();
        assertThat(remote.claims()).extracting(ClaimingClient.Claim::resource).containsExactly("la");
    }

    /** As the cycle introduces them. */
    private UUID introduced(JobRequest request, ClassAd offer, boolean preempts) {
        return claims.acquire(new LeaseRequest(
                        AdKey.of(offer).name(),
                        MatchRoom.ofOffer(offer, preempts),
                        Lease.INTRODUCED + request.name(),
                        Claimant.elsewhere(request.submitter()),
                        1))
                .orElseThrow();
    }

    private Contact contact(ClassAd ad) {
        return new Contact(remote.party(AdKey.of(ad), Optional.empty(), true, matcher), "");
    }

    private static String reason(ClaimAnswer answer) {
        return answer instanceof Declined no ? no.reason() : "it agreed";
    }
}
