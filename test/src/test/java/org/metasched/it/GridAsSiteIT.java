package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.metasched.it.ProgramOffers.offer;
import static org.metasched.it.ProgramOffers.part;
import static org.metasched.it.ProgramOffers.posix;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.JobStatus.State;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.soap.OutgoingCalls;
import org.metasched.adapter.soap.RemoteScheduler;
import org.metasched.adapter.testkit.LocalSchedulerContract;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.client.AgreementClient;
import org.metasched.server.ConfigurationFile;
import org.metasched.server.ServerAssembly;
import org.metasched.trust.ClientCredentials;

/** A server whose sites are one site of a grid above: the rules for adapters, and what goes up and down. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GridAsSiteIT extends LocalSchedulerContract {

    private static final ResourceRequest FIVE = ResourceRequest.nodes(5, Duration.ofMinutes(10));

    @TempDir
    private static Path folder;

    private ServerAssembly below;
    private RemoteScheduler grid;

    @BeforeAll
    void start() throws Exception {
        below = server("below", """
                grid: south
                sites:
                  - {site: small, scheduler: {type: simulated, nodes: 4, programs: {folder: %1$s/small}}}
                  - {site: large, scheduler: {type: simulated, nodes: 8, programs: {folder: %1$s/large}}}
                """.formatted(folder));
        grid = RemoteScheduler.at(new SiteId("south"), below.base().resolve("/services/Site"));
        awaitAds(grid, FIVE);
    }

    @AfterAll
    void stop() {
        grid.close();
        below.close();
    }

    @Override
    protected LocalScheduler scheduler() {
        return grid;
    }

    /** Which sites may serve a request is known when they have been advertised. */
    private static void awaitAds(LocalScheduler grid, ResourceRequest request) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> grid.earliestStart(request, Instant.now().plusSeconds(60))
                        .isPresent());
    }

    private ServerAssembly server(String name, String rest) throws IOException {
        String text = "port: 0\ndata: " + folder.resolve(name)
                + "\nnegotiation: {lead: 1s}\nmonitor: {every: 1s}\nsweeper: {every: 1s, grace: 2s}\n"
                + "matchmaking: {advertise-every: 1s}\n" + rest;
        var file = Files.writeString(folder.resolve(name + ".yaml"), text);
        return ServerAssembly.start(ConfigurationFile.read(file), Clock.systemUTC());
    }

    @Test
    void windowsOfAllSitesAreOneList() throws Exception {
        var from = Instant.now().plusSeconds(18_000);
        var four = ResourceRequest.nodes(4, Duration.ofHours(1));
        for (int i = 0; i < 3; i++) {
            grid.reserve(new RequestKey("m-windows-" + i), four, wholeSecond(from));
        }

        var windows = grid.windowListing()
                .orElseThrow()
                .freeWindows(four, new TimeSlot(from.minusSeconds(1800), from.plusSeconds(7200)));

        assertThat(windows.starts())
                .singleElement()
                .satisfies(free ->
                        assertThat(free.earliest()).isEqualTo(wholeSecond(from).plusSeconds(3600)));
    }

    private static Instant wholeSecond(Instant time) {
        return Instant.ofEpochSecond(time.getEpochSecond() + 1);
    }

    @Test
    void theRequesterIsTheInitiatorOfTheAgreementBelow() throws Exception {
        var start = wholeSecond(Instant.now().plusSeconds(3600));
        var alice = new ResourceRequest(FIVE.need(), FIVE.duration(), Optional.of(new Requester("/CN=Alice")));

        var made = grid.reserve(new RequestKey("m-alice"), alice, start);

        var agreement =
                below.agreements().find(new AgreementId(made.id().value())).orElseThrow();
        assertThat(agreement.offer().key().initiator()).isEqualTo("/CN=Alice");
        assertThat(agreement.commitments())
                .singleElement()
                .satisfies(part -> assertThat(part.site()).isEqualTo(new SiteId("large")));
        assertThatThrownBy(() -> grid.reserve(new RequestKey("m-alice"), alice, start.plusSeconds(60)))
                .isInstanceOf(LocalSchedulerException.Refused.class)
                .hasMessageContaining("m-alice");
    }

    @Test
    void agreementsAndProgramsGoDownAndTheirStatesComeUp() throws Exception {
        try (var above =
                server("above-" + UUID.randomUUID(), "sites:\n  - {site: south, url: '%s'}\n".formatted(site(below)))) {
            var client = new AgreementClient(above.base(), Duration.ofSeconds(30));
            String program = part("south", 5, posix("/bin/sh", List.of("-c", "echo $METASCHED_SIZE; exit 3"), ""), "");

            var made = client.create(AgreementClient.offer("test", offer(60, program)));

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> client.show(made.agreementId())
                            .sites()
                            .get(0)
                            .job()
                            .orElseThrow()
                            .state()
                            .isFinal());
            var job = client.show(made.agreementId()).sites().get(0).job().orElseThrow();
            assertThat(job.state()).as(job.toString()).isEqualTo(State.ENDED);
            assertThat(job.exitCode()).contains(3);

            client.terminate(made.agreementId());
            assertThat(below.agreements().newest(1))
                    .singleElement()
                    .satisfies(one -> assertThat(one.state()).isEqualTo(AgreementState.TERMINATED));
        }
    }

    @Test
    void anAgreementThatEndsBelowEndsAbove() throws Exception {
        try (var above =
                server("above-" + UUID.randomUUID(), "sites:\n  - {site: south, url: '%s'}\n".formatted(site(below)))) {
            var client = new AgreementClient(above.base(), Duration.ofSeconds(30));
            var made = client.create(AgreementClient.offer(
                    "test", offer(3600, part("south", 5, posix("/bin/true", List.of(), ""), ""))));
            var lower = below.agreements().newest(1).get(0);
            below.agreements().end(lower.id(), "The admin below ends it.");

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(above.agreements().find(new AgreementId(made.agreementId())))
                            .hasValueSatisfying(
                                    one -> assertThat(one.state().isFinal()).isTrue()));
        }
    }

    /** Each is among the sites of the other: what comes back to where it began is refused, and no node counts twice. */
    @Test
    void aGridThatFindsItselfBelowRefuses() throws Exception {
        int port = FreePort.next();
        String east = "http://127.0.0.1:" + port + "/services/Site";
        try (var west = server("west", """
                        grid: west
                        sites:
                          - {site: own, scheduler: {type: simulated, nodes: 16}}
                          - {site: east, url: '%s'}
                        """.formatted(east))) {
            var file = Files.writeString(
                    folder.resolve("east.yaml"), """
                    port: %d
                    data: %s
                    grid: east
                    matchmaking: {advertise-every: 1s}
                    sites:
                      - {site: other, scheduler: {type: simulated, nodes: 8}}
                      - {site: west, url: '%s'}
                    """.formatted(port, folder.resolve("east"), site(west)));
            try (var circle = ServerAssembly.start(ConfigurationFile.read(file), Clock.systemUTC());
                    var asked = RemoteScheduler.at(new SiteId("east"), URI.create(east))) {
                awaitAds(asked, ResourceRequest.nodes(16, Duration.ofMinutes(10)));
                var calls =
                        new OutgoingCalls(ClientCredentials.ANONYMOUS, Duration.ofSeconds(5), Duration.ofSeconds(30));
                try (var fromWest = RemoteScheduler.at(
                        new SiteId("east"), URI.create(east), calls, Optional.of(new SiteId("west")))) {
                    var later = Instant.now().plusSeconds(3600);
                    awaitAds(fromWest, ResourceRequest.nodes(8, Duration.ofMinutes(10)));
                    assertThatThrownBy(() ->
                                    fromWest.earliestStart(ResourceRequest.nodes(16, Duration.ofMinutes(10)), later))
                            .isInstanceOf(LocalSchedulerException.Misconfigured.class)
                            .hasMessageContaining("west > east > west");
                }
            }
        }
    }

    private static URI site(ServerAssembly server) {
        return server.base().resolve("/services/Site");
    }
}
