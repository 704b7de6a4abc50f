package org.metasched.agreement.making;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.SiteSelector.Candidates;
import org.metasched.choice.PickConstraint;
import org.metasched.choice.Preference;
import org.metasched.fakes.TestGrid;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.TemporalConstraint;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteDirectory;

/**
 * Choices over small random grids, of whose sites some list their windows and others only say when they are free next, against trying
 * every start and every site for every part.
 */
class UnlistedSitesTest {

    private static final int SITES = 4;
    private static final int QUARTERS = 24;
    private static final int CASES = Integer.getInteger("metasched.cases", 150);

    /** What is wanted, in quarters of an hour: some parts at once, then perhaps another, which waits {@code least} to {@code most} for them. */
    private record Case(
            List<Integer> amounts,
            List<Integer> lengths,
            boolean waits,
            int least,
            int most,
            double[][] ranks,
            double[][] costs,
            boolean[][] links,
            Preference preference) {

        static Case random(Random random) {
            int parts = 1 + random.nextInt(3);
            var lengths = new ArrayList<>(
                    IntStream.generate(() -> 4).limit(parts).boxed().toList());
            boolean waits = parts > 1 && random.nextBoolean();
            if (waits) {
                lengths.set(parts - 1, 1 + random.nextInt(6));
            }
            var links = new boolean[SITES][SITES];
            for (boolean[] row : links) {
                for (int i = 0; i < SITES; i++) {
                    row[i] = random.nextInt(4) > 0;
                }
            }
            int least = random.nextInt(3);
            return new Case(
                    random.ints(parts, 20, 60).boxed().toList(),
                    lengths,
                    waits,
                    least,
                    least + random.nextInt(8),
                    numbers(parts, random),
                    numbers(parts, random),
                    links,
                    Preference.values()[random.nextInt(3)]);
        }

        private static double[][] numbers(int parts, Random random) {
            return IntStream.range(0, parts)
                    .mapToObj(p -> random.ints(SITES, 0, 4).asDoubleStream().toArray())
                    .toArray(double[][]::new);
        }

        int parts() {
            return amounts.size();
        }

        AgreementRequest request(TestGrid grid) {
            var parts = IntStream.range(0, parts())
                    .mapToObj(i -> new RequestedPart(
                            "t" + i,
                            isLater(i) ? "later" : "first",
                            Optional.empty(),
                            ResourceRequest.nodes(amounts.get(i), Duration.ofMinutes(15L * lengths.get(i))),
                            Optional.of("true")))
                    .toList();
            var lags = waits
                    ? List.of(new TemporalConstraint(
                            "first",
                            "later",
                            true,
                            Duration.ofMinutes(15L * least),
                            Optional.of(Duration.ofMinutes(15L * most))))
                    : List.<TemporalConstraint>of();
            return new AgreementRequest(
                    parts,
                    Optional.of(grid.clock.instant()),
                    Optional.of(grid.nowPlus("PT6H")),
                    preference,
                    lags,
                    Optional.empty());
        }

        boolean isLater(int part) {
            return waits && part == parts() - 1;
        }

        /** Links are needed between the sites of the first two parts. */
        SiteSelector selector() {
            var places = IntStream.range(0, parts())
                    .mapToObj(p -> IntStream.range(0, SITES)
                            .mapToObj(s -> new Place(new SiteId("s" + s), "s" + s, ranks[p][s], costs[p][s], 0))
                            .toList())
                    .toList();
            var rules = parts() < 2
                    ? List.<PickConstraint>of()
                    : List.of(new PickConstraint(
                            List.of(0, 1),
                            picks -> links[number(picks.get(0).tag())][
                                    number(picks.get(1).tag())]));
            return request -> new Candidates(places, rules, Optional.empty());
        }

        private static int number(Object place) {
            return Integer.parseInt(((Place) place).site().value().substring(1));
        }
    }

    /** The figures of a plan; the better one first by the preference. */
    private record Figures(int end, double rank, double cost) {
        static Comparator<Figures> order(Preference preference) {
            var byEnd = Comparator.comparingInt(Figures::end);
            var byRank = Comparator.comparingDouble(Figures::rank).reversed();
            var byCost = Comparator.comparingDouble(Figures::cost);
            return switch (preference) {
                case START -> byEnd.thenComparing(byRank).thenComparing(byCost);
                case RANK -> byRank.thenComparing(byEnd).thenComparing(byCost);
                case COST -> byCost.thenComparing(byEnd).thenComparing(byRank);
            };
        }
    }

    @Test
    void onlyPartsWithoutACandidateAccountForARefusal() {
        var nodes = part("nodes");
        var licence = part("licence");
        var request = new AgreementRequest(List.of(nodes, licence), Optional.empty(), Optional.empty());

        assertThat(clauses(request, List.of())).isEqualTo("\nlicence");
        assertThat(clauses(request, List.of(new Place(new SiteId("s1"), "s1", 0, 0, 0))))
                .isEqualTo("\nnodes\nlicence");
    }

    private static RequestedPart part(String term) {
        return new RequestedPart(
                term, "all", Optional.empty(), ResourceRequest.nodes(1, Duration.ofHours(1)), Optional.of("true"));
    }

    private static String clauses(AgreementRequest request, List<Place> places) {
        var selector = new SiteSelector() {
            @Override
            public Candidates candidates(AgreementRequest wanted) {
                var one = List.of(new Place(new SiteId("s0"), "s0", 0, 0, 0));
                return new Candidates(List.of(one, places), List.of(), Optional.of("none"));
            }

            @Override
            public List<Clause> clauses(AgreementRequest wanted, List<RequestedPart> parts) {
                return parts.stream()
                        .map(part -> new Clause(part.term(), List.of()))
                        .toList();
            }
        };
        var none = SiteDirectory.of(List.of());
        var calls = new SiteCalls(none, ForkJoinPool.commonPool(), Duration.ofSeconds(1), 1);
        return new FeasibleAlternatives(selector, new ProgramAdmission(calls), none, Clock.systemUTC())
                .clauses(List.of(request));
    }

    @Test
    void theBestPlanIsFoundThoughSomeSitesDoNotListTheirWindows() throws Exception {
        var random = new Random(11);
        int found = 0;
        for (int i = 0; i < CASES; i++) {
            try (var grid = new TestGrid()) {
                int[][] free = sites(grid, random);
                var wanted = Case.random(random);
                var expected = best(wanted, free, new ArrayList<>());
                var service = grid.start(wanted.selector()).service;
                var offer = offer(grid, wanted.request(grid));

                var advice = service.plan(offer, 1, false);
                var outcome = service.offer(offer);

                assertThat(advice.proven()).as("case %s", i).isTrue();
                assertThat(advice.ways()).as("case %s: %s", i, wanted).hasSize(expected.isPresent() ? 1 : 0);
                if (expected.isEmpty()) {
                    assertThat(outcome).as("case %s", i).isInstanceOf(Refused.class);
                    continue;
                }
                found++;
                var way = advice.ways().get(0);
                int end =
                        (int) Duration.between(grid.clock.instant(), way.end()).toMinutes() / 15;
                assertThat(new Figures(end, way.rank(), way.cost()))
                        .as("case %s: %s", i, wanted)
                        .isEqualTo(expected.get());
                assertThat(((Created) outcome).agreement().slot().orElseThrow().end())
                        .as("case %s", i)
                        .isEqualTo(way.end());
            }
        }
        assertThat(found).isBetween(CASES / 4, CASES * 19 / 20);
    }

    /** Tries every site for the next part, and every start once all have one. */
    private static Optional<Figures> best(Case wanted, int[][] free, List<Integer> sites) {
        var plans = new ArrayList<Figures>();
        if (sites.size() < wanted.parts()) {
            for (int site = 0; site < SITES; site++) {
                if (!sites.contains(site) || (wanted.isLater(sites.size()))) {
                    var more = new ArrayList<>(sites);
                    more.add(site);
                    best(wanted, free, more).ifPresent(plans::add);
                }
            }
        } else if (sites.size() < 2 || wanted.links()[sites.get(0)][sites.get(1)]) {
            for (int start = 0; start < QUARTERS; start++) {
                for (int wait = wanted.waits() ? wanted.least() : 0;
                        wait <= (wanted.waits() ? wanted.most() : 0);
                        wait++) {
                    figures(wanted, free, sites, start, wait).ifPresent(plans::add);
                }
            }
        }
        return plans.stream().min(Figures.order(wanted.preference()));
    }

    private static Optional<Figures> figures(Case wanted, int[][] free, List<Integer> sites, int first, int wait) {
        int end = 0;
        double rank = 0;
        double cost = 0;
        for (int p = 0; p < sites.size(); p++) {
            int site = sites.get(p);
            int start = wanted.isLater(p) ? first + wanted.lengths().get(0) + wait : first;
            int until = start + wanted.lengths().get(p);
            if (until > QUARTERS
                    || Arrays.stream(free[site], start, until).min().orElseThrow()
                            < wanted.amounts().get(p)) {
                return Optional.empty();
            }
            end = Math.max(end, until);
            rank += wanted.ranks()[p][site];
            cost += wanted.costs()[p][site];
        }
        return Optional.of(new Figures(end, rank, cost));
    }

    /** Sites with any number of free nodes that changes over six hours; about half of them list their windows. */
    private static int[][] sites(TestGrid grid, Random random) {
        int[][] free = new int[SITES][QUARTERS];
        for (int site = 0; site < SITES; site++) {
            grid.site("s" + site, 64);
            grid.at("s" + site).previews(new PreviewWindow(Duration.ofDays(30)));
            if (random.nextBoolean()) {
                grid.at("s" + site).listsWindows();
            }
            for (int from = 0; from < QUARTERS; ) {
                int to = Math.min(QUARTERS, from + 1 + random.nextInt(8));
                int busy = random.nextInt(65);
                Arrays.fill(free[site], from, to, 64 - busy);
                if (busy > 0) {
                    grid.at("s" + site)
                            .busy(grid.nowPlus("PT" + 15 * from + "M"), grid.nowPlus("PT" + 15 * to + "M"), busy);
                }
                from = to;
            }
        }
        return free;
    }

    private static AgreementOffer offer(TestGrid grid, AgreementRequest request) {
        var like = grid.offer("one", 1, "s0");
        return new AgreementOffer(
                like.key(),
                like.name(),
                like.template(),
                List.of(request),
                like.guarantees(),
                like.expiration(),
                like.document(),
                like.acceptance(),
                Optional.empty());
    }
}
