package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.OfferService;
import org.metasched.classad.ClassAd;
import org.metasched.soap.collector.RemoteCollector;
import org.metasched.soap.introduction.MatchNotice;
import org.metasched.soap.introduction.MatchReceiver;

@Timeout(120)
class ServerAssemblyTest {

    private static final Duration PROMPT = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    @Test
    void anAgreementOutlivesTheServerThatMadeIt() throws Exception {
        String id;
        try (var server = start()) {
            var outcome = server.agreements().offer(offer(server.agreements(), Duration.ofHours(1)));
            id = ((Created) outcome).agreement().id().value();
        }

        try (var restarted = start()) {
            var again = restarted.agreements().offer(offer(restarted.agreements(), Duration.ofHours(1)));

            assertThat(again).isInstanceOfSatisfying(Created.class, c -> {
                assertThat(c.repeated()).isTrue();
                assertThat(c.agreement().id().value()).isEqualTo(id);
                assertThat(c.agreement().state()).isEqualTo(AgreementState.OBSERVED);
            });
        }
    }

    @Test
    void whatTheServerKeepsIsForItsUserAlone() throws Exception {
        Path data = folder.resolve("new");
        String site = "sites: [{site: fzj, scheduler: {type: simulated, nodes: 4}}]\n";
        var file = ConfigurationFile.from(YamlSettings.parse("test.yaml", "port: 0\ndata: " + data + "\n" + site));
        for (int start = 0; start < 2; start++) {
            try (var server = ServerAssembly.start(file, Clock.systemUTC())) {
                assertThat(server.operations()).isNotEmpty();
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
                        .isEqualTo("rwx------");
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("server.mv.db"))))
                        .isEqualTo("rw-------");
            }
        }
    }

    @Tag("full")
    @Test
    void theClockLetsAnAgreementFollowItsReservationsToTheEnd() throws Exception {
        try (var server = start()) {
            var made = ((Created) server.agreements().offer(offer(server.agreements(), Duration.ofSeconds(1))))
                    .agreement();

            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(server.agreements().find(made.id()))
                            .hasValueSatisfying(a -> assertThat(a.state()).isEqualTo(AgreementState.COMPLETE)));
        }
    }

    @Test
    void operatorsSeeHealthSitesAndMetrics() throws Exception {
        try (var server = start()) {
            server.agreements().offer(offer(server.agreements(), Duration.ofHours(1)));

            var health = get(server.base(), "/health");
            Awaitility.await().until(() -> get(server.base(), "/sites").body().contains("lastAdvertised"));
            JsonNode sites =
                    new ObjectMapper().readTree(get(server.base(), "/sites").body());
            String metrics = get(server.base(), "/metrics").body();
            var console = get(server.base(), "/console/sites");

            assertThat(health.statusCode()).isEqualTo(200);
            assertThat(health.body()).contains("\"status\":\"up\"");
            assertThat(sites.at("/sites/0/site").asText()).isEqualTo("fzj");
            assertThat(sites.at("/sites/0/totalNodes").asInt()).isEqualTo(64);
            assertThat(sites.at("/sites/1/state").asText()).isEqualTo("silent");
            assertThat(console.statusCode()).isEqualTo(200);
            assertThat(console.body()).contains("fzj", "silent");
            assertThat(metrics)
                    .contains("metasched_negotiation_seconds_count{outcome=\"co_allocated\"} 1")
                    .contains("metasched_agreements_total{state=\"Observed\"} 1.0")
                    .contains("jvm_memory_used_bytes");
        }
    }

    @Test
    void aServerThatDrainsSaysSoUntilItIsGone() throws Exception {
        try (var mute = new MuteSite()) {
            var server = start(mute.port());
            server.agreements().offerPending(offer(server.agreements(), "gone", Duration.ofHours(1)));
            // The first question is for its ad, which a server makes when it starts.
            mute.awaitQuestions(2);

            var closing = new Thread(server::close);
            closing.start();

            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(get(server.base(), "/health").body())
                                    .contains("\"status\":\"draining\"", "\"offersUnderWay\":1"));
            assertThat(get(server.base(), "/health").statusCode()).isEqualTo(503);
            assertThat(ends(closing))
                    .as("gone before the site's call times out")
                    .isTrue();
            assertThatThrownBy(() -> get(server.base(), "/health")).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void aSilentSiteDelaysTheListOfSitesByASecondAtMost() throws Exception {
        try (var mute = new MuteSite();
                var server = start(mute.port())) {
            get(server.base(), "/health");
            long begun = System.nanoTime();

            var sites = new ObjectMapper().readTree(get(server.base(), "/sites").body());

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
            assertThat(sites.at("/sites/0/totalNodes").asInt()).isEqualTo(64);
            assertThat(sites.at("/sites/1/state").asText()).isEqualTo("silent");
        }
    }

    /** A second each on a quiet machine; without bounds each would wait for the timeout of a call, or a part of it. */
    @Tag("full")
    @Test
    void twoHundredSilentSitesDelayNeitherListsNorPagesNorOpenOffers() throws Exception {
        try (var mute = new MuteSite()) {
            String silent = IntStream.range(0, 200)
                    .mapToObj(i ->
                            "  - {site: mute" + i + ", url: 'http://127.0.0.1:" + mute.port() + "/services/Site'}\n")
                    .collect(Collectors.joining());
            String yaml = """
                    port: 0
                    data: %s
                    negotiation: {lead: 1s, call-timeout: 60s}
                    drain: 1s
                    sites:
                      - {site: fzj, scheduler: {type: simulated, nodes: 64}}
                    %s""".formatted(folder, silent);
            try (var server = ServerAssembly.start(
                            ConfigurationFile.from(YamlSettings.parse("test.yaml", yaml)), Clock.systemUTC());
                    var collector = RemoteCollector.at(server.base(), Duration.ofSeconds(30))) {
                collector.advertiseAll(IntStream.range(0, 200)
                        .mapToObj(i -> ClassAd.parse("[ Type = \"Machine\"; Name = \"mute" + i + "\"; Site = \"mute" + i
                                + "\"; TotalNodes = 64; Requirements = true ]"))
                        .toList());
                Awaitility.await()
                        .until(() -> get(server.base(), "/sites").body().contains("\"totalNodes\":64"));
                // The first turn is of a process that has just begun.
                List<Duration> last = List.of();
                for (int i = 0; i < 2; i++) {
                    var offer = open(server.agreements(), "open-" + i);
                    last = List.of(
                            took(() -> get(server.base(), "/sites")),
                            took(() -> get(server.base(), "/console")),
                            took(() ->
                                    assertThat(server.agreements().offer(offer)).isInstanceOf(Created.class)));
                    System.out.println("ServerAssemblyTest: sites, console, open offer " + last);
                }
                assertThat(last).allSatisfy(time -> assertThat(time).isLessThan(PROMPT));
            }
        }
    }

    private static Duration took(ThrowingCallable work) {
        long begun = System.nanoTime();
        try {
            work.call();
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static AgreementOffer open(OfferService service, String id) {
        var part = new RequestedPart(
                "cpu",
                "cpu",
                Optional.empty(),
                ResourceRequest.nodes(4, Duration.ofMinutes(1)),
                Optional.of("TotalNodes >= 16"));
        return new AgreementOffer(
                new OfferKey("CN=alice", id),
                "",
                service.templates().get(0).key(),
                List.of(new AgreementRequest(List.of(part), Optional.empty(), Optional.empty())),
                List.of(),
                Optional.empty(),
                OfferDocument.NONE,
                Optional.empty(),
                Optional.empty());
    }

    @Test
    @Tag("full")
    void aServerStartsThoughFifteenHundredSitesTakeTheirTime() throws Exception {
        try (var mute = new MuteSite()) {
            String sites = IntStream.range(0, 1_500)
                    .mapToObj(i -> "  - {site: s" + i + ", url: 'http://127.0.0.1:" + mute.port() + "/services/Site'}")
                    .collect(Collectors.joining("\n"));
            String yaml = "port: 0\ndata: " + folder + "\ndrain: 1s\nsites:\n" + sites + "\n";

            try (var server = ServerAssembly.start(
                    ConfigurationFile.from(YamlSettings.parse("test.yaml", yaml)), Clock.systemUTC())) {
                assertThat(get(server.base(), "/health").statusCode()).isEqualTo(200);
            }
        }
    }

    private static boolean ends(Thread thread) throws InterruptedException {
        thread.join(15_000);
        return !thread.isAlive();
    }

    @Tag("full")
    @Test
    void partiesOfAMatchAreToldOfEachOtherAtTheAddressOfTheirAds() throws Exception {
        var heard = new LinkedBlockingQueue<MatchNotice>();
        try (var party = SoapServer.onPort(0)
                        .service(MatchReceiver.NAME, new MatchReceiver(heard::add))
                        .start();
                var server = start();
                var collector = RemoteCollector.at(server.base(), Duration.ofSeconds(30))) {
            collector.advertise(ClassAd.parse("[ Type = \"Machine\"; Name = \"m\"; AuthorizationTicket = \"of-m\";"
                    + " Requirements = TARGET.Type == \"Job\" ]"));
            collector.advertise(ClassAd.parse("[ Type = \"Job\"; Name = \"j\"; Owner = \"ann\";"
                            + " Requirements = TARGET.Name == \"m\" ]")
                    .with("ContactAddress", party.service(MatchReceiver.NAME).toString()));

            MatchNotice told = heard.poll(60, TimeUnit.SECONDS);

            assertThat(told).isNotNull();
            assertThat(told.name()).isEqualTo("j");
            assertThat(told.ticket()).hasValue("of-m");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> get(server.base(), "/metrics")
                            .body()
                            .lines()
                            .anyMatch(line -> line.startsWith("metasched_introductions_total{end=\"told\"}")
                                    && !line.endsWith(" 0.0")));
        }
    }

    private ServerAssembly start() {
        return start(9);
    }

    private ServerAssembly start(int portOfTheLast) {
        String yaml = """
                port: 0
                data: %s
                negotiation: {lead: 1s}
                drain: 2s
                matchmaking: {cycle-every: 300ms}
                monitor: {every: 200ms}
                sweeper: {every: 200ms, grace: 1s}
                sites:
                  - {site: fzj, scheduler: {type: simulated, nodes: 64, state-file: %s/fzj}}
                  - {site: scai, scheduler: {type: simulated, nodes: 32, state-file: %s/scai}}
                  - {site: gone, url: 'http://127.0.0.1:%d/services/Site'}
                """.formatted(folder, folder, folder, portOfTheLast);
        return ServerAssembly.start(ConfigurationFile.from(YamlSettings.parse("test.yaml", yaml)), Clock.systemUTC());
    }

    private static AgreementOffer offer(OfferService service, Duration duration) {
        return offer(service, "scai", duration);
    }

    private static AgreementOffer offer(OfferService service, String besideFzj, Duration duration) {
        var parts = List.of(
                RequestedPart.at("fzj", ResourceRequest.nodes(16, duration)),
                RequestedPart.at(besideFzj, ResourceRequest.nodes(8, duration)));
        return new AgreementOffer(
                new OfferKey("CN=alice", "offer-1"),
                "",
                service.templates().get(0).key(),
                List.of(new AgreementRequest(parts, Optional.empty(), Optional.empty())),
                List.of(),
                Optional.empty(),
                OfferDocument.NONE,
                Optional.empty(),
                Optional.empty());
    }

    private static HttpResponse<String> get(URI base, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(base.resolve(path)).build(), BodyHandlers.ofString());
    }
}
