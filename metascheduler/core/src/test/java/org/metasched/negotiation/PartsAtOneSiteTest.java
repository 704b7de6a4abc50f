package org.metasched.negotiation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.SiteSelector.Candidates;
import org.metasched.fakes.FakeSite;
import org.metasched.fakes.TestGrid;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;

/** Parts that one site holds at the same time: a site's answer for each alone does not tell whether it holds both. */
@Timeout(120)
class PartsAtOneSiteTest {

    private static final int CASES = Integer.getInteger("metasched.cases", 300);
    private static final int SITES = 2;
    private static final int NODES = 64;
    private static final int TENS = 24;
    private static final int OPEN = -1;
    private static final int SPLIT = -2;

    /** Each fits alone; both together only when the block of an hour ends. */
    @Test
    void theStartIsTheEndOfTheBlockAndNotAStepAfterIt() throws Exception {
        for (var strategy : SearchStrategy.values()) {
            for (boolean lists : List.of(true, false)) {
                try (var grid = grid(lists)) {
                    grid.at("s0").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT1H"), 30);
                    var engine = grid.attempts(100).start(strategy).engine;
                    var request = grid.request(20, "s0", "s0");

                    var planned = engine.plan(request).plans().get(0).start();

                    assertThat(engine.negotiate(request)).isInstanceOfSatisfying(CoAllocated.class, made -> {
                        assertThat(made.start()).isEqualTo(grid.nowPlus("PT1H"));
                        assertThat(made.effort().attempts()).isEqualTo(1);
                    });
                    assertThat(planned).isEqualTo(grid.nowPlus("PT1H").getEpochSecond());
                }
            }
        }
    }

    @Test
    void aBlockUntilAfterTheDeadlineIsRefusedWithoutATrial() throws Exception {
        for (boolean lists : List.of(true, false)) {
            try (var grid = grid(lists)) {
                grid.at("s0").busy(grid.nowPlus("PT0S"), grid.nowPlus("PT25H"), 30);

                assertThat(grid.start().engine.negotiate(grid.request(20, "s0", "s0")))
                        .isInstanceOfSatisfying(
                                NoCommonSlot.class,
                                end -> assertThat(end.effort().attempts()).isZero());
            }
        }
    }

    /** A site that would never hold the sum in one reservation: it is a grid, or has a rule about each reservation. */
    @Test
    void aSiteThatHoldsAllButNotAsOneReservationIsAskedForEachAlone() throws Exception {
        for (boolean refuses : List.of(true, false)) {
            try (var grid = new TestGrid()) {
                grid.open(clock -> new FlakySite(new FakeSite("two", NODES, clock), 0) {
                    @Override
                    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore)
                            throws LocalSchedulerException {
                        if (request.need().amount() <= NODES / 2) {
                            return super.earliestStart(request, notBefore);
                        }
                        if (refuses) {
                            throw new Refused("A reservation has 32 nodes at most.");
                        }
                        return Optional.empty();
                    }
                });

                assertThat(grid.start().engine.negotiate(grid.request(30, "two", "two")))
                        .isInstanceOfSatisfying(
                                CoAllocated.class,
                                made -> assertThat(made.start()).isEqualTo(grid.nowPlus("PT0S")));
            }
        }
    }

    /** Both parts are the same question to a site. */
    @Test
    void ofPartsOfTheSameAmountOnlyTheOneThatMayBeSplitIsSplit() throws Exception {
        var whole = new Wanted(OPEN, 60, 2);
        var split = new Wanted(SPLIT, 60, 2);
        for (var parts : List.of(List.of(whole, split), List.of(split, whole))) {
            try (var grid = new TestGrid().site("s0", NODES).site("s1", 40).site("s2", 40)) {
                var made = made(grid, parts, 3).orElseThrow();

                assertThat(made.slot().map(TimeSlot::start)).contains(grid.nowPlus("PT0S"));
                var granted = new HashMap<String, List<Integer>>();
                made.commitments()
                        .forEach(part -> granted.computeIfAbsent(part.term(), term -> new ArrayList<>())
                                .add(part.reservation().granted().amount()));
                assertThat(granted.get("t" + parts.indexOf(whole))).containsExactly(60);
                assertThat(granted.get("t" + parts.indexOf(split)))
                        .hasSize(2)
                        .satisfies(amounts -> assertThat(amounts.stream()
                                        .mapToInt(amount -> amount)
                                        .sum())
                                .isEqualTo(60));
            }
        }
    }

    /** Amounts whose sum is more than any request may have. */
    @Test
    void aSumThatIsTooLargeForARequestIsNeverHeld() throws Exception {
        try (var grid = new TestGrid().site("vast", 10_000_000)) {
            assertThat(grid.start().engine.negotiate(grid.request(6_000_000, "vast", "vast")))
                    .isNotInstanceOf(CoAllocated.class);
        }
    }

    @Test
    void theStartIsTheFirstThatHoldsAllParts() throws Exception {
        long seed = Long.getLong("metasched.seed", System.nanoTime());
        var random = new Random(seed);
        int later = 0;
        for (int i = 0; i < CASES; i++) {
            try (var grid = grid(random.nextBoolean())) {
                int[][] free = blocks(grid, random);
                var parts = parts(random);
                var expected = first(parts, free);
                var strategy = SearchStrategy.values()[random.nextInt(2)];
                boolean isChoice = random.nextBoolean() || parts.get(parts.size() - 1).site < 0;

                assertThat(isChoice ? chosen(grid, parts) : negotiated(grid, parts, strategy))
                        .as(
                                "case %d of seed %d: %s %s at %s",
                                i, seed, isChoice ? "chosen" : strategy, parts, Arrays.deepToString(free))
                        .isEqualTo(expected.map(ten -> grid.nowPlus("PT" + 10 * ten + "M")));
                later += expected.filter(ten -> ten > 0).isPresent() ? 1 : 0;
            }
        }
        assertThat(later).as("cases in which the parts wait").isGreaterThan(CASES / 10);
    }

    /** @param site the number of its site; {@link #OPEN}, or {@link #SPLIT} if both sites may share it */
    private record Wanted(int site, int nodes, int tens) {
        ResourceRequest request() {
            return ResourceRequest.nodes(nodes, Duration.ofMinutes(10L * tens));
        }

        Wanted at(int other, int count) {
            return new Wanted(other, count, tens);
        }

        RequestedPart part(int number) {
            var name = site < 0 ? Optional.<SiteId>empty() : Optional.of(new SiteId("s" + site));
            var requirements = Optional.of("true").filter(any -> site < 0);
            var split = Optional.of(new SplitRequest(1, SITES, 1, 0)).filter(some -> site == SPLIT);
            return new RequestedPart(
                    "t" + number, "all", name, request(), requirements, Optional.empty(), Optional.empty(), split);
        }
    }

    /** Some parts that name their sites, then perhaps one that does not and is no longer than any of them. */
    private static List<Wanted> parts(Random random) {
        var parts = new ArrayList<Wanted>();
        for (int i = 2 + random.nextInt(3); i > 0; i--) {
            parts.add(new Wanted(random.nextInt(SITES), 4 + random.nextInt(20), 2 + random.nextInt(3)));
        }
        int other = random.nextInt(4);
        if (other < 2) {
            parts.add(new Wanted(other == 0 ? OPEN : SPLIT, 4 + random.nextInt(20), 1 + random.nextInt(2)));
        }
        return parts;
    }

    private static Optional<Integer> first(List<Wanted> parts, int[][] free) {
        var last = parts.get(parts.size() - 1);
        return last.site < 0
                ? IntStream.rangeClosed(0, last.nodes)
                        .filter(first -> last.site == SPLIT || first % last.nodes == 0)
                        .mapToObj(first -> {
                            var placed = new ArrayList<>(parts.subList(0, parts.size() - 1));
                            placed.add(last.at(0, first));
                            placed.add(last.at(1, last.nodes - first));
                            return first(placed, free);
                        })
                        .flatMap(Optional::stream)
                        .min(Integer::compareTo)
                : IntStream.range(0, TENS)
                        .filter(start -> fits(parts, free, start))
                        .boxed()
                        .findFirst();
    }

    private static boolean fits(List<Wanted> parts, int[][] free, int start) {
        return IntStream.range(0, SITES)
                        .allMatch(site -> IntStream.range(start, TENS)
                                .allMatch(at -> free[site][at]
                                        >= parts.stream()
                                                .filter(part -> part.site == site && at < start + part.tens)
                                                .mapToInt(Wanted::nodes)
                                                .sum()))
                && parts.stream().allMatch(part -> start + part.tens <= TENS);
    }

    private static TestGrid grid(boolean lists) {
        var grid = new TestGrid();
        for (int i = 0; i < SITES; i++) {
            grid.site("s" + i, NODES);
            if (lists) {
                grid.at("s" + i).listsWindows();
            }
        }
        return grid;
    }

    /** Numbers of free nodes that change over four hours. */
    private static int[][] blocks(TestGrid grid, Random random) {
        int[][] free = new int[SITES][TENS];
        for (int site = 0; site < SITES; site++) {
            for (int from = 0; from < TENS; ) {
                int to = Math.min(TENS, from + 1 + random.nextInt(6));
                int busy = random.nextInt(1 + NODES * 3 / 4);
                Arrays.fill(free[site], from, to, NODES - busy);
                if (busy > 0) {
                    grid.at("s" + site)
                            .busy(grid.nowPlus("PT" + 10 * from + "M"), grid.nowPlus("PT" + 10 * to + "M"), busy);
                }
                from = to;
            }
        }
        return free;
    }

    private static Optional<Instant> negotiated(TestGrid grid, List<Wanted> parts, SearchStrategy strategy)
            throws Exception {
        var request = new CoAllocationRequest(
                parts.stream()
                        .map(part -> new SitePart(new SiteId("s" + part.site), part.request()))
                        .toList(),
                grid.clock.instant(),
                grid.nowPlus("PT4H"));
        var outcome = grid.start(strategy).engine.negotiate(request);
        return outcome instanceof CoAllocated made ? Optional.of(made.start()) : Optional.empty();
    }

    /** The same as one of two alternatives, so that it is a choice. */
    private static Optional<Instant> chosen(TestGrid grid, List<Wanted> parts) throws Exception {
        return made(grid, parts, SITES).flatMap(Agreement::slot).map(TimeSlot::start);
    }

    private static Optional<Agreement> made(TestGrid grid, List<Wanted> parts, int sites) throws Exception {
        var request = new AgreementRequest(
                IntStream.range(0, parts.size())
                        .mapToObj(i -> parts.get(i).part(i))
                        .toList(),
                Optional.of(grid.clock.instant()),
                Optional.of(grid.nowPlus("PT4H")));
        var like = grid.offer("one", 1, "s0");
        var offer = new AgreementOffer(
                like.key(),
                like.name(),
                like.template(),
                List.of(request, request),
                like.guarantees(),
                like.expiration(),
                like.document(),
                like.acceptance(),
                Optional.empty());
        var places = IntStream.range(0, sites)
                .mapToObj(i -> new Place(new SiteId("s" + i), "s" + i, -i, 0, 0))
                .toList();
        var outcome = grid.start(wanted -> new Candidates(
                        wanted.parts().stream()
                                .filter(part -> part.site().isEmpty())
                                .map(part -> places)
                                .toList(),
                        List.of(),
                        Optional.empty()))
                .service
                .offer(offer);
        return outcome instanceof Created created ? Optional.of(created.agreement()) : Optional.empty();
    }
}
