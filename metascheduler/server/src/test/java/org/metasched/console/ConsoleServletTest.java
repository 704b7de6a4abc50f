package org.metasched.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Program;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.ProgramRun;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferService.Decision;
import org.metasched.console.OperationsModel.Figure;
import org.metasched.fakes.FakeSite;
import org.metasched.fakes.TestGrid;
import org.metasched.http.HttpServer;
import org.metasched.overview.AdvertisedAds;
import org.metasched.overview.MatchService;
import org.metasched.overview.NoDocumentOffers;
import org.metasched.overview.SiteQuery;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ConsoleServletTest {

    private static final String HOSTILE = "<script>alert('x')</script>\" onmouseover=\"a()\u202E\u0007";

    private final TestGrid grid =
            new TestGrid().site("fzj", 64).site("scai", 32).site("cesca", 16);
    private final TestGrid.Started started = grid.start();
    private final Ads ads = new Ads();
    private final OneMatch matches = new OneMatch();
    private final HostileOffers offers = new HostileOffers();
    private final HttpServer http = server();

    private ConsoleSources sources() {
        return new ConsoleSources(
                started.service,
                new SiteQuery(started.calls, ads),
                ads,
                matches,
                ConsoleServletTest::operations,
                new ConsoleOffers(started.service, offers, Authorizer.OPEN));
    }

    private HttpServer server() {
        var console = new ConsoleServlet(sources(), Authorizer.OPEN, grid.clock);
        started.making.changes().onChange(console);
        return HttpServer.onPort(0)
                .servlet("/console/*", console)
                .servlet("", ConsoleServlet.entrance())
                .start();
    }

    @AfterEach
    void end() {
        http.close();
        grid.close();
    }

    @Test
    void thePagesShowSitesAgreementsReservationsAndAds() throws Exception {
        var agreement = create("o1", "CN=alice", "fzj", "scai");
        ads.types.put("Machine", 1L);
        ads.sites.put("fzj", new AdvertisedAds.SiteAd(grid.clock.instant(), Optional.of(3L), Optional.of(10L)));
        grid.at("cesca").down(true);

        var rows = texts(page("/console/sites"), "tr");
        assertThat(rows).anySatisfy(r -> assertThat(r).startsWith("fzj").contains("up", "3 / 10"));
        assertThat(rows).anySatisfy(r -> assertThat(r).startsWith("cesca").contains("silent"));
        assertThat(texts(page("/console"), "li"))
                .anySatisfy(card -> assertThat(card)
                        .contains(
                                agreement.id().value(),
                                "running",
                                "Observed",
                                "2026-01-05 08:00",
                                "ends in 1 h",
                                "fzj",
                                "scai"));
        assertThat(texts(page("/console/agreements"), "tr"))
                .anySatisfy(r -> assertThat(r).contains("2026-01-05 08:00 to 09:00 UTC", "alice"));
        var picture = page("/console/picture");
        var bars = classes(picture, "rect").stream()
                .filter(c -> c.startsWith("bar reserved c"))
                .toList();
        assertThat(bars).hasSize(2);
        assertThat(Set.copyOf(bars)).as("one colour for one agreement").hasSize(1);
        assertThat(texts(picture, "title")).anySatisfy(t -> assertThat(t).contains("8 nodes, alice", "one of 2 parts"));
        assertThat(classes(picture, "line")).containsOnlyOnce("now");
        assertThat(page("/console/ads").getDocumentElement().getTextContent()).contains("1 Machine");
    }

    @Test
    void adsAreFoundByTypeAndConstraintAndShownAsTheyAre() throws Exception {
        ads.types.put("Machine", 1L);
        ads.types.put("Job", 2L);

        assertThat(texts(page("/console/ads"), "summary")).hasSize(2);
        assertThat(texts(page("/console/ads?type=Job"), "tr"))
                .hasSize(2)
                .last()
                .asString()
                .startsWith("Job")
                .contains("<script>alert('x')</script>");
        assertThat(get("/console/ads?constraint=%5D%5B").statusCode()).isEqualTo(400);
    }

    @Test
    void operatorsSeeHealthAndFigures() throws Exception {
        var page = page("/console/operations");

        assertThat(texts(page, "tr"))
                .contains("databaseup", "Servers2", "fzj412.3 ms500.0 ms", "scai1.50")
                .anySatisfy(row -> assertThat(row).contains("alert('x')").endsWith("–"));
        assertThat(texts(page, "h2")).containsExactly("Figures", "Calls to sites", "Turned away");
    }

    @Test
    void theBarsFollowTheStatesOfTheReservations() throws Exception {
        create("o1", "CN=alice", "fzj", "scai");
        grid.clock.advance(Duration.ofMinutes(1));
        grid.at("scai").loseNodes("n17");

        started.monitor.poll();

        assertThat(classes(page("/console/picture"), "rect"))
                .anyMatch(c -> c.startsWith("bar running"))
                .anyMatch(c -> c.startsWith("bar degraded"));
        assertThat(texts(page("/console"), "li"))
                .anySatisfy(needs -> assertThat(needs).contains("degraded", "8 nodes at scai"));
    }

    @Test
    void anEndedAgreementStaysInTheListAndLeavesThePicture() throws Exception {
        var agreement = create("o1", "CN=alice", "fzj");

        started.service.end(agreement.id(), "No longer <wanted>.");
        assertThat(texts(page("/console"), "tr"))
                .anySatisfy(r -> assertThat(r).contains(agreement.id().value(), "Terminated", "No longer <wanted>."));
        assertThat(classes(page("/console/picture"), "rect")).noneMatch(c -> c.startsWith("bar"));
    }

    @Test
    void barsThatOverlapStandBelowOneAnother() throws Exception {
        for (int i = 0; i < 3; i++) {
            create("o" + i, "CN=alice", "fzj");
        }

        var bars = elements(page("/console/picture"), "rect").stream()
                .filter(e -> e.getAttribute("class").startsWith("bar"))
                .map(e -> e.getAttribute("y"))
                .toList();

        assertThat(bars).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void ofVeryManyReservationsAtOneTimeTheLastAreCounted() throws Exception {
        for (int i = 0; i < 51; i++) {
            create("o" + i, "CN=alice", 1, "fzj");
        }

        var page = page("/console/picture");

        assertThat(classes(page, "rect"))
                .filteredOn(c -> c.startsWith("bar reserved"))
                .hasSize(48);
        assertThat(texts(page, "text")).contains("and 3 more");
    }

    @Test
    void thePageOfAnAgreementShowsItsParts() throws Exception {
        var agreement = create("o1", "CN=alice", "fzj", "scai");

        var page = page("/console/agreement/" + agreement.id());

        assertThat(page.getDocumentElement().getTextContent())
                .contains("Observed", "CN=alice", "2026-01-05 08:00 UTC", "NotDetermined")
                .contains("Time line", "offer o1", "1 alternative", "1 attempt, ", "to Observed")
                .doesNotContain("1 alternatives", "1 attempts")
                .contains(agreement.commitments().get(1).reservation().id().value());
    }

    @Test
    void thePageOfAnAgreementHasItsFileForCalendarPrograms() throws Exception {
        var agreement = create("o1", "CN=alice", "fzj", "scai");
        String file = "/console/agreement/" + agreement.id() + "/calendar";

        assertThat(get("/console/agreement/" + agreement.id()).body()).contains("href=\"" + file + "\"");
        var calendar = get(file);
        assertThat(calendar.statusCode()).isEqualTo(200);
        assertThat(calendar.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/calendar"));
        assertThat(calendar.body()).contains("BEGIN:VEVENT", "UID:" + agreement.id() + "@metasched", "fzj");
        assertThat(get("/console/agreement/ag-none/calendar").statusCode()).isEqualTo(404);
    }

    @Test
    void theProgramsOfAnAgreementAreShownWithWhereTheirOutputWent() throws Exception {
        var made = create("o1", "CN=alice", "fzj");
        var part = made.commitments().get(0);
        var program = new Program(
                "/bin/date",
                List.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                0,
                Map.of(),
                List.of(),
                Optional.empty(),
                List.of());
        var ended = new JobStatus(JobStatus.State.ENDED, "4711", Optional.of(3), "/out/" + HOSTILE, "It failed.");
        var run = new SiteCommitment(
                part.term(),
                part.service(),
                part.site(),
                part.reservation(),
                part.state(),
                part.lostNodes(),
                Optional.of(new ProgramRun(program, Optional.empty(), "", ended)));
        var view = new PageContext(
                "/console",
                grid.clock.instant(),
                0,
                Authorizer.OPEN,
                new Authorizer.Call(Subject.ANONYMOUS, "", ""),
                "stamp",
                TimeLabels.UTC);
        var agreement = Agreement.offered(made.id(), made.offer(), made.created())
                .observed(Optional.empty(), made.slot().orElseThrow(), List.of(run), made.effort(), made.changed());

        var page = parsed(
                PageOutput.page(JteAgreementDetailGenerated::render, view, new AgreementModel(agreement, List.of())));

        assertThat(texts(page, "tr"))
                .anySatisfy(row -> assertThat(row).contains("endedIt failed.", "4711", "3", "/out/<script>"));
    }

    @Test
    void theListIsPagedAndFiltered() throws Exception {
        for (int i = 0; i < 53; i++) {
            create("o" + i, "CN=alice", 1, "fzj");
        }
        var gone = create("gone", "CN=alice", 1, "scai");
        started.service.end(gone.id(), "No longer wanted.");

        var first = page("/console/agreements?state=Observed");
        var next = elements(first, "a").stream()
                .filter(link -> link.getTextContent().equals("Older ones"))
                .findFirst()
                .orElseThrow();
        var second = page(next.getAttribute("href"));

        assertThat(texts(first, "tr")).hasSize(51).noneMatch(row -> row.contains("Terminated"));
        assertThat(texts(second, "tr")).hasSize(4);
        assertThat(texts(page("/console/agreements?q=" + gone.id()), "tr"))
                .hasSize(2)
                .anyMatch(row -> row.contains(gone.id().value()));
        assertThat(get("/console/agreements?state=%3Cb%3E").statusCode()).isEqualTo(400);
        assertThat(get("/console/agreements?after=none").body())
                .contains("none")
                .doesNotContain("Exception");
    }

    @Test
    void theLocalAdminEndsAgreementsAndGivesMatchesBack() throws Exception {
        var agreement = create("o1", "CN=alice", "fzj");
        String page = "/console/agreement/" + agreement.id();

        assertThat(post(page, page + "/terminate")).isEqualTo(303);
        assertThat(post("/console/matches", "/console/matches/" + UUID.randomUUID() + "/release"))
                .isEqualTo(303);
        assertThat(matches.held).isTrue();
        assertThat(post("/console/matches", "/console/matches/" + matches.id + "/release"))
                .isEqualTo(303);

        assertThat(started.service.find(agreement.id()).orElseThrow().state()).isEqualTo(AgreementState.TERMINATED);
        assertThat(matches.held).isFalse();
        assertThat(get(page).body()).doesNotContain("/terminate").contains("Terminated in the console by anonymous.");
    }

    @Test
    void theReasonForAnEndHasNoControlCharacters() throws Exception {
        var agreement = create("o1", "CN=alice", "fzj");
        String page = "/console/agreement/" + agreement.id();

        assertThat(post(page, page + "/terminate", "&word=too%00late")).isEqualTo(303);

        assertThat(started.service.find(agreement.id()).orElseThrow().reason())
                .contains("Terminated in the console by anonymous: too\\u0000late");
    }

    @Test
    void aMatchTellsOfItsDagOrHowItsOwnerLooksAtIt() throws Exception {
        String path = "/console/matches/" + matches.id;

        assertThat(texts(page(path), "code"))
                .first()
                .asString()
                .startsWith("metasched dag status '/dags/<script>alert('\\''x");
        assertThat(elements(page(path), "img")).isEmpty();
        assertThat(post(path, path + "/rebind")).isEqualTo(409);

        matches.seen = Optional.of(new MatchService.Dag(
                "stopped",
                3,
                Map.of("done", 2L),
                Optional.of(Instant.parse("2026-01-05T09:00:00Z")),
                Optional.of("<svg/>")));
        var page = page(path);
        assertThat(texts(page, "main"))
                .first()
                .asString()
                .contains("stopped", "3 nodes: 2 done", "May end at 2026-01-05 09:00");
        assertThat(elements(page, "img")).singleElement().satisfies(image -> {
            assertThat(image.getAttribute("src")).isEqualTo("data:image/svg+xml;base64,PHN2Zy8+");
            assertThat(image.getAttribute("alt")).isEqualTo("3 nodes: 2 done");
        });
        assertThat(get("/console/matches/" + UUID.randomUUID()).statusCode()).isEqualTo(404);
    }

    @Test
    void thePictureBeginsWhereItIsAskedTo() throws Exception {
        create("o1", "CN=alice", "fzj");

        var later = page("/console/picture?span=day&from=2026-01-06T00:00:00Z");

        assertThat(texts(later, "h2")).contains("day from 2026-01-06 00:00 UTC");
        assertThat(classes(later, "rect")).noneMatch(c -> c.startsWith("bar"));
        assertThat(classes(later, "line")).doesNotContain("now");
        var around = page("/console/picture?span=day&from=2026-01-05T00:00:00Z");
        assertThat(classes(around, "rect")).anyMatch(c -> c.startsWith("bar reserved"));
        assertThat(elements(around, "a"))
                .extracting(a -> a.getAttribute("href"))
                .contains("/console/picture?span=day&from=2026-01-05T12:30:00Z");
        for (String wrong : List.of("soon", "%2B999999999-01-01T00:00:00Z")) {
            assertThat(get("/console/picture?from=" + wrong).statusCode()).isEqualTo(400);
        }
    }

    @Test
    void theFreeWindowsOfARequestAreMarkedAndLeadToItsPromise() throws Exception {
        offers.answers = true;
        grid.at("fzj").listsWindows();
        grid.at("scai").listsWindows();
        // 08:00 to 09:00
        create("o1", "CN=alice", 30, "fzj");
        create("o2", "CN=alice", 20, "scai");

        var each = page("/console/find?nodes1=14&nodes2=14&hours=2");
        var two = page("/console/find?nodes1=40&site1=fzj&nodes2=8&site2=scai&hours=2");

        assertThat(classes(each, "rect")).filteredOn("free"::equals).hasSize(2);
        assertThat(classes(each, "rect")).filteredOn("free together"::equals).hasSize(1);
        assertThat(windows(each))
                .startsWith("14 nodes at any 2 sites for 2 h at once: choose a start")
                .endsWith("Unknown at cesca.");
        assertThat(windows(two)).startsWith("40 nodes at fzj and 8 nodes at scai for 2 h at once: choose a start");
        assertThat(elements(two, "a"))
                .filteredOn(a -> a.getAttribute("href")
                        .equals("/console/promise?site1=fzj&nodes1=40&site2=scai"
                                + "&nodes2=8&hours=2&minutes=0&earliest=2026-01-05T09%3A00"))
                .singleElement()
                .satisfies(a -> assertThat(a.getTextContent()).startsWith("2026-01-05 09:00 to 2026-01-07"));
        assertThat(elements(two, "g"))
                .extracting(g -> g.getAttribute("aria-label"))
                .anySatisfy(label -> assertThat(label).startsWith("free at scai: start 2026-01-05 08:00 to"));
        assertThat(windows(page("/console/find?nodes1=33&hours=1"))).contains("No start at scai.");
        assertThat(windows(page("/console/find?nodes1=65&hours=1"))).contains("never in the time shown");
        assertThat(get("/console/find?nodes1=4&hours=999999999").body()).contains("must be from PT1S");
        assertThat(get("/console/find?nodes1=4&hours=x").statusCode()).isEqualTo(400);
    }

    @Test
    void aSiteIsAskedForTheFreeAndBusyTimesOfThePerson() throws Exception {
        offers.answers = true;
        create("o1", "CN=alice", 40, "fzj");
        grid.at("fzj").listsWindows().reportsLoad().forKnownPersons();
        var models = new PageModels(sources(), Authorizer.OPEN);
        var request = new OfferForm(Map.of("nodes1", "30", "site1", "fzj", "hours", "1")::get);
        for (var person : List.of(Subject.ANONYMOUS, Subject.ofPassword("alice"))) {
            var view = view(person);
            var isFree = new ArrayList<Boolean>();
            for (var shown : List.of(
                    models.find(view, request).picture().orElseThrow().sites(),
                    models.picture(view, new OfferForm(field -> "")).sites(),
                    models.sites(view, new OfferForm(field -> "")).sites())) {
                var fzj = shown.stream()
                        .filter(site -> site.site().value().equals("fzj"))
                        .findFirst()
                        .orElseThrow();

                assertThat(fzj.busy()).as(person.toString()).matches(busy -> busy.isEmpty() != person.isKnown());
                isFree.add(fzj.free().isPresent());
            }
            assertThat(isFree).as(person.toString()).containsExactly(person.isKnown(), false, person.isKnown());
        }
    }

    @Test
    void aPictureAsksOnlyTheSitesThatItShows() throws Exception {
        try (var many = new TestGrid()) {
            IntStream.range(0, 250).forEach(i -> many.site("s" + i, 4));
            var started = many.start();
            var calls = new ConsoleOffers(started.service, offers, Authorizer.OPEN);
            var sources = new ConsoleSources(
                    started.service,
                    new SiteQuery(started.calls, ads),
                    ads,
                    matches,
                    ConsoleServletTest::operations,
                    calls);
            started.service.offer(many.offer("o1", 1, "s7", "s150"));
            var before = many.sites().stream().map(FakeSite::questions).toList();
            var models = new PageModels(sources, Authorizer.OPEN);
            var view = view(Subject.ANONYMOUS);

            var one = models.picture(view, new OfferForm(Map.of("site", "s7")::get));
            assertThat(one.sites()).hasSize(1);
            assertThat(ReservationChart.of(view, one).heights()).containsOnlyKeys(new SiteId("s7"));
            assertThat(asked(many, before)).isEqualTo(1);

            var page = models.picture(view, new OfferForm(Map.of("after", "s99")::get));
            assertThat(page.page().last()).isEqualTo("s199");
            assertThat(page.page().hasNext()).isTrue();
            assertThat(ReservationChart.of(view, page).heights())
                    .hasSize(100)
                    .containsKey(new SiteId("s150"))
                    .doesNotContainKey(new SiteId("s7"));
            assertThat(asked(many, before)).isEqualTo(101);
        }
    }

    private static long asked(TestGrid grid, List<Integer> before) {
        return IntStream.range(0, before.size())
                .filter(i -> grid.sites().get(i).questions() > before.get(i))
                .count();
    }

    @Test
    void aPageOfSitesAsksOnlyThoseThatItShows() throws Exception {
        try (var many = new TestGrid()) {
            IntStream.range(0, 250).forEach(i -> many.site("s" + i, 4));
            var sources = new ConsoleSources(
                    started.service,
                    new SiteQuery(many.start().calls, ads),
                    ads,
                    matches,
                    ConsoleServletTest::operations,
                    new ConsoleOffers(started.service, offers, Authorizer.OPEN));
            var models = new PageModels(sources, Authorizer.OPEN);
            var pages = new ArrayList<String>();
            for (String after : List.of("", "s99", "s199")) {
                var page = models.sites(view(Subject.ANONYMOUS), new OfferForm(Map.of("after", after)::get));
                pages.add(page.sites().get(0).site() + " " + page.sites().size() + " "
                        + page.page().hasNext());
                pages.add(asked(many, Collections.nCopies(250, 0)) + " sites asked");
            }

            assertThat(pages)
                    .containsExactly(
                            "s0 100 true", "100 sites asked",
                            "s100 100 true", "200 sites asked",
                            "s200 50 false", "250 sites asked");
        }
    }

    private PageContext view(Subject person) {
        return new PageContext(
                "/console",
                grid.clock.instant(),
                0,
                Authorizer.OPEN,
                new Authorizer.Call(person, "", ""),
                "stamp",
                TimeLabels.UTC);
    }

    @Test
    void timesAreThoseOfTheReaderWithUtcBeside() throws Exception {
        var agreement = create("o1", "CN=alice", "fzj");
        for (var zone : Map.of(
                        "Asia/Kolkata", "2026-01-05 13:30 08:00 UTC",
                        "Pacific/Kiritimati", "2026-01-05 22:00 08:00 UTC",
                        "Pacific/Honolulu", "2026-01-04 22:00 2026-01-05 08:00 UTC",
                        "No/Where", "2026-01-05 08:00 UTC")
                .entrySet()) {
            var page = parsed(in(zone.getKey(), "/console/agreement/" + agreement.id()));

            assertThat(texts(page, "time")).as(zone.getKey()).contains(zone.getValue());
        }
        offers.answers = true;
        var found = parsed(in("Asia/Kolkata", "/console/find?nodes1=1&hours=1&earliest=2026-01-05T09:00&zone=UTC"));
        assertThat(elements(found, "input"))
                .filteredOn(input -> input.getAttribute("name").equals("earliest"))
                .singleElement()
                .satisfies(input -> assertThat(input.getAttribute("value")).isEqualTo("2026-01-05T14:30"));
        assertThat(texts(found, "text")).contains("18:00").doesNotContain("12:30");
    }

    /** The clock of Berlin goes from 02:00 to 03:00 on 29 March 2026. */
    @Test
    void aDayOf23HoursHasTheTicksOfAnyOther() throws Exception {
        var picture = parsed(in("Europe/Berlin", "/console/picture?span=2%20days&from=2026-03-27T23:00:00Z"));

        assertThat(elements(picture, "text"))
                .filteredOn(text -> text.getAttribute("class").startsWith("tick"))
                .extracting(Element::getTextContent)
                .containsExactly("00:00", "06:00", "12:00", "18:00", "00:00", "06:00", "12:00", "18:00", "00:00");
    }

    /** The clocks of Beirut go from 00:00 to 01:00, and those of Athens from 03:00 to 04:00, on 29 March 2026. */
    @ParameterizedTest
    @CsvSource({
        "Asia/Beirut, 2+days, 2026-03-27T22:00:00Z, 00:00 06:00 12:00 18:00 01:00 06:00 12:00 18:00 00:00, 3",
        "Asia/Beirut, day, 2026-03-28T22:00:00Z, 01:00 03:00 06:00 09:00 12:00 15:00 18:00 21:00 00:00, 2",
        "Asia/Beirut, hour, 2026-03-28T21:40:00Z, 23:40 23:50 01:00 01:10 01:20 01:30 01:40, 1",
        "Asia/Beirut, hour, 2026-10-24T20:40:00Z, 23:40 23:50 23:00 23:10 23:20 23:30 23:40, 0",
        "Asia/Beirut, week, 2026-03-26T22:00:00Z, 27 28 29 30 31 1 2 3, 8",
        "Europe/Athens, day, 2026-03-28T22:00:00Z, 00:00 04:00 06:00 09:00 12:00 15:00 18:00 21:00 00:00, 2"
    })
    void ticksAndMidnightsFollowAClockThatLeavesOutAnHour(
            String zone, String span, String from, String ticks, int midnights) throws Exception {
        var picture = parsed(in(zone, "/console/picture?span=" + span + "&from=" + from));

        assertThat(elements(picture, "text"))
                .filteredOn(text -> text.getAttribute("class").startsWith("tick"))
                .extracting(Element::getTextContent)
                .containsExactly(ticks.split(" "));
        assertThat(classes(picture, "line"))
                .filteredOn("midnight"::equals)
                .as("lines of midnight")
                .hasSize(midnights);
    }

    /** The fourth day begins after 71 of the 174 hours that the picture shows. */
    @Test
    void eachDayIsNamedWhereItBeginsAlsoAfterADayWithoutMidnight() throws Exception {
        var picture = parsed(in("Asia/Beirut", "/console/picture?span=week&from=2026-03-26T22:00:00Z"));

        assertThat(elements(picture, "text"))
                .filteredOn(text -> text.getTextContent().equals("Mon 30 Mar"))
                .singleElement()
                .satisfies(text -> assertThat(text.getAttribute("x")).isEqualTo("41.1%"));
    }

    private String in(String zone, String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(http.base() + path))
                                .header("Cookie", "metasched-zone=" + zone)
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    @Test
    void eachPageHasTheNavigationAndNamesItsOwn() throws Exception {
        for (var path : PageLabels.PAGES.stream().map(Map.Entry::getKey).toList()) {
            var links = elements(page("/console" + path), "a").stream()
                    .filter(a -> a.getAttribute("aria-current").equals("page"))
                    .map(a -> a.getAttribute("href"))
                    .toList();
            assertThat(links).as(path).containsExactly("/console" + path);
        }
        var message = parsed(get("/console/agreement/none").body());
        assertThat(elements(message, "input"))
                .extracting(i -> i.getAttribute("type"))
                .contains("search");
        assertThat(texts(message, "nav")).singleElement().asString().contains("Find a time", "Sites");
    }

    @Test
    void thePictureAndTheListShowOneSiteOrOneInitiator() throws Exception {
        create("o1", "CN=alice", "fzj", "scai");
        create("o2", "CN=bob", "scai");

        assertThat(bars("?site=scai")).isEqualTo(2);
        assertThat(bars("?initiator=alice")).isEqualTo(2);
        assertThat(bars("?site=fzj&initiator=bob")).isZero();
        assertThat(texts(page("/console/agreements?q=BOB"), "tr")).hasSize(2);
        assertThat(texts(page("/console/agreements?site=scai"), "tr")).hasSize(3);
        assertThat(texts(page("/console/agreements?from=2026-01-05T09:00"), "tr"))
                .isEmpty();
        assertThat(texts(page("/console/agreements?from=2026-01-05T08:30&to=2026-01-05T08:40"), "tr"))
                .hasSize(3);
    }

    private long bars(String filter) throws Exception {
        return classes(page("/console/picture" + filter), "rect").stream()
                .filter(c -> c.startsWith("bar "))
                .count();
    }

    @Test
    void theTimeBeyondTheLookAheadIsHatched() throws Exception {
        assertThat(classes(page("/console/picture?span=month"), "rect"))
                .filteredOn("unseen"::equals)
                .hasSize(3);
        assertThat(classes(page("/console/picture?span=hour"), "rect")).doesNotContain("unseen");
    }

    private static String windows(Document page) {
        return elements(page, "p").stream()
                .filter(p -> p.getAttribute("class").equals("windows"))
                .findFirst()
                .orElseThrow()
                .getTextContent();
    }

    @Test
    void hostileTextsStayTexts() throws Exception {
        var agreement = create("o1", HOSTILE, "fzj");
        ads.types.put("<b onclick='x()'>", 1L);
        ads.types.put("<img src=x>", 1L);

        var detail = get("/console/agreement/" + agreement.id());
        var first = get("/console/ads");

        assertThat(detail.body()).doesNotContain("<script>", "\u202E", "\u0007").contains("&lt;script&gt;");
        assertThat(elements(parsed(detail.body()), "dd"))
                .anySatisfy(e -> assertThat(e.getTextContent())
                        .isEqualTo("<script>alert('x')</script>\" onmouseover=\"a()\uFFFD\uFFFD"));
        assertThat(elements(parsed(first.body()), "b"))
                .allSatisfy(e -> assertThat(e.getAttributes().getLength()).isZero());
        assertThat(first.body()).doesNotContain("<img", "<b onclick");
    }

    @Test
    void hostileFieldsComeBackAsTheValuesOfTheirFields() throws Exception {
        String sent = URLEncoder.encode(HOSTILE, StandardCharsets.UTF_8);
        String shown = HOSTILE.replaceAll("[\u202E\u0007]", "\uFFFD");
        for (var path : List.of(
                "ads?constraint=", "ads?type=x&constraint=", "find?nodes1=1&hours=1&where=", "find?nodes1=1&hours=")) {
            var page = parsed(get("/console/" + path + sent).body());

            assertThat(elements(page, "input"))
                    .as(path)
                    .extracting(input -> input.getAttribute("value"))
                    .contains(shown);
            assertNothingIsRun(page);
        }
        assertNothingIsRun(parsed(get("/console/matches/" + matches.id).body()));
        assertNothingIsRun(parsed(get("/console/find?nodes1=" + sent).body()));
        assertNothingIsRun(parsed(get("/console/agreements?q=" + sent).body()));
        assertNothingIsRun(parsed(get("/console/picture?from=" + sent).body()));
    }

    /** No script but our own, and no attribute that is one. */
    private static void assertNothingIsRun(Document page) {
        for (var element : elements(page, "*")) {
            for (int i = 0; i < element.getAttributes().getLength(); i++) {
                assertThat(element.getAttributes().item(i).getNodeName()).doesNotStartWith("on");
            }
        }
        assertThat(elements(page, "script"))
                .allSatisfy(script -> assertThat(script.getAttribute("src")).isEqualTo("/console/console.js"));
    }

    @Test
    void nothingMayBeLoadedOrRun() throws Exception {
        var answer = get("/console");

        assertThat(answer.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .startsWith("default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src"
                                + " 'self'; connect-src 'self'; form-action 'self'"));
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
        assertThat(answer.body().split("<script", -1)).hasSize(2);
        assertThat(answer.body())
                .contains("<script src=\"/console/console.js\" defer")
                .doesNotContain("<link rel=\"stylesheet", "@import", "url(");
        assertThat(elements(parsed(answer.body()), "meta"))
                .anySatisfy(m -> assertThat(m.getAttribute("http-equiv")).isEqualTo("refresh"));
    }

    @Test
    void anEventComesWhenAnAgreementHasChangedSinceThePage() throws Exception {
        String before = get("/console").body().replaceFirst("(?s).*data-events=\"([^\"]+)\".*", "$1");
        assertThat(get(before).body()).startsWith("retry: ").doesNotContain("event:");

        create("o1", "CN=alice", "fzj");

        assertThat(get(before).body()).contains("event: changed\nid: ");
    }

    @Test
    void thePictureShowsAnHourOrAMonth() throws Exception {
        create("o1", "CN=alice", "fzj");

        for (String span : List.of("hour", "day", "2+days", "week", "month")) {
            var page = page("/console/picture?span=" + span);
            assertThat(classes(page, "rect")).as(span).anyMatch(c -> c.startsWith("bar reserved"));
            assertThat(texts(page, "h2")).contains("Next " + span.replace('+', ' '));
        }
    }

    @Test
    void whatIsNotThereIsAPageThatSaysSo() throws Exception {
        for (var path :
                List.of("/console/when", "/console/agreement/ag-none", "/console/agreement/", "/console/%3Cb%3E")) {
            var answer = get(path);

            assertThat(answer.statusCode()).as(path).isEqualTo(404);
        }
        assertThat(get("/elsewhere").statusCode()).isEqualTo(404);
    }

    @Test
    void theRootLeadsToTheConsole() throws Exception {
        var answer = get("/");

        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.headers().firstValue("Location")).hasValue("/console");
    }

    private Agreement create(String id, String initiator, String... sites) throws InterruptedException {
        return create(id, initiator, 8, sites);
    }

    private Agreement create(String id, String initiator, int nodes, String... sites) throws InterruptedException {
        var parts = new ArrayList<RequestedPart>();
        for (var site : sites) {
            parts.add(RequestedPart.at(site, ResourceRequest.nodes(nodes, Duration.ofHours(1))));
        }
        var offer = grid.offer(id, parts);
        var named = new AgreementOffer(
                new OfferKey(initiator, id),
                offer.name(),
                offer.template(),
                offer.alternatives(),
                List.of(new GuaranteeTerm("WHOLE", List.of(), Optional.empty(), Optional.empty(), List.of())),
                Optional.empty(),
                offer.document(),
                Optional.empty(),
                Optional.empty());
        return ((Created) started.service.offer(named)).agreement();
    }

    private Document page(String path) throws Exception {
        var answer = get(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        return parsed(answer.body());
    }

    /** Fails unless the page is well-formed. */
    private static Document parsed(String page) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://xml.org/sax/features/external-general-entities", false);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(page)));
    }

    /** Sends the first form of one page to an address. */
    private int post(String page, String address) throws Exception {
        return post(page, address, "");
    }

    private int post(String page, String address, String more) throws Exception {
        var browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        var form = browser.send(
                HttpRequest.newBuilder(URI.create(http.base() + page)).build(), BodyHandlers.ofString());
        String stamp = elements(parsed(form.body()), "input").stream()
                .filter(i -> i.getAttribute("name").equals("stamp"))
                .findFirst()
                .orElseThrow()
                .getAttribute("value");
        return browser.send(
                        HttpRequest.newBuilder(URI.create(http.base() + address))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(BodyPublishers.ofString(
                                        "stamp=" + URLEncoder.encode(stamp, StandardCharsets.UTF_8) + more))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(http.base() + path)).build(), BodyHandlers.ofString());
    }

    private static List<Element> elements(Document page, String name) {
        var found = page.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    private static List<String> texts(Document page, String name) {
        return elements(page, name).stream().map(ConsoleServletTest::text).toList();
    }

    /** Without the line breaks of the templates. */
    private static String text(Element element) {
        return element.getTextContent().replaceAll("\\s*\n\\s*", "");
    }

    private static List<String> classes(Document page, String name) {
        return elements(page, name).stream().map(e -> e.getAttribute("class")).toList();
    }

    private static final class OneMatch implements MatchService {
        private final UUID id = UUID.randomUUID();
        private volatile boolean held = true;
        private Optional<Dag> seen = Optional.empty();

        @Override
        public List<Match> held() {
            return held
                    ? List.of(new Match(
                            id.toString(), "fzj", true, Instant.EPOCH, "/dags/" + HOSTILE, HOSTILE, Instant.EPOCH, 1))
                    : List.of();
        }

        @Override
        public Optional<Dag> dag(Match match) {
            return seen;
        }

        @Override
        public Optional<String> rebind(Match match) {
            return Optional.empty();
        }

        @Override
        public boolean release(UUID released) {
            held &= !released.equals(id);
            return !held;
        }
    }

    private static final class HostileOffers extends NoDocumentOffers {
        private boolean answers;

        @Override
        public OfferAdvice plan(String document, Authorizer.Call call, int most, boolean nearest) {
            if (answers) {
                return new OfferAdvice(Optional.of(RefusalCode.NO_COMMON_SLOT), List.of(), true, "Not so.", List.of());
            }
            throw new IllegalArgumentException(HOSTILE);
        }

        @Override
        public CreationOutcome decide(String document, Authorizer.Call call, Decision<CreationOutcome> decision) {
            throw new IllegalArgumentException(HOSTILE);
        }
    }

    private static OperationsModel operations() {
        var figures = List.of(
                new Figure("site.calls", "Calls to sites", "fzj", 4, Optional.of(0.0123), Optional.of(0.5), true),
                new Figure(
                        "site.closed", "Turned away", HOSTILE, Double.NaN, Optional.empty(), Optional.empty(), false),
                new Figure("servers", "Servers", "", 2, Optional.empty(), Optional.empty(), false),
                new Figure("site.closed", "Turned away", "scai", 1.5, Optional.empty(), Optional.empty(), false));
        return new OperationsModel(Map.of("database", "up"), figures);
    }

    private static final class Ads implements AdvertisedAds {
        private final Map<String, SiteAd> sites = new ConcurrentHashMap<>();
        private final Map<String, Long> types = new ConcurrentSkipListMap<>();

        @Override
        public List<Ad> find(String type, String constraint, List<String> projection, int most) {
            if (constraint.equals("][")) {
                throw new IllegalArgumentException("The constraint (][) is no expression.");
            }
            return types.keySet().stream()
                    .filter(one -> type.isEmpty() || one.equals(type))
                    .map(one -> new Ad(one, HOSTILE, "[Name = " + HOSTILE + "]", Instant.EPOCH, Instant.EPOCH))
                    .toList();
        }

        @Override
        public Map<String, SiteAd> newestBySite() {
            return sites;
        }

        @Override
        public Map<String, Long> countByType() {
            return types;
        }
    }
}
