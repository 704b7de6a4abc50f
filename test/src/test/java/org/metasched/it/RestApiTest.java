package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.RestDoor.HOUR;
import static org.metasched.it.RestDoor.body;
import static org.metasched.it.RestDoor.problem;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agreements through the REST door. */
class RestApiTest {

    @TempDir
    private static Path folder;

    @AutoClose
    private static RestDoor door;

    @BeforeAll
    static void serve() throws Exception {
        door = new RestDoor(folder);
    }

    @Test
    void anAgreementIsMadeReadAndEndedThroughEitherDoor() throws Exception {
        var made = send("alice", "POST", "/agreements", HOUR);
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        String id = body(made).path("agreementId").asText();
        assertThat(made.headers().firstValue("Location")).hasValue("/api/v1/agreements/" + id);
        var soap = door.soap("alice");

        assertThat(soap.show(id).state()).isEqualTo("Observed");
        assertThat(send("alice", "GET", "/agreements/" + id + "/document", "").body())
                .contains("AgreementOffer", ConsoleServer.ISSUER + ",alice");
        soap.terminate(id);
        assertThat(body(send("alice", "GET", "/agreements/" + id, ""))
                        .path("state")
                        .asText())
                .isEqualTo("Terminated");

        String other = body(send("alice", "POST", "/agreements", HOUR))
                .path("agreementId")
                .asText();
        var ended = send("alice", "DELETE", "/agreements/" + other, "");
        assertThat(ended.statusCode()).as(ended.body()).isEqualTo(200);
        assertThat(soap.show(other).state()).isEqualTo("Terminated");
        problem(send("alice", "DELETE", "/agreements/" + other, ""), 409, "AGREEMENT_FINAL");
        assertThat(body(send("alice", "GET", "/agreements/" + other + "/history", ""))
                        .path("events")
                        .findValuesAsText("kind"))
                .contains("OFFER", "STATE", "PART");
    }

    @Test
    void labelUsersAndProjectAreTheSameThroughEitherDoorAndReachTheSite() throws Exception {
        String whole = HOUR.replace(
                "{\"parts",
                "{\"label\":\"Beam time 7\",\"users\":[\"CN=Bob\",\"CN=Carol\"],\"project\":\"P42\",\"parts");

        var made = body(send("alice", "POST", "/agreements", whole, "Idempotency-Key", "beam-7"));
        String id = made.path("agreementId").asText();
        var document =
                send("alice", "GET", "/agreements/" + id + "/document", "").body();
        var listed = body(send("alice", "GET", "/agreements?label=Beam%20time%207", ""))
                .path("agreements");

        for (var seen : List.of(made, listed.path(0), made.path("request"))) {
            assertThat(seen.path("label").asText()).as(seen.toString()).isEqualTo("Beam time 7");
            assertThat(seen.path("users").toString()).isEqualTo("[\"CN=Bob\",\"CN=Carol\"]");
            assertThat(seen.path("project").asText()).isEqualTo("P42");
        }
        assertThat(listed.size()).isEqualTo(1);
        assertThat(document).contains(">Beam time 7<", ">CN=Bob<", ">CN=Carol<", ">P42<");
        var view = door.soap("alice").show("beam-7");
        assertThat(view.agreementId()).isEqualTo(id);
        assertThat(view.label()).contains("Beam time 7");
        assertThat(view.users()).containsExactly("CN=Bob", "CN=Carol");
        assertThat(view.project()).contains("P42");
        assertThat(body(send("alice", "GET", "/agreements/Beam%20time%207", ""))
                        .path("agreementId")
                        .asText())
                .isEqualTo(id);
        problem(send("bob", "GET", "/agreements/Beam%20time%207", ""), 404, "NOT_FOUND");
        var longer = send("alice", "PATCH", "/agreements/Beam%20time%207", "{\"duration\":\"PT2H\"}", "If-Match", "*");
        assertThat(body(longer).path("project").asText()).as(longer.body()).isEqualTo("P42");
        for (String wrong : List.of("P 42", "-x", "a,b")) {
            problem(send("alice", "POST", "/agreements", whole.replace("P42", wrong)), 422, "OFFER_INVALID");
        }
        problem(send("alice", "POST", "/agreements", whole.replace("Beam", "x".repeat(200))), 422, "OFFER_INVALID");
        problem(send("alice", "POST", "/agreements", whole.replace("CN=Bob", "")), 422, "OFFER_INVALID");
    }

    @Test
    void aRepeatedKeyGetsTheFirstAgreementAndAnotherBodyWithItNone() throws Exception {
        String[] key = {"Idempotency-Key", "once"};

        var first = send("alice", "POST", "/agreements", HOUR, key);
        var again = send("alice", "POST", "/agreements", HOUR, key);

        assertThat(again.statusCode()).isEqualTo(201);
        assertThat(body(again)).isEqualTo(body(first));
        assertThat(again.headers().firstValue("ETag")).isEqualTo(first.headers().firstValue("ETag"));
        problem(send("alice", "POST", "/agreements", HOUR.replace("1H", "2H"), key), 422, "AGREEMENT_ID_TAKEN");
        assertThat(body(send("bob", "POST", "/agreements", HOUR, key)).path("agreementId"))
                .isNotEqualTo(body(first).path("agreementId"));
    }

    @Test
    void aRefusalHasReasonsAndSuggestionsThatAreGranted() throws Exception {
        String all = "{\"parts\":[{\"site\":\"scai\",\"nodes\":8}],\"duration\":\"1h\"}";
        var taken = send("op", "POST", "/agreements", all);
        assertThat(taken.statusCode()).isEqualTo(201);
        String late = Instant.now().plus(Duration.ofMinutes(90)).toString();
        String tooMuch =
                "{\"parts\":[{\"site\":\"scai\",\"nodes\":8}],\"duration\":\"1h\",\"deadline\":\"" + late + "\"}";

        var refused = problem(send("alice", "POST", "/agreements", tooMuch), 409, "NO_COMMON_SLOT");
        var plan = body(send("alice", "POST", "/plans", tooMuch));

        assertThat(refused.path("reasons").get(0).asText()).isNotEmpty();
        assertThat(plan.path("granted").asBoolean()).isFalse();
        assertThat(plan.path("suggestions").size()).isPositive();
        assertThat(refused.path("suggestions").size())
                .isEqualTo(plan.path("suggestions").size());
        for (var suggestion : refused.path("suggestions")) {
            var granted = send("alice", "POST", "/agreements", suggestion.toString());
            assertThat(granted.statusCode()).as(suggestion + granted.body()).isEqualTo(201);
            send(
                    "alice",
                    "DELETE",
                    granted.headers().firstValue("Location").orElseThrow().substring(7),
                    "");
        }
        send(
                "op",
                "DELETE",
                taken.headers().firstValue("Location").orElseThrow().substring(7),
                "");
    }

    @Test
    void aPlanHoldsNothingAndItsRequestMakesJustIt() throws Exception {
        int before = door.server.wiring.agreements().newest(1000).size();
        String asked = "{\"parts\":[{\"nodes\":3},{\"site\":\"scai\",\"nodes\":2}],\"duration\":\"PT30M\"}";

        var plan = body(send("alice", "POST", "/plans?most=1", asked))
                .path("plans")
                .path(0);

        assertThat(door.server.wiring.agreements().newest(1000)).hasSize(before);
        var made = send("alice", "POST", "/agreements", plan.path("request").toString());
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        assertThat(body(made).path("sites").findValuesAsText("site"))
                .isEqualTo(plan.path("parts").findValuesAsText("site"));
        var windows = send("alice", "GET", "/sites/scai/windows?nodes=8&duration=2h", "");
        assertThat(body(windows).path("windows").path(0).path("earliest").asText())
                .isNotEmpty();
        problem(send("alice", "GET", "/sites/none/windows", ""), 404, "NOT_FOUND");
    }

    @Test
    void aRenegotiationNeedsWhatWasReadAndLeavesOneAgreement() throws Exception {
        var made = send("alice", "POST", "/agreements", HOUR);
        String path = made.headers().firstValue("Location").orElseThrow().substring(7);
        String tag = made.headers().firstValue("ETag").orElseThrow();

        problem(send("alice", "PATCH", path, "{\"duration\":\"PT2H\"}"), 428, "PRECONDITION_REQUIRED");
        problem(
                send("alice", "PATCH", path, "{\"duration\":\"PT2H\"}", "If-Match", "\"x\""),
                412,
                "PRECONDITION_FAILED");
        problem(send("bob", "PATCH", path, "{\"duration\":\"PT2H\"}", "If-Match", tag), 404, "NOT_FOUND");
        problem(
                send("alice", "PATCH", path, "{\"nodes\":63,\"duration\":\"PT0S\"}", "If-Match", tag),
                422,
                "OFFER_INVALID");
        assertThat(send("alice", "GET", path, "").headers().firstValue("ETag")).hasValue(tag);
        var longer = send("alice", "PATCH", path, "{\"duration\":\"PT2H\",\"nodes\":4}", "If-Match", tag);

        assertThat(longer.statusCode()).as(longer.body()).isEqualTo(200);
        assertThat(body(longer).path("sites").path(0).path("nodes").asInt()).isEqualTo(4);
        assertThat(body(longer).path("request").path("duration").asText()).isEqualTo("PT2H");
        String next =
                longer.headers().firstValue("Content-Location").orElseThrow().substring(7);
        String[] once = {"If-Match", longer.headers().firstValue("ETag").orElseThrow(), "Idempotency-Key", "longer-once"
        };
        var first = send("alice", "PATCH", next, "{\"duration\":\"3h\"}", once);
        var again = send("alice", "PATCH", next, "{\"duration\":\"3h\"}", once);
        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
        assertThat(body(again).path("agreementId")).isEqualTo(body(first).path("agreementId"));
        problem(send("alice", "PATCH", next, "{\"duration\":\"4h\"}", once), 422, "AGREEMENT_ID_TAKEN");
        assertThat(body(send("alice", "GET", path, "")).path("state").asText()).isEqualTo("Terminated");
    }

    @Test
    void aPendingAgreementIsAnsweredAtOnceAndDecidedLater() throws Exception {
        var pending = send("alice", "POST", "/agreements", HOUR, "Prefer", "respond-async");

        assertThat(pending.statusCode()).as(pending.body()).isIn(201, 202);
        assertThat(pending.headers().firstValue("Preference-Applied")).hasValue("respond-async");
        String path = pending.headers().firstValue("Location").orElseThrow().substring(7);
        Awaitility.await()
                .until(() -> body(send("alice", "GET", path, ""))
                        .path("state")
                        .asText()
                        .equals("Observed"));
    }

    @Test
    void whatTheDoorDoesNotTakeIsAProblem() throws Exception {
        var method = send("alice", "PUT", "/agreements", HOUR);
        problem(method, 405, "METHOD_NOT_ALLOWED");
        assertThat(method.headers().firstValue("Allow")).hasValue("GET, HEAD, OPTIONS, POST");
        problem(send("alice", "DELETE", "/nothing", ""), 404, "NOT_FOUND");
        problem(send("alice", "GET", "/nothing", ""), 404, "NOT_FOUND");
        problem(send("alice", "GET", "/sites", "", "Accept", "text/html"), 406, "NOT_ACCEPTABLE");
        problem(
                send("alice", "POST", "/agreements", HOUR, "Content-Type", "text/plain"),
                415,
                "UNSUPPORTED_MEDIA_TYPE");
        problem(send("alice", "POST", "/agreements", "{\"parts\":"), 400, "NOT_JSON");
        problem(send("alice", "POST", "/agreements", "[]"), 400, "NOT_JSON");
        var twice = send("alice", "POST", "/agreements", "{\"a\":1,\"a\":2}");
        problem(twice, 400, "NOT_JSON");
        assertThat(twice.body()).contains("Duplicate field 'a' in one object (line 1, column 12)");
        assertThat(send("alice", "POST", "/agreements", HOUR.replace("\"PT1H\"", "3600"))
                        .body())
                .contains("The duration (3600) must be a text in quotes.");
        problem(send("alice", "POST", "/agreements", " ".repeat(1 << 20) + HOUR), 413, "TOO_LARGE");
        problem(send("alice", "POST", "/agreements", HOUR.replace("\"site\"", "\"sight\"")), 422, "OFFER_INVALID");
        problem(send("alice", "POST", "/agreements", HOUR.replace("fzj", "none")), 422, "SITE_UNKNOWN");
        problem(send("alice", "GET", "/agreements?limit=0", ""), 400, "QUERY_INVALID");
        problem(send("alice", "GET", "/agreements?site=%FF", ""), 400, "QUERY_INVALID");
        problem(send("alice", "GET", "/ads?constraint=%ED%A0%80", ""), 400, "QUERY_INVALID");
    }

    @Test
    void aPageLinksToTheNext() throws Exception {
        send("bob", "POST", "/agreements", HOUR);
        send("bob", "POST", "/agreements", HOUR);

        var page = send("bob", "GET", "/agreements?limit=1&site=fzj", "");

        String link = page.headers().firstValue("Link").orElseThrow();
        assertThat(link).endsWith(">; rel=\"next\"");
        var next = send("bob", "GET", link.substring(1, link.indexOf('>')).substring(7), "");
        assertThat(body(next).path("agreements").size()).isEqualTo(1);
        assertThat(body(next)).isNotEqualTo(body(page));
        assertThat(body(send("bob", "GET", "/agreements?site=scai", "")).path("agreements"))
                .isEmpty();
    }

    private static HttpResponse<String> send(String who, String method, String path, String body, String... headers)
            throws Exception {
        return door.send(who, method, path, body, headers);
    }
}
