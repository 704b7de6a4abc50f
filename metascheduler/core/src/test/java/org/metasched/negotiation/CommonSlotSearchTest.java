package org.metasched.negotiation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.fakes.FakeSite;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.sites.FanOutExecutor;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteDirectory;

class CommonSlotSearchTest {

    private static final Instant T0 = Instant.parse("2026-01-05T08:00:00Z");
    private static final int CASES = Integer.getInteger("metasched.search.cases", 1000);
    private static final int SECONDS = 240;

    private final ExecutorService executor = FanOutExecutor.create();
    private final Clock clock = Clock.fixed(T0, ZoneOffset.UTC);

    @AfterEach
    void end() {
        executor.shutdownNow();
    }

    @Test
    void bothStrategiesFindWhatBruteForceFinds() throws Exception {
        long seed = Long.getLong("metasched.seed", System.nanoTime());
        System.out.println("CommonSlotSearchTest: seed " + seed);
        var random = new Random(seed);
        int found = 0;

        for (int i = 0; i < CASES; i++) {
            var grid = randomGrid(random);
            Optional<Instant> expected = bruteForce(grid);
            for (var strategy : SearchStrategy.values()) {
                var result = search(grid, strategy);
                assertThat(result.start())
                        .as("case %d of seed %d with %s: %s", i, seed, strategy, result)
                        .isEqualTo(expected);
                assertThat(result.end().stream()).hasOnlyElementsOfType(NoCommonSlot.class);
            }
            found += expected.isPresent() ? 1 : 0;
        }

        assertThat(found).as("cases with a common start").isBetween(CASES / 10, CASES * 9 / 10);
    }

    @Test
    void oneRoundIsEnoughWhenEverySiteListsItsWindows() throws Exception {
        var random = new Random(5);
        for (int i = 0; i < 100; i++) {
            var grid = randomGrid(random);
            grid.sites.forEach(FakeSite::listsWindows);

            var result = search(grid, SearchStrategy.WINDOWS);

            assertThat(result.rounds()).isEqualTo(1);
            assertThat(result.calls()).isEqualTo(grid.parts.size());
        }
    }

    @Test
    void roundsStayWithinTheirBoundWhenSitesNameTheirNextStartOnly() throws Exception {
        var random = new Random(6);
        for (int i = 0; i < 300; i++) {
            var grid = randomGrid(random);

            var result = search(grid, SearchStrategy.LISTING1);

            assertThat(result.rounds()).isLessThanOrEqualTo(1 + grid.intervals);
        }
    }

    @Test
    void theSameStartIsFoundOnceMoreFromItself() throws Exception {
        var fzj = new FakeSite("fzj", 8, clock).busy(T0, T0.plusSeconds(50), 8);
        var scai = new FakeSite("scai", 8, clock).busy(T0.plusSeconds(55), T0.plusSeconds(90), 1);
        var grid = new Grid(List.of(fzj, scai), List.of(part("fzj", 8, 10, 0), part("scai", 8, 10, 0)), 4);

        var first = search(grid, SearchStrategy.LISTING1);

        assertThat(first.start()).contains(T0.plusSeconds(90));
        assertThat(first.rounds()).isEqualTo(3);
    }

    @Test
    void aQuestionThatFailedIsAskedOnceMore() throws Exception {
        var fzj = new FlakySite(new FakeSite("fzj", 8, clock), 1);

        var result = search(SiteDirectory.of(List.of(fzj)), List.of(part("fzj", 8, 10, 0)), SearchStrategy.WINDOWS);

        assertThat(result.start()).isPresent();
        assertThat(result.calls()).isEqualTo(2);
    }

    @Test
    void aSiteThatDoesNotAnswerTwiceFailsTheSearchAndIsNamed() throws Exception {
        var fzj = new FlakySite(new FakeSite("fzj", 8, clock), 2);
        var scai = new FakeSite("scai", 8, clock);

        var result = search(
                SiteDirectory.of(List.<LocalScheduler>of(scai, fzj)),
                List.of(part("scai", 8, 10, 0), part("fzj", 8, 10, 0)),
                SearchStrategy.WINDOWS);

        assertThat(result.end()).get().isInstanceOfSatisfying(Abandoned.class, end -> {
            assertThat(end.why()).isEqualTo(Why.SITE_UNAVAILABLE);
            assertThat(end.cause()).isEqualTo(new SiteId("fzj"));
        });
    }

    @Test
    void anAnswerBeforeTheTimeAskedIsNoAnswer() throws Exception {
        var fzj = new FlakySite(new FakeSite("fzj", 8, clock), 0) {
            @Override
            public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) {
                return Optional.of(notBefore.minusSeconds(1));
            }
        };

        var result = search(SiteDirectory.of(List.of(fzj)), List.of(part("fzj", 8, 10, 0)), SearchStrategy.LISTING1);

        assertThat(result.end())
                .get()
                .isInstanceOfSatisfying(
                        Abandoned.class, end -> assertThat(end.reason()).contains("rule A1"));
    }

    @Test
    void sitesThatRoundUpWithDifferentOffsetsEndWithTheBudgetAndNotNever() throws Exception {
        var even = roundingUp("even", 0);
        var odd = roundingUp("odd", 30);

        var result = search(
                SiteDirectory.of(List.of(even, odd)),
                List.of(part("even", 8, 10, 0), part("odd", 8, 10, 0)),
                SearchStrategy.LISTING1,
                T0.plus(Duration.ofDays(6)),
                50);

        assertThat(result.end())
                .get()
                .isInstanceOfSatisfying(
                        Abandoned.class, end -> assertThat(end.why()).isEqualTo(Why.BUDGET_SPENT));
        assertThat(result.rounds()).isEqualTo(50);
    }

    @Test
    void partsWithOffsetsBeginOneAfterTheOther() throws Exception {
        var fzj = new FakeSite("fzj", 8, clock).busy(T0, T0.plusSeconds(30), 1);
        var scai = new FakeSite("scai", 8, clock).busy(T0.plusSeconds(40), T0.plusSeconds(100), 1);
        var grid = new Grid(List.of(fzj, scai), List.of(part("fzj", 8, 10, 0), part("scai", 8, 10, 20)), 4);

        for (var strategy : SearchStrategy.values()) {
            assertThat(search(grid, strategy).start()).contains(T0.plusSeconds(80));
        }
    }

    private FlakySite roundingUp(String name, long offset) {
        return new FlakySite(new FakeSite(name, 8, clock), 0) {
            @Override
            public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) {
                long rounded = Math.floorDiv(notBefore.getEpochSecond() - offset + 59, 60) * 60 + offset;
                return Optional.of(Instant.ofEpochSecond(rounded));
            }
        };
    }

    private record Grid(List<FakeSite> sites, List<SitePart> parts, int intervals) {}

    /** Two to five sites with up to eight local jobs each, some of which list their windows; some on a coarse grid. */
    private Grid randomGrid(Random random) {
        var sites = new ArrayList<FakeSite>();
        var parts = new ArrayList<SitePart>();
        int intervals = 0;
        int count = 2 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            var site = new FakeSite("s" + i, 8, clock);
            for (int job = random.nextInt(9); job > 0; job--) {
                Instant from = T0.plusSeconds(random.nextInt(SECONDS));
                site.busy(from, from.plusSeconds(1 + random.nextInt(60)), 1 + random.nextInt(8));
                intervals += 2;
            }
            if (random.nextBoolean()) {
                site.listsWindows();
            }
            if (random.nextInt(3) == 0) {
                site.previews(new PreviewWindow(Duration.ofDays(7), Duration.ofSeconds(5)));
            }
            sites.add(site);
            parts.add(part("s" + i, 1 + random.nextInt(8), 5 + random.nextInt(40), random.nextInt(3) * 7));
        }
        return new Grid(sites, parts, intervals);
    }

    private Optional<Instant> bruteForce(Grid grid) throws Exception {
        for (int second = 0; second <= SECONDS; second++) {
            Instant start = T0.plusSeconds(second);
            boolean all = true;
            for (int i = 0; i < grid.parts.size() && all; i++) {
                var part = grid.parts.get(i);
                Instant at = start.plus(part.offset());
                all = grid.sites.get(i).fitsAt(part.request(), at);
            }
            if (all) {
                return Optional.of(start);
            }
        }
        return Optional.empty();
    }

    private Result search(Grid grid, SearchStrategy strategy) throws InterruptedException {
        return search(SiteDirectory.of(grid.sites), grid.parts, strategy);
    }

    private Result search(SiteDirectory sites, List<SitePart> parts, SearchStrategy strategy)
            throws InterruptedException {
        return search(sites, parts, strategy, T0.plusSeconds(SECONDS), 1000);
    }

    private Result search(
            SiteDirectory sites, List<SitePart> parts, SearchStrategy strategy, Instant limit, int mostRounds)
            throws InterruptedException {
        var calls = new SiteCalls(sites, executor, Duration.ofSeconds(30), 64);
        var journal = new InMemoryJournal();
        var budget = new NegotiationBudget(Duration.ZERO, mostRounds, 1, Duration.ofDays(1), Duration.ZERO);
        var sweeper = new OrphanSweeper(journal, calls, clock, Duration.ZERO);
        var context = new NegotiationContext(calls, journal, sweeper, budget, clock);
        var span = parts.stream().map(SitePart::span).max(Duration::compareTo).orElseThrow();
        var request = new CoAllocationRequest(parts, T0, limit.plus(span));
        var negotiation = new NamedNegotiation(context, strategy, "m", new Random(), request);
        var search = negotiation.search();
        var start = search.plan().map(plan -> Instant.ofEpochSecond(plan.start()));
        return new Result(
                start,
                start.isPresent() ? Optional.empty() : Optional.of(negotiation.ended(search)),
                negotiation.effort().rounds(),
                negotiation.effort().calls());
    }

    /** How a search ended: with a start, or with the end of its negotiation. */
    private record Result(Optional<Instant> start, Optional<NegotiationOutcome> end, int rounds, int calls) {}

    private static SitePart part(String site, int nodes, int seconds, int offset) {
        return new SitePart(
                new SiteId(site),
                ResourceRequest.nodes(nodes, Duration.ofSeconds(seconds)),
                Duration.ofSeconds(offset));
    }
}
