package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;

/** People at the console in a real browser: each page at the width of a desk and of a phone, each action. */
class ConsoleBrowserIT {

    private static final String HOSTILE =
            "<img src=x onerror=document.title='hit'><script>document.title='hit'</script>";
    private static final Path PICTURES =
            Path.of(System.getProperty("metasched.root", ".."), "test", "target", "screenshots");

    @TempDir
    private static Path folder;

    private static ConsoleServer server;
    private static Chromium browser;
    private static String axe = "";
    private static final List<Agreement> AGREEMENTS = new ArrayList<>();

    @BeforeAll
    static void begin() throws Exception {
        Assumptions.assumeTrue(Chromium.isHere(), "Chromium and chromedriver are not here: no page is looked at");
        try (InputStream in = Objects.requireNonNull(
                ConsoleBrowserIT.class.getResourceAsStream("/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js"))) {
            axe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
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
    void eachPageIsReadableAtADeskAndOnAPhone() throws Exception {
        var pages = new ArrayList<>(List.of(
                "",
                "?span=day&nodes1=20&hours=2",
                "?span=week&nodes1=100&site1=fzj&nodes2=8&site2=scai&hours=2",
                "/agreements",
                "/agreement/" + AGREEMENTS.get(0).id(),
                "/agreement/" + AGREEMENTS.get(1).id(),
                "/matches",
                linkOfTheMatch(),
                "/refused",
                "/ads",
                "/operations",
                "/when",
                "/when?nodes1=4&site1=fzj&nodes2=2&hours=1",
                "/when?nodes1=128&site1=fzj&hours=1&deadline="
                        + server.now().plus(Duration.ofMinutes(80)).toString().substring(0, 16),
                "/login"));
        var soft = new SoftAssertions();
        for (int width : List.of(1400, 420)) {
            browser.width(width);
            for (int i = 0; i < pages.size(); i++) {
                String page = pages.get(i);
                browser.open(server.base() + "/console" + page);
                browser.picture(PICTURES.resolve(i + "-" + width + ".png"));

                soft.assertThat(browser.complaints()).as(page).isEmpty();
                soft.assertThat(browser.script("return document.title").asText())
                        .as(page)
                        .endsWith("· metasched");
                soft.assertThat(browser.script("return document.documentElement.scrollWidth")
                                .asInt())
                        .as("%s at %s pixels: the width it needs", page, width)
                        .isLessThanOrEqualTo(width);
                soft.assertThat(axe()).as("%s at %s pixels", page, width).isEmpty();
                browser.isDark(true);
                browser.picture(PICTURES.resolve(i + "-" + width + "-dark.png"));
                soft.assertThat(axe())
                        .as("%s at %s pixels, in the dark", page, width)
                        .isEmpty();
                browser.isDark(false);
            }
        }
        soft.assertAll();
    }

    @Test
    void aWishBecomesAnAgreementAndIsTerminated() throws Exception {
        signIn("alice");
        browser.open(server.base() + "/console/when");
        browser.type("input[name=nodes1]", "4");
        browser.type("input[name=hours]", "2");
        browser.click(".wish > button");
        browser.click("button[aria-label^='Reserve from']");

        await(() -> browser.address().contains("/console/agreement/"));
        var id = server.wiring.agreements().newest(1).get(0).id();
        assertThat(browser.address()).endsWith(id.value());
        browser.click("details.bad summary");
        browser.click("button.bad");

        await(() -> browser.script("return document.body.textContent")
                .asText()
                .contains("Terminated in the console by " + ConsoleServer.ISSUER + ",alice"));
        assertThat(server.wiring.agreements().find(id).orElseThrow().state()).isEqualTo(AgreementState.TERMINATED);
        assertThat(browser.complaints()).isEmpty();
        browser.click("header button");
        await(() -> browser.address().endsWith("/console/login"));
    }

    @Test
    void thePictureIsZoomedAndMovedByButtonsKeysAndTheWheel() throws Exception {
        browser.open(server.base() + "/console?span=week");
        String whole = part();

        browser.click("button[aria-label='Zoom in']");
        await(() -> part().endsWith(" 440"));
        assertThat(part()).startsWith("340 ");
        browser.click("button[aria-label='Move back']");
        await(() -> part().startsWith("252 "));
        browser.script("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))");
        await(() -> part().startsWith("340 "));
        server.wiring
                .agreements()
                .end(agreement(ConsoleServer.ISSUER + ",alice", 1, 1).id(), "");
        String then = browser.script("return document.querySelector('header time').dateTime")
                .asText();
        await(() -> !browser.script("return document.querySelector('header time').dateTime")
                .asText()
                .equals(then));
        assertThat(part()).as("after the page was brought up to date").startsWith("340 ");
        assertThat(browser.script("return document.activeElement.getAttribute('aria-label')")
                        .asText())
                .isEqualTo("Move back");
        browser.script("document.querySelector('svg.gantt').dispatchEvent(new WheelEvent('wheel',"
                + " {ctrlKey: true, cancelable: true, deltaY: 500, clientX: 700}))");

        await(() -> part().equals(whole));
        assertThat(axe()).isEmpty();
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

    private static String linkOfTheMatch() throws Exception {
        browser.open(server.base() + "/console/matches");
        return browser.script("return document.querySelector('main td a').getAttribute('href')")
                .asText()
                .replace("/console", "");
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(condition);
    }

    /** The rules that a page breaks, of those that keep people from using it. */
    private static List<String> axe() throws Exception {
        browser.script(axe + ";window.axe = axe;");
        var found = browser.waiting("""
            var done = arguments[arguments.length - 1];
            axe.run(document, {resultTypes: ['violations']}).then(function (r) { done(r.violations
              .filter(function (v) { return v.impact === 'serious' || v.impact === 'critical'; })
              .map(function (v) { return v.id + ': ' + v.nodes.map(function (n) { return n.html; }).join(' ').slice(0, 400); })); });
            """);
        List<String> broken = new ArrayList<>();
        found.forEach(rule -> broken.add(rule.asText()));
        return broken;
    }

    private static void signIn(String who) throws Exception {
        browser.open(server.base() + "/console/login");
        browser.type("input[name=token]", server.token(who));
        browser.click("main button");
        await(() -> browser.address().endsWith("/console"));
        browser.complaints();
    }

    private static Agreement agreement(String owner, int nodes, int hours) throws Exception {
        var agreements = server.wiring.agreements();
        var offer = new AgreementOffer(
                new OfferKey(owner, "o" + AGREEMENTS.size()),
                "test",
                agreements.templates().get(0).key(),
                List.of(new AgreementRequest(
                        List.of(
                                RequestedPart.at("fzj", ResourceRequest.nodes(nodes, Duration.ofHours(hours))),
                                RequestedPart.at("scai", ResourceRequest.nodes(4, Duration.ofHours(hours)))),
                        Optional.empty(),
                        Optional.empty())),
                List.of(),
                Optional.empty(),
                new OfferDocument("<offer/>"),
                Optional.empty());
        return ((Created) agreements.offer(offer)).agreement();
    }
}
