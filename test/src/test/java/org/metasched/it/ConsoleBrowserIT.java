package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;

/** People at the console in a real browser: each page at the width of a desk and of a phone, each action. */
class ConsoleBrowserIT {

    private static final String HOSTILE =
            "<img src=x onerror=document.title='hit'><script>document.title='hit'</script>";
    private static final String TABULATOR = "\uE004";
    private static final String ENTER = "\uE007";
    private static final Path PICTURES =
            Path.of(System.getProperty("metasched.root", ".."), "test", "target", "screenshots");

    @TempDir
    private static Path folder;

    private static ConsoleServer server;
    private static Chromium browser;
    private static PageJudge judge;
    private static final List<Agreement> AGREEMENTS = new ArrayList<>();

    @BeforeAll
    static void begin() throws Exception {
        Assumptions.assumeTrue(Chromium.isHere(), "Chromium and chromedriver are not here: no page is looked at");
        server = new ConsoleServer(folder, """
              - {site: fzj, scheduler: {type: simulated, nodes: 128}}
              - {site: scai, scheduler: {type: simulated, nodes: 32}}
              - {site: a-site-with-a-long-name.of-an-organisation.example.org, scheduler: {type: simulated, nodes: 16}}
              - {site: silent, url: 'http://127.0.0.1:1/services/Site'}
            """, ConsoleServer.mayRebind(folder), Clock.systemUTC());
        server.bind("alice");
        for (int i = 0; i < 12; i++) {
            AGREEMENTS.add(agreement(i == 0 ? HOSTILE : ConsoleServer.ISSUER + ",alice", 8 + i, 1 + i % 5));
        }
        server.wiring.agreements().end(AGREEMENTS.get(0).id(), HOSTILE);
        browser = new Chromium(folder.resolve("profile"));
        judge = new PageJudge(browser, PICTURES);
    }

    @AfterAll
    static void end() throws Exception {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void startAtADesk() throws Exception {
        browser.width(1400);
        signIn("op");
    }

    @Test
    @Tag("full")
    void eachPageIsReadableAtADeskAndOnAPhone() throws Exception {
        var pages = new ArrayList<>(List.of(
                "",
                "/picture?span=day",
                "/picture?span=week",
                "/sites",
                "/agreements",
                "/agreement/" + AGREEMENTS.get(0).id(),
                "/agreement/" + AGREEMENTS.get(1).id(),
                "/matches",
                firstLinkOf("/matches"),
                "/refused",
                "/ads",
                "/operations",
                "/find",
                "/find?nodes1=100&site1=fzj&nodes2=8&site2=scai&hours=2",
                "/find?nodes1=128&site1=fzj&hours=1&deadline="
                        + server.now().plus(Duration.ofMinutes(80)).toString().substring(0, 16),
                "/promise?nodes1=4&site1=fzj&nodes2=2&hours=1",
                "/promise?nodes1=9&site1=fzj&nodes2=4&site2=scai&hours=3&replaces="
                        + AGREEMENTS.get(1).id(),
                "/login"));
        var soft = new SoftAssertions();
        for (int width : List.of(1400, 400)) {
            browser.width(width);
            for (int i = 0; i < pages.size(); i++) {
                judge.open(soft, server.base() + "/console" + pages.get(i), width, i + "-" + width);
            }
        }
        soft.assertAll();
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(ints = {1400, 400})
    void theContractIsReadable(int width) throws Exception {
        var soft = new SoftAssertions();
        browser.width(width);
        judge.open(soft, server.base() + "/api", width, "api-" + width);
        soft.assertAll();
    }

    @Test
    @Tag("full")
    void whatAPersonAloneSeesAndWhatIsNotThereIsReadable() throws Exception {
        server.wiring.agreements().offer(offer(ConsoleServer.ISSUER + ",alice", 129, 1));
        signIn("alice");
        var soft = new SoftAssertions();
        for (int width : List.of(1400, 400)) {
            browser.width(width);
            for (String page : List.of(
                    "",
                    firstLinkOf("/refused"),
                    "/agreements?q=nothing",
                    "/agreement/none",
                    "/find?nodes1=-1",
                    "/nowhere")) {
                browser.open(server.base() + "/console" + page);
                judge.judge(soft, page, width, "alice-" + page.replaceAll("\\W", "") + "-" + width + "-dark.png");
            }
        }
        soft.assertAll();
    }

    @ParameterizedTest
    @ValueSource(ints = {1400, 400})
    void aTimeIsFoundChosenConfirmedRenegotiatedAndEnded(int width) throws Exception {
        signIn("alice");
        browser.width(width);
        browser.open(server.base() + "/console/find");
        browser.type("input[name=nodes1]", "4");
        await(() -> browser.script("return document.querySelectorAll('#answer a[aria-label^=Choose]').length")
                        .asInt()
                > 0);
        assertThat(browser.address()).as("refined while typing").contains("nodes1=4");
        browser.click(".wish button.main");
        browser.click("a[aria-label^='Choose the plan']");
        await(() -> browser.address().contains("/console/promise?"));
        assertThat(text()).contains("4 nodes", "Takes reservations for the next", "All parts at one time");
        browser.click("main button.main");
        await(() -> browser.address().contains("/console/agreement/"));
        var first = server.wiring.agreements().newest(1).get(0);
        assertThat(browser.address()).endsWith(first.id().value());

        browser.click("details:not(.bad) summary");
        browser.script("document.querySelector('input[name=hours]').value = 2");
        browser.click("details:not(.bad) button");
        await(() -> browser.address().contains("/console/promise?"));
        assertThat(text()).contains("In the place of", first.id().value(), "2 h");
        assertThat(server.wiring.agreements().find(first.id()).orElseThrow().state())
                .isEqualTo(AgreementState.OBSERVED);
        browser.click("main button.main");
        await(() -> browser.address().contains("/console/agreement/"));
        var longer = server.wiring.agreements().newest(1).get(0);
        assertThat(longer.slot().orElseThrow().length()).isEqualTo(Duration.ofHours(2));
        assertThat(browser.address()).endsWith(longer.id().value());

        browser.click("details.bad summary");
        browser.type("input[name=word]", "The beam is off.");
        browser.click("button.bad");
        await(() ->
                text().contains("Terminated in the console by " + ConsoleServer.ISSUER + ",alice: The beam is off."));
        assertThat(state(longer)).isEqualTo(AgreementState.TERMINATED);
        assertThat(browser.complaints()).isEmpty();
        browser.click("header .who button");
        await(() -> browser.address().endsWith("/console/login"));
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {1400, 400})
    void aRefusalLeadsToASuggestionThatIsGranted(int width) throws Exception {
        signIn("alice");
        browser.width(width);
        refusedAtFirst();

        browser.click("a[aria-label^='Choose the plan']");
        await(() -> browser.address().contains("/console/promise?"));
        browser.click("main button.main");

        await(() -> browser.address().contains("/console/agreement/"));
        var made = server.wiring.agreements().newest(1).get(0);
        assertThat(browser.address()).endsWith(made.id().value());
        server.wiring.agreements().end(made.id(), "");
    }

    @ParameterizedTest
    @Tag("full")
    @ValueSource(ints = {1400, 400})
    void allIsReachedByTheKeyboardAlone(int width) throws Exception {
        signIn("alice");
        browser.width(width);
        browser.picture(PICTURES.resolve("home-of-alice.png"));
        go(".pages a[href$='/find']", ENTER);
        await(() -> browser.address().endsWith("/console/find"));
        go("input[name=nodes1]", "2" + ENTER);
        await(() -> browser.address().contains("nodes1=2"));
        go("a[aria-label^='Choose the plan']", ENTER);
        await(() -> browser.address().contains("/console/promise?"));
        go("main button.main", ENTER);
        await(() -> browser.address().contains("/console/agreement/"));
        var first = server.wiring.agreements().newest(1).get(0);
        go("details:not(.bad) summary", ENTER);
        go("input[name=hours]", "2");
        go("details:not(.bad) button", ENTER);
        await(() -> browser.address().contains("/console/promise?"));
        go("main button.main", ENTER);
        await(() ->
                state(first) == AgreementState.TERMINATED && browser.address().contains("/console/agreement/"));
        var made = server.wiring.agreements().newest(1).get(0);
        assertThat(made.slot().orElseThrow().length()).isEqualTo(Duration.ofHours(2));
        go("details.bad summary", ENTER);
        go("input[name=word]", "Enough.");
        go("button.bad", ENTER);
        await(() -> state(made) == AgreementState.TERMINATED);
        go("input[name=q]", made.id().value() + ENTER);
        await(() -> browser.address().contains("/console/agreements?q="));
        go("main td a", ENTER);
        await(() -> browser.address().endsWith(made.id().value()));
        assertThat(text()).contains("Enough.", "ended", "Terminated");

        refusedAtFirst();
        go("a[aria-label^='Choose the plan']", ENTER);
        await(() -> browser.address().contains("/console/promise?"));
        go("main button.main", ENTER);
        await(() -> browser.address().contains("/console/agreement/"));
        var granted = server.wiring.agreements().newest(1).get(0);
        assertThat(browser.address()).endsWith(granted.id().value());
        server.wiring.agreements().end(granted.id(), "");
    }

    private static void refusedAtFirst() throws Exception {
        String soon = server.now().plus(Duration.ofMinutes(80)).toString().substring(0, 16);
        browser.open(server.base() + "/console/find?nodes1=128&site1=fzj&hours=1&deadline=" + soon);
        assertThat(text()).contains("NO_COMMON_SLOT", "What could be had instead");
    }

    /** By the tabulator to an element, and then presses keys. */
    private static void go(String css, String keys) throws Exception {
        for (int i = 0; i < 60; i++) {
            if (browser.script("return document.activeElement.matches(\"" + css + "\")")
                    .asBoolean()) {
                browser.press(keys);
                return;
            }
            browser.press(TABULATOR);
        }
        throw new AssertionError("The tabulator does not lead to " + css + " at " + browser.address());
    }

    @Tag("full")
    @Test
    void timesAreThoseOfTheBrowsersZoneWithUtcBeside() throws Exception {
        browser.zone("America/New_York");
        try {
            browser.open(server.base() + "/console");
            await(() -> text().contains("Times are those of America/New_York"));
            browser.open(
                    server.base() + "/console/agreement/" + AGREEMENTS.get(1).id());
            var slot = AGREEMENTS.get(1).slot().orElseThrow();
            assertThat(text())
                    .contains(DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm")
                            .format(slot.start().atZone(ZoneId.of("America/New_York"))));
            browser.picture(PICTURES.resolve("new-york.png"));
        } finally {
            browser.zone("UTC");
            browser.open(server.base() + "/console");
            await(() -> text().contains("Times are those of UTC"));
        }
    }

    @Tag("full")
    @Test
    void allPartsOfOneAgreementStandOutTogether() throws Exception {
        browser.open(server.base() + "/console/picture?span=day");

        browser.script(
                "document.querySelector('svg.gantt a .bar').dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))");

        assertThat(browser.script("return document.querySelectorAll('svg.gantt.lit a.lit').length")
                        .asInt())
                .isEqualTo(2);
        assertThat(browser.script("return document.querySelector('svg.gantt').getBoundingClientRect().height")
                        .asDouble())
                .isEqualTo(height(400));
    }

    private static double height(int width) throws Exception {
        browser.width(width);
        return browser.script("return document.querySelector('svg.gantt').getBoundingClientRect().height")
                .asDouble();
    }

    private static String text() throws Exception {
        return browser.script("return document.body.textContent").asText();
    }

    private static AgreementState state(Agreement agreement) {
        return server.wiring.agreements().find(agreement.id()).orElseThrow().state();
    }

    @Test
    @Tag("full")
    void thePictureIsZoomedAndMovedByButtonsKeysAndTheWheel() throws Exception {
        browser.open(server.base() + "/console/picture?span=week");
        String whole = part();

        browser.click("button[aria-label='Zoom in']");
        await(() -> part().endsWith(" 500"));
        assertThat(part()).startsWith("250 ");
        browser.click("button[aria-label='Move back']");
        await(() -> part().startsWith("150 "));
        browser.script("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))");
        await(() -> part().startsWith("250 "));
        server.wiring
                .agreements()
                .end(agreement(ConsoleServer.ISSUER + ",alice", 1, 1).id(), "");
        String then = browser.script("return document.querySelector('header time').dateTime")
                .asText();
        await(() -> !browser.script("return document.querySelector('header time').dateTime")
                .asText()
                .equals(then));
        assertThat(part()).as("after the page was brought up to date").startsWith("250 ");
        assertThat(browser.script("return document.activeElement.getAttribute('aria-label')")
                        .asText())
                .isEqualTo("Move back");
        browser.script("document.querySelector('svg.gantt').dispatchEvent(new WheelEvent('wheel',"
                + " {ctrlKey: true, cancelable: true, deltaY: 500, clientX: 700}))");

        await(() -> part().equals(whole));
        assertThat(judge.violations()).isEmpty();
        assertThat(browser.complaints()).isEmpty();
    }

    /** Where the part of the picture that is seen begins, and its width. */
    private static String part() throws Exception {
        return browser.script("return document.querySelector('svg.times').getAttribute('viewBox')")
                .asText()
                .replaceFirst(" 0 (\\S+) \\S+", " $1");
    }

    @Test
    void aPageThatWouldRunScriptMayNot() throws Exception {
        browser.open(server.base() + "/console");

        browser.script("var s = document.createElement('script'); s.textContent = 'document.title=\"hit\"';"
                + "document.head.appendChild(s); var i = new Image(); i.src = 'https://example.invalid/x';");

        assertThat(browser.script("return document.title").asText()).doesNotContain("hit");
        assertThat(browser.complaints())
                .isNotEmpty()
                .allSatisfy(c -> assertThat(c).contains("Content Security Policy"));
    }

    private static String firstLinkOf(String page) throws Exception {
        browser.open(server.base() + "/console" + page);
        return browser.script("return document.querySelector('main td a').getAttribute('href')")
                .asText()
                .replace("/console", "");
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(condition);
    }

    private static void signIn(String who) throws Exception {
        browser.open(server.base() + "/console/login");
        browser.type("input[name=token]", server.token(who));
        browser.click("main button");
        await(() -> browser.address().endsWith("/console"));
        browser.complaints();
    }

    private static Agreement agreement(String owner, int nodes, int hours) throws Exception {
        return ((Created) server.wiring.agreements().offer(offer(owner, nodes, hours))).agreement();
    }

    private static AgreementOffer offer(String owner, int nodes, int hours) {
        return ConsoleServer.offer(
                server.wiring,
                new OfferKey(owner, "o" + AGREEMENTS.size() + "-" + nodes),
                "test",
                RequestedPart.at("fzj", ResourceRequest.nodes(nodes, Duration.ofHours(hours))),
                RequestedPart.at("scai", ResourceRequest.nodes(4, Duration.ofHours(hours))));
    }
}
