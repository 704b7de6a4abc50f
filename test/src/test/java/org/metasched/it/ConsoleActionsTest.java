package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.choice.Preference;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.negotiation.SplitRequest;
import org.metasched.negotiation.TemporalConstraint;

/** People sign in to the console of a closed server and do what they may; forms from elsewhere do nothing. */
class ConsoleActionsTest {

    @TempDir
    private static Path folder;

    private static ConsoleServer server;
    private static int offers;

    @BeforeAll
    static void serve() throws Exception {
        server = new ConsoleServer(folder, """
              - {site: fzj, scheduler: {type: simulated, nodes: 64}}
              - {site: scai, scheduler: {type: simulated, nodes: 8}}
            """, ConsoleServer.mayRebind(folder), Clock.systemUTC());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aPersonWhoProvedNothingIsLedToTheLogIn() throws Exception {
        var browser = new Browser();

        var answer = browser.get("/console");

        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.headers().firstValue("Location"))
                .hasValueSatisfying(l -> assertThat(l).endsWith("/console/login"));
        assertThat(browser.get("/console/login").statusCode()).isEqualTo(200);
        assertThat(browser.post("/console/login", "token=none").statusCode()).isEqualTo(403);
        assertThat(browser.post("/console/logout", "").statusCode()).isEqualTo(401);
    }

    @Test
    void theSessionIsACookieForTheConsoleAlone() throws Exception {
        var browser = new Browser();

        var answer = browser.post("/console/login", "token=" + server.token("alice"));

        assertThat(answer.statusCode()).isEqualTo(303);
        assertThat(answer.headers().firstValue("Set-Cookie"))
                .hasValueSatisfying(c -> assertThat(c).contains("HttpOnly", "SameSite=Strict", "Path=/console"));
        assertThat(browser.get("/console").body()).contains(ConsoleServer.ISSUER + ",alice");
        String cookie = answer.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
        for (String other : List.of("/api/v1/agreements", "/metrics", "/sites")) {
            assertThat(browser.send(other, r -> r.header("Cookie", cookie)).statusCode())
                    .as(other)
                    .isEqualTo(401);
        }

        assertThat(browser.post("/console/logout", "stamp=" + browser.stamp("/console"))
                        .statusCode())
                .isEqualTo(303);
        assertThat(browser.get("/console").statusCode()).isEqualTo(302);
    }

    @Test
    void aTokenThatIsNoLongerTakenLeadsToTheLogIn() throws Exception {
        var browser = new Browser();

        var answer = browser.send("/console", r -> r.header("Cookie", "metasched-session=a.b.c"));

        assertThat(answer.statusCode()).isEqualTo(302);
    }

    @Test
    void eachRoleSeesAndEndsWhatItMay() throws Exception {
        var alices = agreement("alice");
        String page = "/console/agreement/" + alices.id();
        for (String who : List.of("bob", "site")) {
            var browser = signedIn(who);
            assertThat(browser.get(page).statusCode()).as(who).isEqualTo(404);
            assertThat(browser.get("/console/picture").body())
                    .as(who)
                    .contains("fzj")
                    .doesNotContain(alices.id().value());
            assertThat(browser.get("/console/agreements").body())
                    .doesNotContain(alices.id().value());
            assertThat(browser.get("/console/matches").body()).contains("No match is held.");
            assertThat(browser.post(page + "/terminate", "stamp=" + browser.stamp("/console"))
                            .statusCode())
                    .as(who)
                    .isEqualTo(404);
        }
        var auditor = signedIn("auditor");
        assertThat(auditor.get(page).body()).contains(alices.id().value()).doesNotContain("/terminate");
        assertThat(auditor.get("/console/matches").statusCode()).isEqualTo(200);
        assertThat(auditor.post(page + "/terminate", "stamp=" + auditor.stamp("/console"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(state(alices)).isEqualTo(AgreementState.OBSERVED);

        for (String who : List.of("alice", "op")) {
            var own = agreement("alice");
            var browser = signedIn(who);
            String form = "/console/agreement/" + own.id();
            assertThat(browser.get(form).body()).contains("/terminate");
            var answer = browser.post(form + "/terminate", "word=The+beam+is+off&stamp=" + browser.stamp(form));
            assertThat(browser.get(form).body()).contains(who + ": The beam is off");
            assertThat(answer.statusCode()).as(who + answer.body()).isEqualTo(303);
            assertThat(state(own)).isEqualTo(AgreementState.TERMINATED);
            assertThat(server.audit().lines())
                    .anySatisfy(line -> assertThat(line)
                            .contains("Agreement/Terminate", own.id().value(), ConsoleServer.ISSUER + "," + who));
        }
    }

    @Test
    @Tag("full")
    void aBoundDagIsSeenMovedAndReleasedByItsOwnerAndNoOther() throws Exception {
        Path bound = server.bind("alice");
        String before = BindingRecord.find(bound).orElseThrow().site();
        var alice = signedIn("alice");
        String page = linkOfTheMatch(alice);
        var bob = signedIn("bob");

        assertThat(bob.get("/console/matches").body()).contains("No match is held.");
        assertThat(bob.get(page).statusCode()).isEqualTo(404);
        for (String who : List.of("alice", "op", "auditor")) {
            assertThat(signedIn(who).get(page).body())
                    .as(who)
                    .contains(bound.toString(), "2 nodes: ", "data:image/svg+xml", "Bind to another site");
        }
        for (String what : List.of("/rebind", "/release")) {
            var auditor = signedIn("auditor");
            assertThat(auditor.post(page + what, "stamp=" + auditor.stamp(page)).statusCode())
                    .isEqualTo(403);
            bob.post(page + what, "stamp=" + bob.stamp("/console"));
        }
        assertThat(BindingRecord.find(bound).orElseThrow().site()).isEqualTo(before);

        var moved = alice.post(page + "/rebind", "stamp=" + alice.stamp(page));

        assertThat(moved.statusCode()).as(moved.body()).isEqualTo(303);
        assertThat(BindingRecord.find(bound).orElseThrow().site()).isNotEqualTo(before);
        String after = linkOfTheMatch(alice);
        assertThat(after).isNotEqualTo(page);
        assertThat(alice.post(after + "/release", "stamp=" + alice.stamp(after)).statusCode())
                .isEqualTo(303);
        assertThat(signedIn("op").get("/console/matches").body()).contains("No match is held.");
    }

    private static String linkOfTheMatch(Browser browser) throws Exception {
        var link = Pattern.compile("href=\"(/console/matches/[0-9a-f-]{36})\"")
                .matcher(browser.get("/console/matches").body());
        assertThat(link.find()).isTrue();
        return link.group(1);
    }

    @Test
    void anAgreementIsRenegotiatedByThoseWhoMayEndIt() throws Exception {
        var own = agreement("alice");
        String form = "/console/agreement/" + own.id();
        for (String who : List.of("bob", "auditor")) {
            var other = signedIn(who);
            var answer = other.post(
                    form + "/renegotiate",
                    "nodes1=1&site1=fzj&hours=2&minutes=0&id=r-" + who + "&stamp=" + other.stamp("/console"));
            assertThat(answer.statusCode()).as(who).isIn(403, 404);
        }
        var alice = signedIn("alice");
        assertThat(alice.get(form).body()).contains("/promise", "nodes at fzj");

        assertThat(alice.get("/console/promise?nodes1=1&site1=fzj&hours=3&replaces=" + own.id())
                        .body())
                .contains(form + "/renegotiate", "In the place of", own.id().value(), "3 h");
        assertThat(state(own)).isEqualTo(AgreementState.OBSERVED);
        String longer = "nodes1=1&site1=fzj&hours=3&minutes=0&id=longer&stamp=" + alice.stamp(form);
        var answer = alice.post(form + "/renegotiate", longer);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        assertThat(state(own)).isIn(AgreementState.TERMINATED, AgreementState.OBSERVED_AND_TERMINATING);
        var made = server.wiring.agreements().newest(1).get(0);
        assertThat(made.slot().orElseThrow().length()).isEqualTo(Duration.ofHours(3));
        assertThat(answer.headers().firstValue("Location"))
                .hasValueSatisfying(l -> assertThat(l).endsWith(made.id().value()));
    }

    /** The claim knows its agreement by its id. */
    @Test
    void theAgreementOfAClaimIsNotRenegotiated() throws Exception {
        var claims = agreement("alice", new AgreementId("claim-5"));
        String page = "/console/agreement/claim-5";
        var alice = signedIn("alice");

        assertThat(alice.get(page).body()).contains("/terminate").doesNotContain("name=\"replaces\"");
        String longer = "nodes1=1&site1=fzj&hours=3&minutes=0&id=claimed&stamp=" + alice.stamp(page);
        var answer = alice.post(page + "/renegotiate", longer);

        assertThat(answer.body()).contains("claim-5", "for a grid above or for a claim");
        assertThat(state(claims)).isEqualTo(AgreementState.OBSERVED);
    }

    @Test
    void aTokenThatMayNotEndWorkEndsNone() throws Exception {
        var own = agreement("alice");
        var browser = new Browser();
        browser.post("/console/login", "token=" + server.token("alice", "compute.read"));
        String form = "/console/agreement/" + own.id();

        assertThat(browser.get(form).body()).contains(own.id().value()).doesNotContain("/terminate");
        assertThat(browser.post(form + "/terminate", "stamp=" + browser.stamp(form))
                        .statusCode())
                .isEqualTo(403);
        assertThat(state(own)).isEqualTo(AgreementState.OBSERVED);
    }

    @Test
    void aFormThatWasNotMadeHereForThePersonDoesNothing() throws Exception {
        var own = agreement("alice");
        var browser = signedIn("alice");
        String form = "/console/agreement/" + own.id();
        String right = browser.stamp(form);
        var bob = signedIn("bob");

        for (String stamp : List.of("", "stamp=", "stamp=wrong", "stamp=" + bob.stamp("/console"))) {
            assertThat(browser.post(form + "/terminate", stamp).statusCode())
                    .as(stamp)
                    .isEqualTo(403);
        }
        for (String origin : List.of("https://evil.example.org", "null", server.base() + ".evil.example.org")) {
            var answer = browser.send(
                    form + "/terminate",
                    r -> r.header("Origin", origin)
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString("stamp=" + right)));
            assertThat(answer.statusCode()).as(origin).isEqualTo(403);
        }
        assertThat(browser.send(
                                form + "/terminate",
                                r -> r.header("Sec-Fetch-Site", "cross-site")
                                        .header("Content-Type", "application/x-www-form-urlencoded")
                                        .POST(BodyPublishers.ofString("stamp=" + right)))
                        .statusCode())
                .isEqualTo(403);
        assertThat(state(own)).isEqualTo(AgreementState.OBSERVED);

        var answer = browser.send(
                form + "/terminate",
                r -> r.header("Origin", server.base().toString().replace("127.0.0.1", "localhost"))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(BodyPublishers.ofString("stamp=" + right)));
        assertThat(answer.statusCode()).isEqualTo(303);
        assertThat(state(own)).isEqualTo(AgreementState.TERMINATED);
    }

    @Test
    void aQuestionTakesNothingAndBecomesAnAgreementByOneMoreClick() throws Exception {
        var alice = signedIn("alice");
        int before = server.wiring.agreements().newest(1000).size();
        String asked = "/console/find?nodes1=4&site1=fzj&nodes2=2&site2=&where=true&hours=1&minutes=30";

        var plans = alice.get(asked).body();

        assertThat(plans).contains("Plans", "4 nodes", "2 nodes");
        assertThat(server.wiring.agreements().newest(1000)).hasSize(before);
        var promise = alice.get(linkOfTheFirstPlan(plans)).body();
        assertThat(promise).contains("4 nodes", "2 nodes", "Takes reservations for the next", "All parts at one time");
        assertThat(server.wiring.agreements().newest(1000)).hasSize(before);
        var answer = alice.post("/console/offer", fieldsOfTheFirstOffer(promise));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        var again = alice.post("/console/offer", fieldsOfTheFirstOffer(promise));
        assertThat(again.headers().firstValue("Location"))
                .isEqualTo(answer.headers().firstValue("Location"));
        var made = server.wiring.agreements().newest(1).get(0);
        assertThat(made.offer().key().initiator()).isEqualTo(ConsoleServer.ISSUER + ",alice");
        assertThat(answer.headers().firstValue("Location"))
                .hasValueSatisfying(l -> assertThat(l).endsWith(made.id().value()));
        assertThat(alice.post("/console/offer", fieldsOfTheFirstOffer(promise).replaceAll("stamp=[^&]*", "stamp=x"))
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void aQuestionThatIsRefusedSaysWhyAndWhatCouldBeHadInstead() throws Exception {
        agreement("bob");
        var alice = signedIn("alice");
        String deadline = server.now().plus(Duration.ofMinutes(90)).toString().substring(0, 16);

        var refused = alice.get("/console/find?nodes1=64&site1=fzj&hours=1&deadline=" + deadline)
                .body();

        assertThat(refused).contains("role=\"alert\"", "What could be had instead", "Choose the plan from");
        var promise = alice.get(linkOfTheFirstPlan(refused)).body();
        var answer = alice.post("/console/offer", fieldsOfTheFirstOffer(promise));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
        for (String wrong : List.of(
                "nodes1=x", "nodes1=-1&hours=1", "nodes1=1", "nodes1=1&hours=1&deadline=soon", "nodes1=65&hours=1")) {
            var page = alice.get("/console/find?site1=fzj&" + wrong);
            assertThat(page.body()).as(wrong).contains("role=\"alert\"").doesNotContain("Exception");
        }
    }

    @Test
    void refusedOffersAreShownToTheirInitiatorAndToThoseWhoLookAfterTheServer() throws Exception {
        agreement("bob");
        var alice = signedIn("alice");
        String deadline = server.now().plus(Duration.ofMinutes(90)).toString().substring(0, 16);
        String offer =
                "nodes1=64&site1=fzj&hours=1&id=too-much&deadline=" + deadline + "&stamp=" + alice.stamp("/console");
        var conflict = alice.post("/console/offer", offer);
        assertThat(conflict.statusCode()).isEqualTo(409);
        assertThat(conflict.body()).contains("role=\"alert\"", "What could be had instead", "Choose the plan from");
        assertThat(alice.get("/console").body()).contains("What needs you", "64 nodes", "What could be had instead");

        for (String who : List.of("alice", "op", "auditor")) {
            var page = signedIn(who).get("/console/refused").body();
            assertThat(page).as(who).contains("too-much", "64 nodes", "for 1 h", "What could be had instead");
        }
        assertThat(signedIn("bob").get("/console/refused").body()).doesNotContain("too-much");
        assertThat(signedIn("bob").get(linkOfTheNewest(alice)).statusCode()).isEqualTo(404);
        assertThat(alice.get(linkOfTheNewest(alice)).body()).contains("What could be had instead", "Reserve from");
    }

    private static String linkOfTheNewest(Browser browser) throws Exception {
        var link = Pattern.compile("href=\"(/console/refused/\\d+)\"")
                .matcher(browser.get("/console/refused").body());
        assertThat(link.find()).isTrue();
        return link.group(1);
    }

    /** Licences, parts of several kinds, a total that may be split, and stages that wait. */
    @Test
    void refusedOffersOfEveryKindAreExplainedAndWhatIsSuggestedIsGranted() throws Exception {
        var agreements = server.wiring.agreements();
        var hour = Duration.ofHours(1);
        var total = new RequestedPart(
                "total",
                "total",
                Optional.empty(),
                ResourceRequest.nodes(9_999, hour),
                Optional.of("true"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new SplitRequest(1, 8, 1, 0)));
        var first = new RequestedPart(
                "a", "first", Optional.empty(), ResourceRequest.nodes(9_999, hour), Optional.of("true"));
        var second =
                new RequestedPart("b", "second", Optional.empty(), ResourceRequest.nodes(1, hour), Optional.of("true"));
        var lag = new TemporalConstraint("first", "second", true, Duration.ZERO, Optional.empty());
        var alice = signedIn("alice");
        for (var request : List.of(
                new AgreementRequest(List.of(total), Optional.empty(), Optional.empty()),
                new AgreementRequest(List.of(first, second), Optional.empty(), Optional.empty()),
                new AgreementRequest(
                        List.of(first, second),
                        Optional.empty(),
                        Optional.empty(),
                        Preference.START,
                        List.of(lag),
                        Optional.empty()))) {
            var key = new OfferKey(ConsoleServer.ISSUER + ",alice", "kind" + offers++);
            var offer = ConsoleServer.offer(server.wiring, key, "test", request);
            assertThat(agreements.offer(offer)).isInstanceOf(CreationOutcome.Refused.class);

            var page = alice.get(linkOfTheNewest(alice)).body();

            assertThat(page).as("%s", request).contains("What could be had instead", "Reserve from");
            var answer = alice.post("/console/offer", fieldsOfTheFirstOffer(page));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(303);
            var made = agreements.newest(1).get(0);
            assertThat(made.offer().alternatives().get(0).lags()).isEqualTo(request.lags());
            agreements.end(made.id(), "");
        }
    }

    @Test
    void whoMayNotOfferMayNotAsk() throws Exception {
        for (String who : List.of("auditor", "site")) {
            var browser = signedIn(who);
            assertThat(browser.get("/console/find").statusCode()).isEqualTo(200);
            assertThat(browser.get("/console/find?nodes1=1&hours=1").statusCode())
                    .as(who)
                    .isEqualTo(403);
            assertThat(browser.post("/console/offer", "nodes1=1&hours=1&site1=fzj&stamp=" + browser.stamp("/console"))
                            .statusCode())
                    .as(who)
                    .isEqualTo(400);
        }
    }

    private static String linkOfTheFirstPlan(String page) {
        var link = Pattern.compile("href=\"(/console/promise[^\"]+)\" aria-label=\"Choose the plan")
                .matcher(page);
        assertThat(link.find()).isTrue();
        return plain(link.group(1));
    }

    private static String fieldsOfTheFirstOffer(String page) {
        int at = page.indexOf("action=\"/console/offer\"");
        assertThat(at).isPositive();
        return Pattern.compile("name=\"([^\"]+)\" value=\"([^\"]*)\"")
                .matcher(page.substring(at, page.indexOf("</form>", at)))
                .results()
                .map(m -> m.group(1) + "=" + URLEncoder.encode(plain(m.group(2)), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    private static String plain(String escaped) {
        return escaped.replace("&#34;", "\"")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
    }

    private static AgreementState state(Agreement agreement) {
        return server.wiring.agreements().find(agreement.id()).orElseThrow().state();
    }

    private static Agreement agreement(String owner) throws Exception {
        return agreement(owner, AgreementId.random());
    }

    private static Agreement agreement(String owner, AgreementId id) throws Exception {
        var agreements = server.wiring.agreements();
        var offer = ConsoleServer.offer(
                server.wiring,
                new OfferKey(ConsoleServer.ISSUER + "," + owner, "o" + offers++),
                "test",
                RequestedPart.at("fzj", ResourceRequest.nodes(1, Duration.ofHours(1))));
        return ((Created) agreements.offer(offer, id)).agreement();
    }

    private static Browser signedIn(String who) throws Exception {
        var browser = new Browser();
        assertThat(browser.post("/console/login", "token=" + server.token(who)).statusCode())
                .isEqualTo(303);
        return browser;
    }

    private interface Edit {
        HttpRequest.Builder of(HttpRequest.Builder request);
    }

    private static final class Browser {

        private final HttpClient http =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

        HttpResponse<String> get(String path) throws Exception {
            return send(path, r -> r);
        }

        HttpResponse<String> post(String path, String form) throws Exception {
            return send(
                    path,
                    r -> r.header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(BodyPublishers.ofString(form)));
        }

        HttpResponse<String> send(String path, Edit edit) throws Exception {
            var request =
                    HttpRequest.newBuilder(URI.create(server.base() + path)).header("Accept", "text/html");
            return http.send(edit.of(request).build(), BodyHandlers.ofString());
        }

        String stamp(String path) throws Exception {
            var field = Pattern.compile("name=\"stamp\" value=\"([^\"]+)\"")
                    .matcher(get(path).body());
            assertThat(field.find()).as("a form at " + path).isTrue();
            return URLEncoder.encode(field.group(1), StandardCharsets.UTF_8);
        }
    }
}
