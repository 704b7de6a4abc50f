package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.metasched.it.RestDoor.HOUR;
import static org.metasched.it.RestDoor.body;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.subscription.NoticeSubscription;

/** Each operation of the REST door with each status that it can answer here: a case on a line. */
class RestCasesTest {

    /** What alice may read. */
    private static final List<String> READS = List.of(
            "/sites",
            "/sites/fzj",
            "/sites/fzj/windows",
            "/agreements",
            "/agreements/@own",
            "/agreements/@own/history",
            "/agreements/@own/document",
            "/agreements/@own/events",
            "/events",
            "/me",
            "/notices",
            "/me/calendars",
            "/refused",
            "/templates",
            "/ads",
            "/matches",
            "/matches/@match",
            "/dags",
            "/dags/@match",
            "/openapi.json");

    private static final String CHANGES = """
            POST /plans @hour 200
            POST /plans {"template":"CO-ALLOCATION","duration":"1h"} 200
            POST /plans {"template":"CO-ALLOCATION","duration":"90s"} 422
            POST /plans {"template":"NONE"} 422
            POST /plans {"template":null} 422
            POST /plans {"template":"CO-ALLOCATION","parts":[]} 422
            POST /plans {"parts": 400
            POST /plans [] 400
            POST /plans @long 413
            POST /plans {} 422
            POST /plans {"parts":[],"duration":"PT1H"} 422
            POST /plans {"parts":[{"site":"fzj","nodes":0}],"duration":"PT1H"} 422
            POST /plans {"parts":[{"site":"fzj","nodes":1}],"duration":"-PT1H"} 422
            POST /plans {"parts":[{"site":"none","nodes":1}],"duration":"PT1H"} 422
            POST /plans {"parts":[{"site":"fzj","nodes":60}],"duration":"PT1H"} 200
            POST /plans?most=0 @hour 422
            POST /plans?most=x @hour 422
            POST /agreements {"parts": 400
            POST /agreements [] 400
            POST /agreements {"a":1,"a":2} 400
            POST /agreements @long 413
            POST /agreements {} 422
            POST /agreements {"parts":[],"duration":"PT1H"} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":-1}],"duration":"PT1H"} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1.5}],"duration":"PT1H"} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}]} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}],"duration":"1 fortnight"} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}],"duration":"PT1H","earliest":"soon"} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}],"duration":"PT1H","prefer":"luck"} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}],"duration":"PT1H","ifDegraded":"cry"} 422
            POST /agreements {"parts":[{"site":"none","nodes":1}],"duration":"PT1H"} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}],"duration":"PT1H","label":null} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}],"duration":"PT1H","program":null} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}],"duration":"PT1H","users":null} 422
            POST /plans {"parts":[{"site":"fzj","nodes":1,"cores":null}],"duration":"PT1H"} 422
            POST /plans {"parts":[{"site":"fzj","nodes":1,"split":null}],"duration":"PT1H"} 422
            POST /plans {"parts":[{"site":"fzj","nodes":1}],"stages":null,"duration":"PT1H"} 422
            POST /agreements {"parts":[{"requirements":"((","nodes":1}],"duration":"PT1H"} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}],"duration":"PT1H","initiator":"x"} 422
            POST /agreements {"parts":[{"site":"fzj","nodes":1}],"duration":"PT1H"} 201
            POST /agreements {"parts":[{"site":"fzj","nodes":1},{"site":"scai","nodes":1}],"duration":"30m"} 201
            POST /agreements {"parts":[{"site":"scai","nodes":8}],"duration":"1h","deadline":"@soon"} 409
            POST /plans {"parts":[{"site":"scai","nodes":8}],"duration":"1h","deadline":"@soon"} 200
            PATCH /agreements/@own {"duration":"1h","nodes":64,"deadline":"@soon"} 409 If-Match *
            PATCH /agreements/@own {"lable":null} 422 If-Match *
            PATCH /agreements/@own {"duration": 400 If-Match *
            PATCH /agreements/@own [] 400 If-Match *
            PATCH /agreements/@own @long 413 If-Match *
            PATCH /agreements/@own {"duration":"PT0S"} 422 If-Match *
            PATCH /agreements/@own {"length":"PT1H"} 422 If-Match *
            PATCH /agreements/@own {"duration":"PT2H"} 428
            PATCH /agreements/@own {"duration":"PT2H"} 412 If-Match "x"
            PATCH /agreements/none {"duration":"PT2H"} 404 If-Match *
            DELETE /agreements/none - 404
            DELETE /agreements/@own - 412 If-Match "x"
            POST /notices {"to": 400
            POST /notices [] 400
            POST /notices @long 413
            POST /notices {} 422
            POST /notices {"to":"ftp://example.org/"} 422
            POST /notices {"to":"http://127.0.0.1:9/","events":["x"]} 422
            POST /notices {"to":"http://127.0.0.1:9/","lead":"P99D"} 422
            POST /notices {"to":"http://127.0.0.1:9/","agreement":"none"} 422
            POST /notices {"to":"http://127.0.0.1:9/"} 422
            POST /notices {"to":"http://127.0.0.1:9099/","events":null} 422
            POST /notices {"to":"http://127.0.0.1:9099/"} 201
            DELETE /notices/none - 404
            POST /me/calendars {"site": 400
            POST /me/calendars [] 400
            POST /me/calendars @long 413
            POST /me/calendars {"sight":"fzj"} 422
            POST /me/calendars {"site":"none"} 422
            POST /me/calendars {"site":null} 422
            POST /me/calendars {} 201
            POST /me/calendars {"site":"fzj"} 201
            DELETE /me/calendars/none - 404
            POST /matches {"site": 400
            POST /matches [] 400
            POST /matches @long 413
            POST /matches {} 422
            POST /matches {"site":"none","holder":"x"} 422
            POST /matches {"site":"fzj","holder":""} 422
            POST /matches {"site":"fzj","holder":"x","nodes":null} 422
            PATCH /matches/00000000-0000-0000-0000-000000000000 {} 404
            PATCH /matches/00000000-0000-0000-0000-000000000000 {"confirmed":null} 422
            PATCH /matches/00000000-0000-0000-0000-000000000000 {"confirmed":"yes"} 422
            PATCH /matches/00000000-0000-0000-0000-000000000000 [] 400
            PATCH /matches/00000000-0000-0000-0000-000000000000 @long 413
            DELETE /matches/00000000-0000-0000-0000-000000000000 - 404
            GET /sites/none - 404
            GET /sites/none/windows - 404
            GET /sites/fzj/windows?nodes=0 - 400
            GET /sites/fzj/windows?nodes=x - 400
            GET /sites/fzj/windows?duration=x - 400
            GET /sites/fzj/windows?from=x - 400
            GET /agreements/none - 404
            GET /agreements/none/history - 404
            GET /agreements/none/document - 404
            GET /agreements/none/events - 404
            GET /sites?limit=0 - 400
            GET /agreements?limit=0 - 400
            GET /agreements?state=gone - 400
            GET /agreements?from=x - 400
            GET /agreements?modified_since=x - 400
            GET /agreements?after=none - 400
            GET /refused?limit=0 - 400
            GET /ads?constraint=(( - 400
            GET /ads?limit=0 - 400
            GET /ads?projection=,%20, - 200
            GET /matches?limit=0 - 400
            GET /matches/none - 404
            GET /dags?limit=0 - 400
            GET /dags/none - 404
            GET /events - 400 Last-Event-ID x
            GET /agreements/@own/events - 400 Last-Event-ID x
            PATCH /agreements/@own {} 415 Content-Type text/plain
            PATCH /matches/00000000-0000-0000-0000-000000000000 {} 415 Content-Type text/plain
            GET /nothing - 404
            PUT /agreements @hour 405
            DELETE /me - 405
            POST /sites {} 405
            PATCH /notices {} 405
            """;

    /** RestRefusalsTest sees each of these of each operation, FullAuditDiskIT the last; RestSilentSiteTest the end that stays open and a site without windows. */
    private static final String ELSEWHERE = ".* (403|429|503)|terminateAgreement 202|listWindows 409";

    private static final String HOOK = "{\"to\":\"http://127.0.0.1:9099/\"}";
    private static final int BASE = "/api/v1".length();

    @TempDir
    private static Path folder;

    @AutoClose
    private static RestDoor door;

    private static String own = "";
    private static String match = "";

    @BeforeAll
    static void serve() throws Exception {
        door = new RestDoor(folder);
        own = body(door.send("alice", "POST", "/agreements", HOUR))
                .path("agreementId")
                .asText();
        String held = made("/matches", "{\"site\":\"fzj\",\"holder\":\"/dags/one\"}");
        assertThat(door.send("alice", "PATCH", held, "{\"confirmed\":true}").statusCode())
                .isEqualTo(200);
        match = held.substring("/matches/".length());
    }

    @TestFactory
    List<DynamicTest> eachOperationAnswersEachOfItsStatuses() {
        List<DynamicTest> cases = new ArrayList<>();
        for (String read : READS) {
            cases.add(asked("alice GET " + read + " - 200"));
            cases.add(asked(" GET " + read + " - 401"));
            if (!read.endsWith("events")) {
                cases.add(asked("alice GET " + read + " - 406 Accept image/png"));
            }
            // Free windows begin at the moment of the question, if it names none.
            if (!read.endsWith("events") && !read.endsWith("windows")) {
                cases.add(DynamicTest.dynamicTest("304 " + read, () -> unchanged("alice", read)));
            }
            if (read.contains("@")) {
                cases.add(asked("bob GET " + read + " - 404"));
            }
        }
        for (String change : List.of("/plans", "/agreements", "/notices", "/me/calendars", "/matches")) {
            cases.add(asked(" POST " + change + " {} 401"));
            cases.add(asked("auditor POST " + change + " {} 403"));
            cases.add(asked("alice POST " + change + " @hour 415 Content-Type text/plain"));
        }
        for (String thing : List.of("/agreements/@own", "/notices/x", "/me/calendars/x", "/matches/x")) {
            cases.add(asked(" DELETE " + thing + " - 401"));
            cases.add(asked(
                    " PATCH " + thing.replace("/notices/x", "/agreements/x").replace("/me/calendars/x", "/matches/x")
                            + " {} 401"));
        }
        String day = "?from=" + Instant.now().plus(Duration.ofDays(1)) + "&to="
                + Instant.now().plus(Duration.ofDays(2));
        cases.add(DynamicTest.dynamicTest("304 windows", () -> unchanged("alice", "/sites/fzj/windows" + day)));
        cases.add(DynamicTest.dynamicTest("made and ended", RestCasesTest::madeAndEnded));
        cases.add(DynamicTest.dynamicTest("too many", RestCasesTest::tooMany));
        cases.add(DynamicTest.dynamicTest("all matches taken", RestCasesTest::allMatchesTaken));
        CHANGES.lines().map(line -> asked("alice " + line)).forEach(cases::add);
        cases.add(DynamicTest.dynamicTest("there are enough", () -> enough(cases.size())));
        return cases;
    }

    private static void enough(int cases) {
        assertThat(cases).isGreaterThan(150);
        var never = new TreeSet<>(door.promised());
        never.removeAll(door.seen);
        never.removeIf(status -> status.matches(ELSEWHERE));
        System.out.println("RestCases: " + cases + " cases, " + door.seen.size() + " statuses");
        assertThat(never).isEmpty();
    }

    private static void madeAndEnded() throws Exception {
        String first = made("/agreements", HOUR);
        String next = door.send("alice", "PATCH", first, "{\"duration\":\"PT2H\"}", "If-Match", "*")
                .headers()
                .firstValue("Content-Location")
                .orElseThrow()
                .substring(BASE);
        answers(200, "DELETE", next);
        answers(409, "DELETE", next);
        String taken = made("/matches", "{\"site\":\"fzj\",\"holder\":\"x\"}");
        assertThat(door.send("alice", "PATCH", taken, "{}").statusCode()).isEqualTo(200);
        answers(204, "DELETE", taken);
        answers(204, "DELETE", made("/notices", HOOK));
        answers(204, "DELETE", made("/me/calendars", "{}"));
        // It may be decided before it is answered.
        Awaitility.await().until(() -> {
            var answer = door.send("alice", "POST", "/agreements", HOUR, "Prefer", "respond-async");
            door.send("alice", "DELETE", location(answer), "");
            return answer.statusCode() == 202;
        });
    }

    private static void tooMany() throws Exception {
        for (int i = 0; i < NoticeSubscription.MOST; i++) {
            assertThat(door.send("bob", "POST", "/notices", HOOK).statusCode()).isEqualTo(201);
        }
        assertThat(door.send("bob", "POST", "/notices", HOOK).statusCode()).isEqualTo(409);
        assertThat(door.send("bob", "POST", "/me/calendars", "{}").statusCode()).isEqualTo(409);
    }

    private static void allMatchesTaken() throws Exception {
        String wish = "{\"site\":\"scai\",\"holder\":\"x\"}";
        var taken = door.send("bob", "POST", "/matches", wish);
        while (taken.statusCode() == 201) {
            taken = door.send("bob", "POST", "/matches", wish);
        }
        assertThat(taken.statusCode()).as(taken.body()).isEqualTo(409);
    }

    private static String made(String path, String body) throws Exception {
        var answer = door.send("alice", "POST", path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return location(answer);
    }

    private static String location(HttpResponse<String> made) {
        return made.headers().firstValue("Location").orElseThrow().substring(BASE);
    }

    private static void answers(int status, String method, String path) throws Exception {
        assertThat(door.send("alice", method, path, "").statusCode()).as(path).isEqualTo(status);
    }

    private static String named(String path) {
        return path.replace("@own", own).replace("@match", match);
    }

    private static void unchanged(String who, String read) throws Exception {
        String path = named(read);
        if (door.send(who, "GET", path, "").headers().firstValue("ETag").isPresent()) {
            // What has moved on between both is sent again.
            Awaitility.await().until(() -> {
                String tag = door.send(who, "GET", path, "")
                        .headers()
                        .firstValue("ETag")
                        .orElseThrow();
                return door.send(who, "GET", path, "", "If-None-Match", tag).statusCode() == 304;
            });
        }
    }

    /** @param line who, method, path, body or -, status, and perhaps a header */
    private static DynamicTest asked(String line) {
        return DynamicTest.dynamicTest(line.strip(), () -> {
            var words = line.split(" ", -1);
            int status = Stream.iterate(4, i -> i + 1)
                    .filter(i -> words[i].matches("\\d{3}"))
                    .findFirst()
                    .orElseThrow();
            String body = String.join(" ", Arrays.copyOfRange(words, 3, status))
                    .replace("@hour", HOUR)
                    .replace("@soon", Instant.now().plus(Duration.ofMinutes(70)).toString())
                    .replace("@long", " ".repeat(1 << 20) + "{}");
            var answer = door.send(
                    words[0],
                    words[1],
                    named(words[2]),
                    body.equals("-") ? "" : body,
                    Arrays.copyOfRange(words, status + 1, words.length));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(Integer.parseInt(words[status]));
            if (answer.statusCode() >= 400) {
                assertThat(body(answer).path("code").asText()).isNotEmpty();
            }
        });
    }
}
