package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.SiteSelector.Candidates;
import org.metasched.choice.Preference;
import org.metasched.fakes.FakeSite;
import org.metasched.fakes.TestGrid;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.SplitRequest;
import org.metasched.negotiation.TemporalConstraint;

/** Places and times are decided together. */
class ChoiceInTimeTest {

    @Test
    void theSiteThatIsFreeNowIsTakenAndNotTheBestRankedOneNextWeek() throws Exception {
        for (boolean lists : List.of(true, false)) {
            try (var grid = grid(3, 1, lists)) {
                var outcome = grid.start(any(grid, 3)).service.offer(offer(grid, 1, Preference.START, "P8D"));

                assertThat(outcome).isInstanceOf(Created.class);
                assertThat(start(outcome)).isEqualTo(grid.nowPlus("PT0S").toString());
                assertThat(site(outcome)).isEqualTo("s1");
            }
        }
    }

    @Test
    void threeIdleSitesOfTwelveAreFoundBeforeTheDeadline() throws Exception {
        for (boolean lists : List.of(true, false)) {
            try (var grid = grid(12, 9, lists)) {
                var outcome = grid.start(any(grid, 12)).service.offer(offer(grid, 3, Preference.START, "PT10H"));

                assertThat(outcome).isInstanceOf(Created.class);
                assertThat(start(outcome)).isEqualTo(grid.nowPlus("PT0S").toString());
            }
        }
    }

    @Test
    void theBestRankedSiteIsTakenIfRankIsPreferred() throws Exception {
        try (var grid = grid(3, 1, true)) {
            var outcome = grid.start(any(grid, 3)).service.offer(offer(grid, 1, Preference.RANK, "P8D"));

            assertThat(site(outcome)).isEqualTo("s0");
            assertThat(start(outcome)).isEqualTo(grid.nowPlus("P7D").toString());
        }
    }

    @Test
    void aLostRaceCostsThatCandidateOnly() throws Exception {
        try (var grid = grid(12, 0, true)) {
            for (int i = 0; i < 10; i++) {
                grid.at("s" + i).next(FakeSite.Mishap.REFUSE);
            }

            var outcome = grid.start(any(grid, 12)).service.offer(offer(grid, 1, Preference.START, "PT10H"));

            assertThat(site(outcome)).isEqualTo("s10");
            assertThat(start(outcome)).isEqualTo(grid.nowPlus("PT0S").toString());
            assertThat(grid.heldEverywhere()).isEqualTo(1);
        }
    }

    /** Each part is free at both sites, which grant none. */
    @Test
    void aRuleAboutAllPartsIsNamedWhereThePlaceIsOpen() throws Exception {
        try (var grid = grid(2, 0, true)) {
            for (String site : List.of("s0", "s1")) {
                grid.at(site)
                        .next(Collections.nCopies(100, FakeSite.Mishap.FORBID).toArray(FakeSite.Mishap[]::new));
            }

            var outcome = grid.start(any(grid, 2)).service.offer(offer(grid, 2, Preference.START, "PT2H"));

            assertThat(outcome).isInstanceOfSatisfying(Refused.class, refused -> {
                assertThat(refused.code()).isEqualTo(RefusalCode.SITE_REFUSES);
                assertThat(refused.reason())
                        .contains("of 2 (", "): rule fair, most-reservations: 2 are held already, of 2");
            });
        }
    }

    @Test
    void candidatesAreAskedInOneRoundWhateverOneOfThemSays() throws Exception {
        try (var grid = grid(64, 0, true)) {
            grid.at("s0").down(true);

            var outcome = grid.start(any(grid, 64)).service.offer(offer(grid, 4, Preference.START, "PT10H"));

            assertThat(outcome).isInstanceOfSatisfying(Created.class, created -> {
                assertThat(created.agreement().effort().rounds()).isEqualTo(1);
                assertThat(created.agreement().effort().calls()).isEqualTo(64 + 4);
            });
        }
    }

    /** Sites that are full four fifths of the time, and the first quarter of an hour at which four are free for an hour. */
    @Test
    void fourOfSixteenAtLoadFourFifthsAreFoundWheneverTheyAreThere() throws Exception {
        var random = new Random(13);
        int there = 0;
        for (int i = 0; i < 60; i++) {
            try (var grid = grid(16, 0, i % 2 == 0)) {
                boolean[][] full = new boolean[16][48];
                for (int site = 0; site < 16; site++) {
                    for (int quarter = random.nextInt(20) - 19; quarter < 48; ) {
                        int from = Math.max(0, quarter);
                        int to = Math.min(48, quarter + 8 + random.nextInt(17));
                        if (from < to) {
                            Arrays.fill(full[site], from, to, true);
                            grid.at("s" + site)
                                    .busy(grid.nowPlus("PT" + 15 * from + "M"), grid.nowPlus("PT" + 15 * to + "M"), 64);
                        }
                        quarter = to + 2 + random.nextInt(5);
                    }
                }
                var first = IntStream.rangeClosed(0, 44)
                        .filter(start -> Arrays.stream(full)
                                        .filter(site -> IntStream.range(start, start + 4)
                                                .noneMatch(q -> site[q]))
                                        .count()
                                >= 4)
                        .findFirst();

                var outcome = grid.start(any(grid, 16)).service.offer(offer(grid, 4, Preference.START, "PT12H"));

                if (first.isPresent()) {
                    there++;
                    assertThat(start(outcome))
                            .isEqualTo(grid.nowPlus("PT" + 15 * first.getAsInt() + "M")
                                    .toString());
                } else {
                    assertThat(outcome).isInstanceOf(Refused.class);
                }
            }
        }
        assertThat(there).isBetween(10, 59);
    }

    @Test
    void aRefusalSaysWhichSitesBind() throws Exception {
        try (var grid = grid(3, 3, true)) {
            var outcome = grid.start(any(grid, 3)).service.offer(offer(grid, 2, Preference.START, "PT10H"));

            assertThat(outcome)
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.reason())
                                    .contains("Part t0 (4 nodes for PT1H): 3 sites may serve it; never free for it: s0,"
                                            + " s1, s2"));
        }
    }

    /** The first site has room for one of the parts now, and for both in an hour; the open part may want as much as the other, or less. */
    @Test
    void anOpenPartIsPutBesideOneThatNamesTheSiteWhereBothHaveRoom() throws Exception {
        for (boolean lists : List.of(true, false)) {
            for (int open : List.of(20, 18)) {
                for (var preference : List.of(Preference.START, Preference.RANK)) {
                    try (var grid = grid(2, 0, lists)) {
                        grid.at("s0").busy(grid.nowPlus("-PT1H"), grid.nowPlus("PT1H"), 30);
                        var parts = List.of(
                                new RequestedPart(
                                        "open",
                                        "all",
                                        Optional.empty(),
                                        ResourceRequest.nodes(open, Duration.ofHours(1)),
                                        Optional.of("true")),
                                RequestedPart.at("s0", ResourceRequest.nodes(20, Duration.ofHours(1))));
                        var request = new AgreementRequest(
                                parts,
                                Optional.of(grid.clock.instant()),
                                Optional.of(grid.nowPlus("PT10H")),
                                preference,
                                List.of(),
                                Optional.empty());
                        var offer = withBranches(grid.offer("one", 1, "s0"), List.of(request));

                        var outcome = grid.start(any(grid, 2)).service.offer(offer);

                        boolean isFirst = preference == Preference.START;
                        assertThat(start(outcome))
                                .isEqualTo(
                                        grid.nowPlus(isFirst ? "PT0S" : "PT1H").toString());
                        assertThat(site(outcome)).isEqualTo(isFirst ? "s1" : "s0");
                    }
                }
            }
        }
    }

    @Test
    void aTotalIsSplitOverSitesOnlyWhenOneIsNotEnough() throws Exception {
        for (boolean lists : List.of(true, false)) {
            try (var grid = grid(4, 1, lists)) {
                var service = grid.start(any(grid, 4)).service;

                var whole = service.offer(total(grid, "whole", 48, new SplitRequest(8, 4, 8, 0)));
                var split = service.offer(total(grid, "split", 120, new SplitRequest(8, 3, 8, 0)));
                var tooMany = service.offer(total(grid, "too many", 192, new SplitRequest(8, 2, 8, 0)));

                assertThat(amounts(whole)).containsExactly(48);
                assertThat(amounts(split)).hasSizeBetween(2, 3).allMatch(amount -> amount % 8 == 0);
                assertThat(amounts(split).stream().mapToInt(a -> a).sum()).isEqualTo(120);
                assertThat(((Created) split).agreement().commitments())
                        .extracting(SiteCommitment::site)
                        .doesNotHaveDuplicates();
                assertThat(start(split)).isEqualTo(grid.nowPlus("PT0S").toString());
                assertThat(tooMany).isInstanceOf(Refused.class);
            }
        }
    }

    @Test
    void aLookSaysWithoutWhichSitesItDecided() throws Exception {
        try (var grid = grid(3, 0, true)) {
            grid.at("s1").down(true);

            var advice = grid.start(any(grid, 3)).service.plan(offer(grid, 2, Preference.START, "PT10H"), 3, true);

            assertThat(advice.ways()).isNotEmpty();
            assertThat(advice.reason()).isEqualTo("Decided without 1 of the sites, which did not answer: s1.");
        }
    }

    /** The best ways take two ads of one site at once, for which its windows do not tell whether both have room. */
    @Test
    void aLookThatMustBeCertainGoesOnBehindWaysThatAreNot() throws Exception {
        try (var grid = grid(2, 0, true)) {
            var ads = List.of(
                    new Place(new SiteId("s0"), "s0.a", 9, 0, 0),
                    new Place(new SiteId("s0"), "s0.b", 9, 0, 0),
                    new Place(new SiteId("s1"), "s1", 1, 0, 0));
            SiteSelector selector = request ->
                    new Candidates(request.parts().stream().map(part -> ads).toList(), List.of(), Optional.empty());

            var advice = grid.start(selector).service.plan(offer(grid, 2, Preference.RANK, "PT1H"), 1, true);

            assertThat(advice.ways())
                    .singleElement()
                    .satisfies(way -> assertThat(way.pieces())
                            .extracting(piece -> piece.site().value())
                            .containsExactlyInAnyOrder("s0", "s1"));
        }
    }

    /** Where a site that had no start has one a moment later, the look still says what it saw. */
    @Test
    void aLookWithoutAWayNamesTheReasonAlsoWhenThereIsOneByThen() throws Exception {
        try (var grid = grid(1, 0, true)) {
            var site = grid.at("s0");
            var held = site.reserve(
                    new RequestKey("other"), ResourceRequest.nodes(64, Duration.ofHours(1)), grid.clock.instant());
            var asked = new AtomicInteger();
            SiteSelector selector = request -> {
                if (asked.incrementAndGet() == 2) {
                    cancel(site, held.id());
                }
                return any(grid, 1).candidates(request);
            };

            var advice = grid.start(selector).service.plan(offer(grid, 1, Preference.START, "PT1H"), 1, false);

            assertThat(asked).hasValueGreaterThan(1);
            assertThat(advice.ways()).isEmpty();
            assertThat(advice.reason()).contains("s0").doesNotContain("several parts");
        }
    }

    private static void cancel(FakeSite site, ReservationId id) {
        try {
            site.cancel(id);
        } catch (LocalSchedulerException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aLookHoldsNothingAndFindsWhatWouldBeGranted() throws Exception {
        try (var grid = grid(3, 3, true)) {
            var service = grid.start(any(grid, 3)).service;
            var offer = offer(grid, 2, Preference.START, "PT10H");

            var advice = service.plan(offer, 3, true);

            assertThat(grid.heldEverywhere()).isZero();
            assertThat(advice.ways()).isEmpty();
            assertThat(advice.proven()).isTrue();
            assertThat(advice.reason()).contains("never free for it: s0, s1, s2");
            assertThat(advice.nearest()).extracting(OfferAdvice.Nearest::change).contains("later");
            for (var nearest : advice.nearest()) {
                assertThat(service.offer(
                                withBranches(grid.offer(nearest.change(), 1, "s0"), List.of(nearest.request()))))
                        .isInstanceOf(Created.class);
            }
            var wide = service.plan(
                    withBranches(offer, List.of(advice.nearest().get(0).request())), 3, false);
            assertThat(wide.ways()).isNotEmpty().hasSizeLessThanOrEqualTo(3);
            assertThat(wide.ways().get(0).pieces())
                    .extracting(OfferAdvice.Piece::site)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void everyAlternativeKeepsItsOwnTimes() throws Exception {
        for (boolean lists : List.of(true, false)) {
            try (var grid = grid(2, 0, lists)) {
                grid.at("s0").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT3H"), 64);
                grid.at("s1").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT5H"), 64);
                var service = grid.start().service;
                var soon = within(grid, "s0", "PT0S", "PT2H");
                var today = within(grid, "s1", "PT0S", "PT10H");
                var tomorrow = within(grid, "s0", "PT24H", "PT30H");

                var second = service.offer(withBranches(grid.offer("second", 1, "s0"), List.of(soon, today)));
                var neither = service.offer(withBranches(
                        grid.offer("neither", 1, "s0"), List.of(within(grid, "s1", "PT0S", "PT5H30M"), soon)));
                var later = service.offer(withBranches(grid.offer("later", 1, "s0"), List.of(soon, tomorrow)));

                assertThat(start(second)).isEqualTo(grid.nowPlus("PT5H").toString());
                assertThat(neither).isInstanceOf(Refused.class);
                assertThat(start(later)).isEqualTo(grid.nowPlus("PT24H").toString());
            }
        }
    }

    private static AgreementRequest within(TestGrid grid, String site, String earliest, String deadline) {
        return new AgreementRequest(
                List.of(RequestedPart.at(site, ResourceRequest.nodes(32, Duration.ofHours(1)))),
                Optional.of(grid.nowPlus(earliest)),
                Optional.of(grid.nowPlus(deadline)));
    }

    /** The first alternative asks for far more plans than are made for all: each of its parts could be smaller. */
    @Tag("full")
    @Test
    void aSecondAlternativeHasSuggestionsHoweverManyChangesTheFirstAllows() throws Exception {
        try (var grid = grid(2, 1, true)) {
            var many = IntStream.rangeClosed(2, 200)
                    .mapToObj(nodes -> new RequestedPart(
                            "t" + nodes,
                            "all",
                            Optional.of(new SiteId("s0")),
                            ResourceRequest.nodes(nodes, Duration.ofHours(1)),
                            Optional.empty()))
                    .toList();
            var first =
                    new AgreementRequest(many, Optional.of(grid.clock.instant()), Optional.of(grid.nowPlus("PT2H")));
            var second = grid.offer("two", 80, "s1").alternatives().get(0);

            var advice = grid.start(any(grid, 2))
                    .service
                    .plan(withBranches(grid.offer("one", 1, "s0"), List.of(first, second)), 1, true);

            assertThat(advice.nearest()).extracting(one -> one.change()).contains("fewer");
        }
    }

    @Test
    void theSiteOfARefusalIsTheOneThatCausedIt() throws Exception {
        try (var grid = grid(2, 0, true)) {
            grid.at("s0").fails(new LocalSchedulerException.Refused("not for you"));
            grid.at("s1").down(true);

            var outcome = grid.start(any(grid, 2)).service.offer(offer(grid, 1, Preference.START, "PT2H"));

            assertThat(outcome).isInstanceOfSatisfying(Refused.class, refused -> {
                assertThat(refused.code()).isEqualTo(RefusalCode.ADAPTER_DOWN);
                assertThat(refused.site()).contains(new SiteId("s1"));
            });
        }
    }

    /** Each site lacks something else: time at one, nodes at another, and the last one is full for days. */
    @Test
    void everyAlternativeOfARefusedOfferHasItsOwnSuggestions() throws Exception {
        try (var grid = grid(3, 0, true)) {
            grid.at("s0").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT9H30M"), 64);
            grid.at("s1").busy(grid.nowPlus("PT0S"), grid.nowPlus("P7D"), 40);
            grid.at("s2").busy(grid.nowPlus("PT0S"), grid.nowPlus("P7D"), 64);
            var service = grid.start(any(grid, 3)).service;
            var alternatives = Stream.of("s0", "s1", "s2")
                    .map(site -> within(grid, site, "PT0S", "PT10H"))
                    .toList();

            var advice = service.plan(withBranches(grid.offer("one", 1, "s0"), alternatives), 1, true);

            assertThat(advice.nearest())
                    .extracting(one -> one.change() + " "
                            + one.request()
                                    .parts()
                                    .get(0)
                                    .site()
                                    .map(SiteId::value)
                                    .orElse("anywhere"))
                    .contains("shorter s0", "later s0", "fewer s1", "later s1", "later s2")
                    .doesNotHaveDuplicates();
            for (var nearest : advice.nearest()) {
                var made = service.offer(withBranches(
                        grid.offer("n" + advice.nearest().indexOf(nearest), 1, "s0"), List.of(nearest.request())));
                assertThat(made).as(nearest.words()).isInstanceOf(Created.class);
                service.end(((Created) made).agreement().id(), "");
            }
        }
    }

    @Test
    void whatAllSitesTogetherHaveIsSuggestedInsteadOfMore() throws Exception {
        for (boolean lists : List.of(true, false)) {
            try (var grid = grid(4, 0, lists)) {
                var service = grid.start(any(grid, 4)).service;

                var advice = service.plan(total(grid, "too much", 300, new SplitRequest(1, 8, 1, 0)), 1, true);

                assertThat(advice.reason()).contains("make 240 of 300").doesNotContain("has a start of its own");
                var fewer = advice.nearest().stream()
                        .filter(one -> one.change().equals("fewer"))
                        .findFirst()
                        .orElseThrow();
                assertThat(fewer.request().parts().get(0).request().need().amount())
                        .isBetween(252, 256);
                assertThat(service.offer(withBranches(grid.offer("fewer", 1, "s0"), List.of(fewer.request()))))
                        .isInstanceOf(Created.class);
            }
        }
    }

    /** Adaptive multi-site: pieces at several sites take a quarter longer, so one site may be as good though it begins later. */
    @Test
    void aSplitThatTakesLongerIsTakenOnlyWhereItEndsSooner() throws Exception {
        var random = new Random(5);
        var taken = new TreeMap<Integer, Integer>();
        for (int i = 0; i < Integer.getInteger("metasched.cases", 60); i++) {
            try (var grid = grid(3, 0, i % 3 > 0)) {
                int[][] free = halfBusy(grid, random);
                int total = 24 << random.nextInt(3);

                var outcome = grid.start(any(grid, 3))
                        .service
                        .offer(total(grid, "i" + i, total, new SplitRequest(1, 3, 1, 25)));

                var alone = first(free, total, 1, 4).map(start -> start + 4);
                var together = first(free, total, 3, 5).map(start -> start + 5);
                var end = Stream.of(alone, together).flatMap(Optional::stream).min(Integer::compareTo);
                if (end.isEmpty()) {
                    assertThat(outcome).as("case %s", i).isInstanceOf(Refused.class);
                    continue;
                }
                var agreement = ((Created) outcome).agreement();
                var slot = agreement.slot().orElseThrow();
                boolean single = alone.equals(end);
                assertThat(slot.end()).as("case %s", i).isEqualTo(grid.nowPlus("PT" + 15 * end.get() + "M"));
                assertThat(slot.length()).as("case %s", i).isEqualTo(Duration.ofMinutes(single ? 60 : 75));
                assertThat(amounts(outcome).size() == 1).isEqualTo(single);
                assertThat(amounts(outcome).stream().mapToInt(a -> a).sum()).isEqualTo(total);
                assertThat(agreement.commitments())
                        .allMatch(one -> one.reservation().slot().equals(slot));
                taken.merge(single ? 1 : 2, 1, Integer::sum);
            }
        }
        assertThat(taken)
                .hasSize(2)
                .allSatisfy((pieces, times) -> assertThat(times).isGreaterThan(5));
    }

    /** A licence beside nodes that take longer in pieces is held until they end; what ends before them by itself is not. */
    @Test
    void whatIsUsedBesideASplitLastsAsLong() throws Exception {
        try (var grid = grid(3, 0, true)) {
            var start = grid.start(any(grid, 3));
            var only = total(grid, "beside", 120, new SplitRequest(8, 2, 8, 20))
                    .alternatives()
                    .get(0);
            var parts = Stream.of(
                            only.parts().get(0),
                            named("licence", "all", "PT1H"),
                            named("brief", "all", "PT30M"),
                            named("long", "all", "PT70M"))
                    .toList();

            var outcome = start.service.offer(withBranches(
                    grid.offer("beside", 1, "s0"), List.of(only.with(parts, only.earliest(), only.deadline()))));

            assertThat(outcome).isInstanceOf(Created.class);
            var lengths = new TreeMap<String, Duration>();
            ((Created) outcome)
                    .agreement()
                    .commitments()
                    .forEach(one ->
                            lengths.put(one.term(), one.reservation().slot().length()));
            assertThat(lengths)
                    .containsEntry("all", Duration.ofMinutes(72))
                    .containsEntry("licence", Duration.ofMinutes(72))
                    .containsEntry("brief", Duration.ofMinutes(30))
                    .containsEntry("long", Duration.ofMinutes(72));
        }
    }

    private static RequestedPart named(String term, String stage, String duration) {
        return new RequestedPart(
                term,
                stage,
                Optional.of(new SiteId("s2")),
                ResourceRequest.nodes(1, Duration.parse(duration)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** Pieces of sizes that are not asked about at first. */
    @Test
    void piecesOfAnySizeAreFoundAtUnequalSites() throws Exception {
        var random = new Random(7);
        int found = 0;
        int cases = Integer.getInteger("metasched.cases", 100);
        for (int i = 0; i < cases; i++) {
            try (var grid = grid(3, 0, false)) {
                for (int site = 0; site < 3; site++) {
                    if ((i >> site & 1) != 0) {
                        grid.at("s" + site).listsWindows();
                    }
                }
                int[][] free = unequal(grid, random);
                int multiple = 1 + random.nextInt(3);
                int least = 1 + random.nextInt(20);
                int most = 1 + random.nextInt(3);
                int smallest = (least + multiple - 1) / multiple * multiple;
                int total = smallest + multiple * random.nextInt(140 / multiple);

                var outcome = grid.start(any(grid, 3))
                        .service
                        .offer(total(grid, "i" + i, total, new SplitRequest(least, most, multiple, 0)));

                Optional<Integer> expected = Optional.empty();
                for (int pieces = 1; pieces <= Math.min(most, total / smallest); pieces++) {
                    var earlier = first(wholePieces(free, smallest, multiple), total, pieces, 4);
                    expected = earlier.filter(start -> start < 24).isPresent()
                            ? Optional.of(Math.min(earlier.get(), expected.orElse(24)))
                            : expected;
                }
                if (expected.isEmpty()) {
                    assertThat(outcome).as("case %s", i).isInstanceOf(Refused.class);
                    continue;
                }
                assertThat(amounts(outcome))
                        .as("case %s", i)
                        .hasSizeLessThanOrEqualTo(most)
                        .allMatch(amount -> amount >= least && amount % multiple == 0);
                assertThat(amounts(outcome).stream().mapToInt(a -> a).sum()).isEqualTo(total);
                assertThat(start(outcome))
                        .as("case %s", i)
                        .isEqualTo(
                                grid.nowPlus("PT" + 15 * expected.get() + "M").toString());
                found++;
            }
        }
        assertThat(found).isBetween(cases / 4, cases * 3 / 4);
    }

    /** Sites with any number of free nodes that changes over six hours, and none then for days; free nodes by quarters. */
    private static int[][] unequal(TestGrid grid, Random random) {
        int[][] free = new int[3][24];
        for (int site = 0; site < 3; site++) {
            for (int from = 0; from < 24; ) {
                int to = Math.min(24, from + 1 + random.nextInt(8));
                int busy = random.nextInt(65);
                Arrays.fill(free[site], from, to, 64 - busy);
                if (busy > 0) {
                    grid.at("s" + site)
                            .busy(grid.nowPlus("PT" + 15 * from + "M"), grid.nowPlus("PT" + 15 * to + "M"), busy);
                }
                from = to;
            }
            grid.at("s" + site).busy(grid.nowPlus("PT6H"), grid.nowPlus("P8D"), 64);
        }
        return free;
    }

    private static int[][] wholePieces(int[][] free, int smallest, int multiple) {
        return Arrays.stream(free)
                .map(site -> Arrays.stream(site)
                        .map(nodes -> nodes < smallest ? 0 : nodes / multiple * multiple)
                        .toArray())
                .toArray(int[][]::new);
    }

    /** Sites where half or all of the nodes are taken most of the time for six hours, and then for days; free nodes by quarters. */
    private static int[][] halfBusy(TestGrid grid, Random random) {
        int[][] free = new int[3][24];
        for (int site = 0; site < 3; site++) {
            Arrays.fill(free[site], 64);
            for (int from = random.nextInt(4); from < 24; from += random.nextInt(5)) {
                int to = Math.min(24, from + 1 + random.nextInt(6));
                int busy = 32 * (1 + random.nextInt(5) / 4);
                Arrays.fill(free[site], from, to, 64 - busy);
                grid.at("s" + site)
                        .busy(grid.nowPlus("PT" + 15 * from + "M"), grid.nowPlus("PT" + 15 * to + "M"), busy);
                from = to;
            }
            grid.at("s" + site).busy(grid.nowPlus("PT6H"), grid.nowPlus("P8D"), 64);
        }
        return free;
    }

    /** The first quarter of an hour from which on so many sites, or fewer, have so much for so long. */
    private static Optional<Integer> first(int[][] free, int total, int sites, int quarters) {
        return IntStream.rangeClosed(0, 24 - quarters)
                .filter(start -> Arrays.stream(free)
                                .map(site -> -Arrays.stream(site, start, start + quarters)
                                        .min()
                                        .orElseThrow())
                                .sorted()
                                .limit(sites)
                                .mapToInt(most -> -most)
                                .sum()
                        >= total)
                .boxed()
                .findFirst();
    }

    @Test
    void theStagesOfAWorkflowAreReservedAtTheirOwnTimes() throws Exception {
        for (boolean lists : List.of(true, false)) {
            try (var grid = grid(4, 1, lists)) {
                grid.at("s1").busy(grid.nowPlus("PT1H"), grid.nowPlus("PT5H"), 64);

                var outcome = grid.start(any(grid, 4)).service.offer(workflow(grid, "PT20H"));

                assertThat(slots(outcome))
                        .containsExactly(
                                "prepare s1 " + grid.nowPlus("PT0S"),
                                "run s2 " + grid.nowPlus("PT1H"),
                                "run s3 " + grid.nowPlus("PT1H"),
                                "render s2 " + grid.nowPlus("PT3H10M"));
                assertThat(((Created) outcome).agreement().slot().orElseThrow().end())
                        .isEqualTo(grid.nowPlus("PT4H10M"));
            }
        }
    }

    @Test
    void aSlipOfOneStageMovesTheWholeOrReleasesIt() throws Exception {
        for (var mishap : List.of(FakeSite.Mishap.REFUSE, FakeSite.Mishap.GRANT_LATER)) {
            try (var grid = grid(4, 1, true)) {
                grid.at("s2").next(mishap);
                var service = grid.start(any(grid, 4)).service;

                var moved = service.offer(workflow(grid, "PT20H"));

                assertThat(moved).isInstanceOf(Created.class);
                assertThat(grid.heldEverywhere()).isEqualTo(4);
                var slots = slots(moved);
                assertThat(slots).as("%s", mishap).hasSize(4);
                service.end(((Created) moved).agreement().id(), "");
                assertThat(grid.heldEverywhere()).isZero();

                // Nowhere else is there room for two sites at once after the first stage, so nothing of it is held.
                grid.at("s3").busy(grid.nowPlus("-PT1H"), grid.nowPlus("P7D"), 64);
                grid.at("s2").next(mishap);
                assertThat(service.offer(workflow(grid, "PT4H10M"))).isInstanceOf(Refused.class);
                assertThat(grid.heldEverywhere()).isZero();
            }
        }
    }

    @Test
    void stagesThatWaitForEachOtherAreRefused() {
        var grid = new TestGrid();
        var request = workflow(grid, "PT20H").alternatives().get(0);
        var circle = List.of(
                request.lags().get(0), new TemporalConstraint("run", "prepare", true, Duration.ZERO, Optional.empty()));

        assertThatThrownBy(() -> new AgreementRequest(
                        request.parts(),
                        request.earliest(),
                        request.deadline(),
                        Preference.START,
                        circle,
                        Optional.empty()))
                .hasMessageContaining("[prepare, run] have no order");
    }

    /** An hour at one site, then two at two sites, and an hour at one within a day, ten minutes later. */
    private static AgreementOffer workflow(TestGrid grid, String within) {
        var parts = List.of(
                stage("prepare", 0, "PT1H"),
                stage("run", 0, "PT2H"),
                stage("run", 1, "PT2H"),
                stage("render", 0, "PT1H"));
        var lags = List.of(
                new TemporalConstraint("prepare", "run", true, Duration.ZERO, Optional.empty()),
                new TemporalConstraint("run", "render", true, Duration.ofMinutes(10), Optional.of(Duration.ofDays(1))));
        return withBranches(
                grid.offer("workflow" + within, 1, "s0"),
                List.of(new AgreementRequest(
                        parts,
                        Optional.of(grid.clock.instant()),
                        Optional.of(grid.nowPlus(within)),
                        Preference.START,
                        lags,
                        Optional.empty())));
    }

    private static RequestedPart stage(String name, int number, String duration) {
        return new RequestedPart(
                name + number,
                name,
                Optional.empty(),
                ResourceRequest.nodes(4, Duration.parse(duration)),
                Optional.of("true"));
    }

    private static List<String> slots(CreationOutcome outcome) {
        assertThat(outcome).isInstanceOf(Created.class);
        return ((Created) outcome)
                .agreement().commitments().stream()
                        .map(part -> part.service() + " " + part.site() + " "
                                + part.reservation().slot().start())
                        .toList();
    }

    private static AgreementOffer total(TestGrid grid, String id, int nodes, SplitRequest split) {
        var part = new RequestedPart(
                "all",
                "all",
                Optional.empty(),
                ResourceRequest.nodes(nodes, Duration.ofHours(1)),
                Optional.of("true"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(split));
        return withBranches(
                grid.offer(id, 1, "s0"),
                List.of(new AgreementRequest(
                        List.of(part), Optional.of(grid.clock.instant()), Optional.of(grid.nowPlus("PT10H")))));
    }

    private static List<Integer> amounts(CreationOutcome outcome) {
        assertThat(outcome).isInstanceOf(Created.class);
        return ((Created) outcome)
                .agreement().commitments().stream()
                        .map(commitment -> commitment.reservation().granted().amount())
                        .toList();
    }

    @Test
    void anAlternativeAtAnUnknownSiteIsOutAndTheOtherIsTaken() throws Exception {
        try (var grid = grid(1, 0, true)) {
            var known = grid.offer("known", 1, "s0");
            var branches = List.of(
                    grid.offer("gone", 1, "nowhere").alternatives().get(0),
                    known.alternatives().get(0));

            var outcome = grid.start().service.offer(withBranches(known, branches));

            assertThat(site(outcome)).isEqualTo("s0");
        }
    }

    /** So many sites of 64 nodes, of which the first ones are full for a week. */
    private static TestGrid grid(int sites, int full, boolean lists) {
        var grid = new TestGrid();
        for (int i = 0; i < sites; i++) {
            grid.site("s" + i, 64);
            grid.at("s" + i).previews(new org.metasched.adapter.PreviewWindow(Duration.ofDays(30)));
            if (lists) {
                grid.at("s" + i).listsWindows();
            }
            if (i < full) {
                grid.at("s" + i).busy(grid.nowPlus("-PT1H"), grid.nowPlus("P7D"), 64);
            }
        }
        return grid;
    }

    /** Every site may serve every part; the first is the best. */
    private static SiteSelector any(TestGrid grid, int sites) {
        var places = IntStream.range(0, sites)
                .mapToObj(i -> new Place(new SiteId("s" + i), "s" + i, -i, 0, 0))
                .toList();
        return request ->
                new Candidates(request.parts().stream().map(part -> places).toList(), List.of(), Optional.empty());
    }

    private static AgreementOffer offer(TestGrid grid, int parts, Preference preference, String within) {
        var open = IntStream.range(0, parts)
                .mapToObj(i -> new RequestedPart(
                        "t" + i,
                        "all",
                        Optional.empty(),
                        ResourceRequest.nodes(4, Duration.ofHours(1)),
                        Optional.of("true")))
                .toList();
        var request = new AgreementRequest(
                open,
                Optional.of(grid.clock.instant()),
                Optional.of(grid.nowPlus(within)),
                preference,
                List.of(),
                Optional.empty());
        return withBranches(grid.offer("one", 1, "s0"), List.of(request));
    }

    private static AgreementOffer withBranches(AgreementOffer offer, List<AgreementRequest> branches) {
        return new AgreementOffer(
                offer.key(),
                offer.name(),
                offer.template(),
                branches,
                offer.guarantees(),
                offer.expiration(),
                offer.document(),
                offer.acceptance(),
                Optional.empty());
    }

    private static String site(CreationOutcome outcome) {
        return ((Created) outcome).agreement().commitments().get(0).site().value();
    }

    private static String start(CreationOutcome outcome) {
        return ((Created) outcome).agreement().slot().orElseThrow().start().toString();
    }
}
