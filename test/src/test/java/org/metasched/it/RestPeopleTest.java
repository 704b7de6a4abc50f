package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.RestDoor.HOUR;
import static org.metasched.it.RestDoor.HTTP;
import static org.metasched.it.RestDoor.body;
import static org.metasched.it.RestDoor.problem;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who sees what through the REST door, and what each has of his own: calendars, notices, matches, events. */
@Tag("full")
class RestPeopleTest {

    @TempDir
    private static Path folder;

    @AutoClose
    private static RestDoor door;

    @BeforeAll
    static void serve() throws Exception {
        door = new RestDoor(folder);
    }

    @Test
    void aCalendarIsReadAtItsPrivateAddressUntilThatIsWithdrawn() throws Exception {
        String whole = HOUR.replace("{\"parts", "{\"label\":\"Night shift\",\"parts");
        assertThat(send("alice", "POST", "/agreements", whole).statusCode()).isEqualTo(201);

        var made = body(send("alice", "POST", "/me/calendars", "{}"));
        var site = body(send("bob", "POST", "/me/calendars", "{\"site\":\"fzj\"}"));
        var address = URI.create(made.path("address").asText());
        var calendar = HTTP.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());

        assertThat(calendar.statusCode()).as(address.toString()).isEqualTo(200);
        assertThat(calendar.headers().firstValue("Content-Type")).hasValue("text/calendar; charset=utf-8");
        assertThat(calendar.body()).contains("SUMMARY:Night shift at fzj");
        assertThat(HTTP.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString())
                        .body())
                .isEqualTo(calendar.body());
        assertThat(HTTP.send(
                                HttpRequest.newBuilder(
                                                URI.create(site.path("address").asText()))
                                        .build(),
                                BodyHandlers.ofString())
                        .body())
                .contains("2 nodes reserved")
                .doesNotContain("Night shift", "alice");
        assertThat(send("alice", "GET", "/me/calendars", "").body()).doesNotContain(address.getPath());
        problem(send("bob", "DELETE", "/me/calendars/" + made.path("id").asText(), ""), 404, "NOT_FOUND");
        assertThat(send("alice", "DELETE", "/me/calendars/" + made.path("id").asText(), "")
                        .statusCode())
                .isEqualTo(204);
        for (var gone : List.of(address, address.resolve("/calendars/x.ics"), address.resolve("/calendars/"))) {
            assertThat(HTTP.send(HttpRequest.newBuilder(gone).build(), BodyHandlers.discarding())
                            .statusCode())
                    .as(gone.toString())
                    .isEqualTo(404);
        }
    }

    @Test
    void aSubscriptionNamesAnAddressThatMayBeCalledAndIsItsOwners() throws Exception {
        var made = send(
                "alice",
                "POST",
                "/notices",
                "{\"to\":\"http://127.0.0.1:9099/hook\",\"events\":[\"soon\"],\"lead\":\"2h\"}");
        String path = made.headers().firstValue("Location").orElseThrow().substring(7);

        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        assertThat(body(made).path("secret").asText()).startsWith("whsec_");
        assertThat(send("alice", "GET", "/notices", "").body())
                .contains("\"to\":\"http://127.0.0.1:9099/hook\"", "\"lead\":\"PT2H\"", "\"events\":[\"soon\"]")
                .doesNotContain("whsec_");
        assertThat(body(send("bob", "GET", "/notices", "")).path("notices")).isEmpty();
        problem(send("bob", "DELETE", path, ""), 404, "NOT_FOUND");
        assertThat(send("alice", "DELETE", path, "").statusCode()).isEqualTo(204);
        for (String wrong : List.of(
                "{\"to\":\"http://10.0.0.1/\"}",
                "{\"to\":\"mailto:alice@example.org\"}",
                "{\"to\":\"http://127.0.0.1:9099/\",\"events\":[\"none\"]}",
                "{\"to\":\"http://127.0.0.1:9099/\",\"lead\":\"P60D\"}",
                "{\"to\":\"http://127.0.0.1:9099/\",\"agreement\":\"none\"}",
                "{}")) {
            problem(send("alice", "POST", "/notices", wrong), 422, "OFFER_INVALID");
        }
        problem(send("auditor", "POST", "/notices", "{}"), 403, "NOT_ALLOWED");
    }

    @Test
    void everyOneSeesAndChangesWhatTheRulesOfSoapSay() throws Exception {
        var made = send("alice", "POST", "/agreements", HOUR);
        String path = made.headers().firstValue("Location").orElseThrow().substring(7);

        for (String who : List.of("bob", "site")) {
            assertThat(send(who, "GET", path, "").statusCode()).as(who).isEqualTo(404);
        }
        problem(send("bob", "DELETE", path, ""), 404, "NOT_FOUND");
        problem(send("auditor", "DELETE", path, ""), 403, "NOT_ALLOWED");
        problem(send("auditor", "POST", "/agreements", HOUR), 403, "NOT_ALLOWED");
        problem(send("auditor", "POST", "/plans", HOUR), 403, "NOT_ALLOWED");
        problem(send("", "POST", "/agreements", HOUR), 401, "NOT_ALLOWED");
        problem(send("", "GET", "/agreements", ""), 401, "NOT_ALLOWED");
        problem(
                send("alice", "POST", "/agreements", HOUR.replace("{\"parts", "{\"initiator\":\"bob\",\"parts")),
                422,
                "OFFER_INVALID");
        assertThat(door.server.audit()).contains("Agreement/Terminate", "AgreementFactory/CreateAgreement");
        assertThat(send("op", "DELETE", path, "").statusCode()).isEqualTo(200);
    }

    @Test
    void whoAsksSeesHisRolesAndWhatIsLeft() throws Exception {
        var me = body(send("alice", "GET", "/me", ""));

        assertThat(me.path("subject").asText()).isEqualTo(ConsoleServer.ISSUER + ",alice");
        assertThat(me.path("roles").toString()).contains("user");
        var agreements = me.path("quotas").path(0).path("agreements");
        assertThat(agreements.path("limit").asInt()).isEqualTo(50);
        assertThat(agreements.path("left").asInt())
                .isEqualTo(50 - agreements.path("used").asInt());
        assertThat(body(send("op", "GET", "/me", ""))
                        .path("quotas")
                        .path(0)
                        .path("agreements")
                        .path("limit")
                        .isNull())
                .isTrue();
    }

    @Test
    void eventsGoOnAfterTheLastOneWithoutAGapAndOnlyForThoseWhoSeeThem() throws Exception {
        String place = lastId(send("alice", "GET", "/events", "").body());
        var made = send("alice", "POST", "/agreements", HOUR);
        String path = made.headers().firstValue("Location").orElseThrow().substring(7);
        var first = new ArrayList<String>();
        Awaitility.await().until(() -> {
            String some =
                    send("alice", "GET", "/events", "", "Last-Event-ID", place).body();
            first.clear();
            first.addAll(ids(some));
            return some.contains("\"state\":\"Observed\"") && some.contains(path.substring(12));
        });
        String own = send("alice", "GET", path + "/events", "").body();

        assertThat(first).doesNotHaveDuplicates();
        assertThat(first).containsAll(ids(own));
        assertThat(own).contains("event: offer", "event: state", "\"state\":\"Observed\"");
        var next = CompletableFuture.supplyAsync(
                () -> uncheckedBody("alice", path + "/events", "Last-Event-ID", lastId(own)));
        assertThat(send("alice", "DELETE", path, "").statusCode()).isEqualTo(200);
        assertThat(next.get(15, TimeUnit.SECONDS)).doesNotContain("\"state\":\"Observed\"");
        assertThat(send("bob", "GET", "/events", "", "Last-Event-ID", place).body())
                .doesNotContain(path.substring(12));
        assertThat(send("bob", "GET", path + "/events", "").statusCode()).isEqualTo(404);
    }

    @Test
    void theEventsOfAnAgreementAreFoundByEachOfItsNames() throws Exception {
        String labelled = HOUR.replace("{\"parts", "{\"label\":\"beam-7\",\"parts");
        var made = send("alice", "POST", "/agreements", labelled);
        String id = made.headers().firstValue("Location").orElseThrow().substring(7);
        String own = send("alice", "GET", id + "/events", "").body();

        for (String name : List.of("beam-7", body(made).path("offerId").asText())) {
            String path = "/agreements/" + name + "/events";
            var named = send("alice", "GET", path, "");
            assertThat(named.statusCode()).as(path).isEqualTo(200);
            assertThat(ids(named.body())).as(path).startsWith(ids(own).toArray(String[]::new));
            problem(send("bob", "GET", path, ""), 404, "NOT_FOUND");
        }
        problem(send("alice", "GET", "/agreements/beam-8/events", ""), 404, "NOT_FOUND");
    }

    @Test
    void aMatchIsTakenRenewedKeptAndGivenBack() throws Exception {
        String name = body(send("alice", "GET", "/ads?constraint=Site%3D%3D%22fzj%22", ""))
                .path("ads")
                .path(0)
                .path("name")
                .asText();

        var taken = send("alice", "POST", "/matches", "{\"site\":\"" + name + "\",\"holder\":\"/dags/one\"}");

        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(201);
        String path = taken.headers().firstValue("Location").orElseThrow().substring(7);
        assertThat(send("alice", "PATCH", path, "{}").statusCode()).isEqualTo(200);
        assertThat(send("alice", "PATCH", path, "{\"confirmed\":true}").statusCode())
                .isEqualTo(200);
        assertThat(body(send("op", "GET", "/matches", "")).toString()).contains("\"confirmed\":true", "/dags/one");
        assertThat(send("alice", "DELETE", path, "").statusCode()).isEqualTo(204);
        problem(send("alice", "PATCH", path, "{}"), 404, "NOT_FOUND");
        problem(send("auditor", "POST", "/matches", "{\"site\":\"fzj\",\"holder\":\"x\"}"), 403, "NOT_ALLOWED");
        problem(send("alice", "POST", "/matches", "{\"site\":\"none\",\"holder\":\"x\"}"), 422, "OFFER_INVALID");
    }

    @Test
    void adsShowTheAttributesThatAreAskedFor() throws Exception {
        String fzj = "/ads?constraint=Site%3D%3D%22fzj%22";
        String whole = body(send("alice", "GET", fzj, "")).at("/ads/0/ad").asText();

        String some = body(send("alice", "GET", fzj + "&projection=Site,totalnodes,SITE,None", ""))
                .at("/ads/0/ad")
                .asText();

        assertThat(whole).contains("FreeNodes");
        assertThat(some.replaceAll("[\\s;]+", " ").strip()).isEqualToIgnoringCase("[ Site = \"fzj\" TotalNodes = 64 ]");
    }

    @Test
    void pagesOfNamedOriginsMayAskAndOthersMayNot() throws Exception {
        for (String origin : List.of("https://portal.example.org", "https://portal.example.org.evil.example.org")) {
            var preflight = send(
                    "",
                    "OPTIONS",
                    "/agreements",
                    "",
                    "Origin",
                    origin,
                    "Access-Control-Request-Method",
                    "POST",
                    "Access-Control-Request-Headers",
                    "authorization,content-type,idempotency-key");
            var allowed = preflight.headers().firstValue("Access-Control-Allow-Origin");

            assertThat(allowed).isEqualTo(Optional.of(origin).filter("https://portal.example.org"::equals));
            assertThat(preflight.headers().firstValue("Access-Control-Allow-Credentials"))
                    .isEmpty();
            var read = send("alice", "GET", "/me", "", "Origin", origin);
            assertThat(read.headers().firstValue("Access-Control-Allow-Origin")).isEqualTo(allowed);
        }
    }

    private static String uncheckedBody(String who, String path, String... headers) {
        try {
            return send(who, "GET", path, "", headers).body();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> ids(String stream) {
        return Pattern.compile("^id: (\\d+)$", Pattern.MULTILINE)
                .matcher(stream)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String lastId(String stream) {
        var all = ids(stream);
        return all.get(all.size() - 1);
    }

    private static HttpResponse<String> send(String who, String method, String path, String body, String... headers)
            throws Exception {
        return door.send(who, method, path, body, headers);
    }
}
