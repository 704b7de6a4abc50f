package org.metasched.it;

import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites that do not answer every question: one lists no windows and is silent when it is asked to cancel, one serves known persons only. */
@Tag("full")
class RestSilentSiteTest {

    @TempDir
    private Path folder;

    @Test
    @Tag("full")
    void anEndThatASiteDoesNotConfirmStaysOpenAndIsFinishedLater() throws Exception {
        var site = new WireMockServer(options().dynamicPort().bindAddress("127.0.0.1"));
        site.start();
        try (var door = new RestDoor(
                folder,
                Clock.systemUTC(),
                1000,
                "",
                "  - {site: far, scheduler: {type: http, url: 'http://127.0.0.1:" + site.port() + "/'}}\n")) {
            answers(site, Instant.now().plus(1, ChronoUnit.DAYS).truncatedTo(ChronoUnit.HOURS));
            site.stubFor(post("/cancel").willReturn(serverError()));
            assertThat(door.send("alice", "GET", "/sites/far/windows", "").statusCode())
                    .isEqualTo(409);

            var made = door.send(
                    "alice",
                    "POST",
                    "/agreements",
                    "{\"parts\":[{\"site\":\"far\",\"nodes\":2}],\"duration\":\"PT1H\"}");
            assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
            String own = made.headers().firstValue("Location").orElseThrow().replaceFirst(".*/api/v1", "");

            assertThat(door.send("alice", "DELETE", own, "").statusCode()).isEqualTo(202);

            site.stubFor(post("/cancel").willReturn(okJson("{}")));
            site.stubFor(post("/find").willReturn(okJson("{\"reservation\":null}")));
            Awaitility.await()
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> RestDoor.body(door.send("alice", "GET", own, ""))
                            .path("state")
                            .asText()
                            .equals("Terminated"));
        } finally {
            site.stop();
        }
    }

    @Test
    void aSiteThatServesKnownPersonsTellsThemItsWindows() throws Exception {
        try (var door = new RestDoor(folder, Clock.systemUTC(), 1000, "", """
                  - site: known
                    scheduler: {type: simulated, nodes: 4}
                    policy: {rules: [{name: known, require: 'Subject != ""'}]}
                """)) {
            var answer = door.send("alice", "GET", "/sites/known/windows", "");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(RestDoor.body(answer).path("windows")).isNotEmpty();
        }
    }

    private static void answers(WireMockServer site, Instant start) {
        String reservation = """
                {"id":"r1","key":"{{jsonPath request.body '$.key'}}","start":"%s","end":"%s","nodes":2,"coresPerNode":1,
                 "nodeNames":["n1","n2"],"state":"RESERVED"}""".formatted(start, start.plus(1, ChronoUnit.HOURS));
        site.stubFor(post("/earliest-start").willReturn(okJson("{\"start\":\"" + start + "\"}")));
        site.stubFor(post("/find").willReturn(okJson("{\"reservation\":null}")));
        site.stubFor(post("/load")
                .willReturn(okJson("{\"totalNodes\":8,\"freeNodes\":8,\"runningJobs\":0,\"waitingJobs\":0}")));
        for (String path : new String[] {"/reserve", "/state"}) {
            site.stubFor(post(path).willReturn(okJson(reservation).withTransformers("response-template")));
        }
    }
}
