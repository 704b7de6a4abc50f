package org.metasched.adapter.slurm;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.delete;
import static com.github.tomakehurst.wiremock.client.WireMock.deleteRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.request;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.InvalidSettingException;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.LocalSchedulerException.Unreadable;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.command.DamagedOutput;
import org.metasched.adapter.jobs.JobQueue.Submission;
import org.metasched.adapter.rest.RestAccess;
import org.metasched.adapter.settings.YamlSettings;

/** The scheduler against answers that slurmrestd of Slurm 26.05.5 gave, and odd ones. */
class SlurmRestTest {

    private static final String ROOT = "/slurm/v0.0.43/";
    private static final Instant NOW = Instant.parse("2026-11-27T13:44:20Z");
    private static final Instant START = Instant.parse("2026-11-27T16:00:00Z");
    private static final RequestKey KEY = new RequestKey("k1");
    private static final String NAME = "metasched-k1";
    private static final String NONE = "{\"reservations\": [], \"errors\": []}";

    @RegisterExtension
    private final WireMockExtension slurm =
            WireMockExtension.newInstance().failOnUnmatchedRequests(false).build();

    @TempDir
    private Path folder;

    private Path token;

    @BeforeEach
    void idle() throws Exception {
        token = Files.writeString(folder.resolve("token"), "first.token\n");
        slurm.stubFor(get(ROOT + "nodes/").willReturn(okJson(captured("nodes.json"))));
        slurm.stubFor(get(ROOT + "jobs/").willReturn(okJson("{\"jobs\": [], \"errors\": []}")));
        slurm.stubFor(get(ROOT + "reservations/").willReturn(okJson(NONE)));
    }

    private static String captured(String name) {
        return SlurmOutputTest.captured("26.05/" + name);
    }

    private YamlSettings settings(String more) {
        return YamlSettings.parse(
                "site.yaml",
                "partition: grid\nusers: [alice, bob]\nsnapshot: 0s\nurl: " + slurm.baseUrl() + "\ntoken-file: " + token
                        + "\n" + more);
    }

    private LocalScheduler site() {
        return site("");
    }

    private LocalScheduler site(String more) {
        return new SlurmRestFactory().open(new SiteId("here"), settings(more), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    private static ResourceRequest nodes(int count) {
        return ResourceRequest.nodes(count, Duration.ofMinutes(10));
    }

    /** Shown once it is made, and not any more when it is given up. */
    private static String shown(int count) {
        return """
                {"reservations": [{"name": "%s", "start_time": {"set": true, "infinite": false, "number": %d},
                 "end_time": {"set": true, "infinite": false, "number": %d}, "node_count": %d, "node_list": "s[1-%d]",
                 "features": "", "users": "alice,bob", "flags": ["SPEC_NODES"], "partition": "grid"}], "errors": []}
                """.formatted(NAME, START.getEpochSecond(), START.getEpochSecond() + 600, count, count);
    }

    private void afterA(String method, String path, ResponseDefinitionBuilder answer, String listing) {
        slurm.stubFor(request(method, urlEqualTo(ROOT + path))
                .inScenario("reservations")
                .willSetStateTo(method)
                .willReturn(answer));
        slurm.stubFor(get(ROOT + "reservations/")
                .inScenario("reservations")
                .whenScenarioStateIs(method)
                .willReturn(okJson(listing)));
    }

    private Reservation reserved() throws LocalSchedulerException {
        afterA("POST", "reservation", okJson(captured("created.json")), shown(2));
        return site().reserve(KEY, nodes(2), START);
    }

    @Test
    void readsNodesJobsAndReservations() throws Exception {
        slurm.stubFor(get(ROOT + "jobs/").willReturn(okJson(captured("jobs.json"))));
        slurm.stubFor(get(ROOT + "reservations/").willReturn(okJson(captured("reservations.json"))));

        var load = site().loadReporting().orElseThrow().load();
        var lines = SlurmJson.reservations(captured("reservations.json"), NOW).readable();

        assertThat(load).isEqualTo(new SiteLoad(8, 2, 2, 0, List.of()));
        assertThat(SlurmJson.nodes(captured("nodes.json"), "grid").rows())
                .filteredOn(node -> !node.usable())
                .extracting(node -> node.node().name())
                .containsExactly("s7", "s8");
        assertThat(site().earliestStart(nodes(3), NOW)).contains(Instant.ofEpochSecond(1795787354 + 1));
        assertThat(lines).extracting(SlurmReservations.SlurmReservation::name).contains("x-plain", "x-float");
        assertThat(lines)
                .filteredOn(SlurmReservations.SlurmReservation::floating)
                .hasSize(1);
    }

    @Test
    void reservesWithItsTokenAndReadsBackWhatIsHeld() throws Exception {
        Reservation made = reserved();

        assertThat(made.nodeNames()).containsExactly("s1", "s2");
        slurm.verify(postRequestedFor(urlEqualTo(ROOT + "reservation"))
                .withHeader("X-SLURM-USER-TOKEN", equalTo("first.token"))
                .withRequestBody(
                        equalToJson("""
                        {"name": "%s", "partition": "grid", "users": ["alice", "bob"],
                         "start_time": {"set": true, "number": %d}, "end_time": {"set": true, "number": %d},
                         "node_count": {"set": true, "number": 2}}
                        """.formatted(NAME, START.getEpochSecond(), START.getEpochSecond() + 600))));
    }

    @Test
    void aTokenThatIsRenewedCountsAtOnce() throws Exception {
        var site = site();
        site.earliestStart(nodes(1), NOW);
        Files.writeString(token, "second.token");

        site.earliestStart(nodes(1), NOW);

        slurm.verify(
                1,
                getRequestedFor(urlEqualTo(ROOT + "jobs/")).withHeader("X-SLURM-USER-TOKEN", equalTo("first.token")));
        slurm.verify(
                1,
                getRequestedFor(urlEqualTo(ROOT + "jobs/")).withHeader("X-SLURM-USER-TOKEN", equalTo("second.token")));
        Files.writeString(token, "no\ntoken");
        assertThatThrownBy(() -> site.earliestStart(nodes(1), NOW))
                .isInstanceOf(Unreachable.class)
                .hasMessageContaining("holds no token")
                .hasMessageNotContaining("no\ntoken");
    }

    @ParameterizedTest
    @CsvSource({
        "422, busy.json, Refused, Requested nodes are busy",
        "500, unspecified.json, Unreachable, Unspecified error",
        "511, token.json, Misconfigured, Maybe the token has expired",
        "404, ../24.11/no-such-version.txt, Misconfigured, 'known are [v0.0.43, v0.0.44, v0.0.45]'"
    })
    void aRefusalIsWhatItsWordsMean(int status, String file, String kind, String words) {
        slurm.stubFor(post(ROOT + "reservation")
                .willReturn(aResponse().withStatus(status).withBody(captured(file))));

        assertThatThrownBy(() -> site().reserve(KEY, nodes(2), START))
                .hasMessageContaining(words)
                .hasMessageNotContaining("first.token")
                .extracting(e -> e.getClass().getSimpleName())
                .isEqualTo(kind);
    }

    @Test
    void changesNothingButWhatDiffers() throws Exception {
        Reservation held = reserved();
        slurm.stubFor(post(ROOT + "reservation")
                .inScenario("reservations")
                .whenScenarioStateIs("POST")
                .willSetStateTo("changed")
                .willReturn(okJson(captured("created.json"))));
        slurm.stubFor(get(ROOT + "reservations/")
                .inScenario("reservations")
                .whenScenarioStateIs("changed")
                .willReturn(okJson(shown(3))));

        var changed = site().reservationChange().orElseThrow().change(held.id(), nodes(3), START);

        assertThat(changed.granted().amount()).isEqualTo(3);
        slurm.verify(postRequestedFor(urlEqualTo(ROOT + "reservation"))
                .withRequestBody(
                        equalToJson("{\"name\": \"metasched-k1\", \"node_count\": {\"set\": true, \"number\": 3}}")));
    }

    @Test
    void endsTheJobsInAReservationThatIsGivenUp() throws Exception {
        Reservation held = reserved();
        String jobs = captured("jobs.json").replaceFirst("\"resv_name\": \"\"", "\"resv_name\": \"" + NAME + "\"");
        slurm.stubFor(get(ROOT + "jobs/").willReturn(okJson(jobs)));
        slurm.stubFor(delete(ROOT + "job/1").willReturn(okJson("{\"errors\": []}")));
        slurm.stubFor(delete(ROOT + "reservation/" + NAME)
                .inScenario("deleted")
                .whenScenarioStateIs(Scenario.STARTED)
                .willSetStateTo("asked")
                .willReturn(aResponse()
                        .withStatus(422)
                        .withBody("{\"errors\": [{\"error\": \"Requested reservation is in use\"}]}")));
        slurm.stubFor(delete(ROOT + "reservation/" + NAME)
                .inScenario("deleted")
                .whenScenarioStateIs("asked")
                .willReturn(aResponse().withStatus(422).withBody(captured("gone.json"))));
        slurm.stubFor(get(ROOT + "reservations/")
                .inScenario("deleted")
                .whenScenarioStateIs("asked")
                .willReturn(okJson(NONE)));
        var site = site();
        site.state(held.id());

        site.cancel(held.id());

        slurm.verify(1, deleteRequestedFor(urlEqualTo(ROOT + "job/1")));
        slurm.verify(0, deleteRequestedFor(urlEqualTo(ROOT + "job/2")));
        assertThat(site.state(held.id()).state()).isEqualTo(ReservationState.CANCELLED);
    }

    private SlurmRest operations() {
        var settings = settings("");
        var site = SlurmSchedulerFactory.site(new SiteId("here"), settings, Clock.fixed(NOW, ZoneOffset.UTC));
        return new SlurmRest(site, "grid", new RestAccess(settings, 1 << 20), "v0.0.43");
    }

    private Submission job() throws LocalSchedulerException {
        var words = List.of("/bin/sh", "/home/alice/j/job.sh", "/home/alice/j");
        return new Submission(
                "metajob-k1", Optional.of("alice"), Optional.of("p1"), List.of(), reserved(), "/home/alice/j", words);
    }

    @Test
    void handsAJobOverInTheNameOfItsUser() throws Exception {
        slurm.stubFor(post(ROOT + "job/submit").willReturn(okJson(captured("submitted.json"))));

        assertThat(operations().submit(job())).isEqualTo("1");

        slurm.verify(postRequestedFor(urlEqualTo(ROOT + "job/submit"))
                .withHeader("X-SLURM-USER-NAME", equalTo("alice"))
                .withRequestBody(matchingJsonPath("$.job.reservation", equalTo(NAME)))
                .withRequestBody(matchingJsonPath("$.job.account", equalTo("p1")))
                .withRequestBody(matchingJsonPath("$.job.time_limit.number", equalTo("10")))
                .withRequestBody(matchingJsonPath(
                        "$.script", equalTo("#!/bin/sh\nexec /bin/sh /home/alice/j/job.sh /home/alice/j\n"))));
    }

    /** A reservation of a name may be asked for again; a second job would be another one. */
    @Test
    void aBrokenConnectionRepeatsAReservationAndNoJob() throws Exception {
        var job = job();
        slurm.stubFor(any(anyUrl()).atPriority(1).willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));

        assertThatThrownBy(() -> operations().submit(job)).isInstanceOf(Unreachable.class);
        assertThatThrownBy(() -> operations().delete(NAME)).isInstanceOf(Unreachable.class);

        slurm.verify(1, postRequestedFor(urlEqualTo(ROOT + "job/submit")));
        slurm.verify(2, deleteRequestedFor(urlEqualTo(ROOT + "reservation/" + NAME)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{\"nodes\": {}}",
                "{\"nodes\": [NODE], \"nodes\": [NODE]}",
                "{\"nodes\": [NODE",
                "{\"nodes\": [NODE]} {}",
                "{\"nodes\": [NODE], \"errors\": [{\"error\": \"\\u001b[2K\"}]}",
                "{\"nodes\": [{\"name\": 7, \"partitions\": [\"grid\"]}]}",
                "<html>"
            })
    void anOddAnswerIsToldInFewWords(String answer) {
        String node = "{\"name\": \"s1\", \"cpus\": 4, \"state\": [\"IDLE\"], \"partitions\": [\"grid\"]}";
        slurm.stubFor(get(ROOT + "nodes/").willReturn(okJson(answer.replace("NODE", node))));

        assertThatThrownBy(() -> site().earliestStart(nodes(1), NOW))
                .isInstanceOf(Unreadable.class)
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(700).doesNotContain("\u001b", "Exception"));
    }

    @Test
    void asksForTheProjectAndTheFeaturesThatAreWanted() throws Exception {
        var project = new Requester("/CN=me", List.of(), Optional.of("p1"));
        var need = new Need.Nodes(2, 1, new TreeSet<>(Set.of("fast")));
        slurm.stubFor(post(ROOT + "reservation")
                .willReturn(aResponse().withStatus(422).withBody(captured("busy.json"))));

        assertThatThrownBy(() -> site().reserve(
                                KEY, new ResourceRequest(need, Duration.ofMinutes(10), Optional.of(project)), START))
                .isInstanceOf(Refused.class);

        slurm.verify(postRequestedFor(urlEqualTo(ROOT + "reservation"))
                .withRequestBody(matchingJsonPath("$.accounts[0]", equalTo("p1")))
                .withRequestBody(matchingJsonPath("$.features", equalTo("fast"))));
    }

    @Test
    void aRecordThatIsOddHidesNoOther() {
        String whole = captured("reservations.json");
        String odd = whole.replaceFirst("\"node_count\": 3", "\"node_count\": \"many\"");

        var read = SlurmJson.reservations(odd, NOW);

        assertThat(read.readable())
                .hasSize(SlurmJson.reservations(whole, NOW).readable().size() - 1);
        assertThat(read.odd()).singleElement().satisfies(line -> {
            assertThat(line.name()).isEqualTo("x-plain");
            assertThat(line.nodes()).containsExactly("s1", "s2", "s3");
        });
    }

    @Test
    void standsDamage() {
        DamagedOutput.cutEverywhere(captured("reservations.json"), text -> SlurmJson.reservations(text, NOW));
        DamagedOutput.damage(captured("reservations.json"), text -> SlurmJson.reservations(text, NOW), 1, read -> {});
        DamagedOutput.damage(captured("jobs.json"), SlurmJson::jobs, 2, read -> {});
        DamagedOutput.damage(captured("nodes.json"), text -> SlurmJson.nodes(text, "grid"), 3, read -> {});
        DamagedOutput.damage(captured("busy.json"), SlurmJson::errors, 4, read -> {});
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0.0.42", "v0.0.46", "0.0.43", "../v0.0.43"})
    void otherVersionsAreRefusedWithThoseKnown(String version) {
        assertThatThrownBy(() -> site("api-version: " + version + "\n"))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("[v0.0.43, v0.0.44, v0.0.45]")
                .hasMessageContaining("up to v0.0.42");
    }

    @Test
    void aStrangersReservationIsNotLookedUp() {
        assertThatThrownBy(() -> site().state(new ReservationId("metasched-../../x")))
                .isInstanceOf(LocalSchedulerException.UnknownReservation.class);
        assertThat(slurm.getAllServeEvents())
                .allMatch(event -> event.getRequest().getUrl().equals(ROOT + "reservations/"));
    }
}
