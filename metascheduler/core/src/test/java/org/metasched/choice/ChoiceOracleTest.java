package org.metasched.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The choice against trying every start and every combination. {@code -Dmetasched.choice.cases=N} tries more grids. */
class ChoiceOracleTest {

    private static final long LATEST = 40;
    /** The windows of workflows open before; they last less than six. */
    private static final long SOON = 20;

    @Test
    void agreesWithBruteForceOnRandomGrids() {
        int found = 0;
        int cases = Integer.getInteger("metasched.choice.cases", 2000);
        for (int seed = 0; seed < cases; seed++) {
            var random = new Random(seed);
            var branches = branches(random);
            var preference = Preference.values()[random.nextInt(3)];

            var decision = Choice.decide(branches, 0, LATEST, preference, 1, Choice.MOST_STEPS);

            var expected = bruteForce(branches, preference);
            assertThat(decision.proven()).isTrue();
            assertThat(decision.best().map(ChoiceOracleTest::figures))
                    .as("seed %s, prefer %s, %s", seed, preference, branches)
                    .isEqualTo(expected.map(ChoiceOracleTest::figures));
            int order =
                    expected.map(plan -> branches.get(plan.branch()).order()).orElse(0);
            var few = new BestPlans(preference, 1, Choice.MOST_STEPS);
            var fewFirst = Choice.decide(branches, order, 0, LATEST, few, 1 + seed % 2);
            assertThat(fewFirst.best().map(ChoiceOracleTest::figures))
                    .as("the best few first, seed %s, prefer %s, %s", seed, preference, branches)
                    .isEqualTo(expected.map(ChoiceOracleTest::figures));
            decision.best()
                    .ifPresent(plan -> assertThat(isSound(branches, plan)).isTrue());
            found += expected.isPresent() ? 1 : 0;
        }
        assertThat(found).isBetween(cases / 4, cases - cases / 20);
    }

    @Test
    void workflowsAgreeWithBruteForce() {
        int found = 0;
        int waiting = 0;
        int cases = Integer.getInteger("metasched.choice.cases", 2000) / 2;
        for (int seed = 0; seed < cases; seed++) {
            var random = new Random(seed);
            var branches = IntStream.range(0, 1 + random.nextInt(2))
                    .mapToObj(i -> workflow(random))
                    .toList();
            var preference = Preference.values()[random.nextInt(3)];
            long latest = random.nextInt(3) == 0 ? 5 : LATEST;

            var decision = Choice.decide(branches, 0, latest, preference, 1, Choice.MOST_STEPS);

            Optional<Plan> expected = Optional.empty();
            for (int b = 0; b < branches.size(); b++) {
                var other = new Placing(branches.get(b), b, latest, preference).best();
                expected = other.isPresent()
                                && (expected.isEmpty() || preference.order().compare(other.get(), expected.get()) < 0)
                        ? other
                        : expected;
            }
            assertThat(decision.proven()).isTrue();
            assertThat(decision.best().map(ChoiceOracleTest::figures))
                    .as("seed %s, prefer %s, %s", seed, preference, branches)
                    .isEqualTo(expected.map(ChoiceOracleTest::figures));
            found += expected.isPresent() ? 1 : 0;
            waiting += expected.filter(plan -> plan.when() > plan.start()).isPresent() ? 1 : 0;
        }
        assertThat(found).isBetween(cases / 4, cases - cases / 20);
        assertThat(waiting).isGreaterThan(cases / 20);
    }

    @Test
    void aDeadlineAtTheEndOfTimeDoesNotKeepTheSearchFromEnding() {
        var options = Stream.of(FeasibleStarts.of(107, 109), FeasibleStarts.of(105, 106))
                .map(starts -> new PlaceOption("", 1, starts, 0, 0, starts))
                .toList();
        var branch = new ChoiceBranch(List.of(ChoicePart.oneOf(options)), List.of());
        long latest = Instant.MAX.getEpochSecond();

        var decision = assertTimeoutPreemptively(
                Duration.ofSeconds(30),
                () -> Choice.decide(List.of(branch), 100, latest, Preference.START, 1, Choice.MOST_STEPS));

        assertThat(decision.best().orElseThrow().start()).isEqualTo(105);
    }

    /** Two or three stages of one or two parts, in a chain, a fork or with fixed or longest waits. */
    private static ChoiceBranch workflow(Random random) {
        int stages = 2 + random.nextInt(2);
        var windows = IntStream.range(0, 4).mapToObj(i -> starts(random, SOON)).toList();
        var lengths =
                IntStream.range(0, stages).mapToObj(i -> 1L + random.nextInt(6)).toList();
        var lags = new ArrayList<StageNetwork.Lag>();
        for (int stage = 1; stage < stages; stage++) {
            int from = random.nextInt(stage);
            long least = random.nextInt(4) == 0 ? random.nextInt(4) : lengths.get(from) + random.nextInt(3);
            long most = random.nextInt(3) > 0 ? -StageNetwork.NONE : least + random.nextInt(2) * random.nextInt(8);
            lags.add(new StageNetwork.Lag(from, stage, least, most));
        }
        var parts = new ArrayList<ChoicePart>();
        var stageOf = new ArrayList<Integer>();
        for (int stage = 0; stage < stages; stage++) {
            for (int p = 0; p < 1 + random.nextInt(2) / stages; p++) {
                parts.add(oneOrTwo(random, windows));
                stageOf.add(stage);
            }
        }
        if (stages == 2 && random.nextBoolean()) {
            parts.add(oneOrTwo(random, windows));
            stageOf.add(random.nextInt(2));
        }
        var rules = new ArrayList<PickConstraint>();
        if (random.nextInt(3) == 0) {
            rules.add(new PickConstraint(
                    List.of(0, parts.size() - 1),
                    chosen -> (chosen.get(0).place().hashCode()
                                            + chosen.get(1).place().hashCode())
                                    % 2
                            == 0));
        }
        var names = IntStream.range(0, stages).mapToObj(i -> "stage" + i).toList();
        return new ChoiceBranch(
                parts, rules, stageOf, new StageNetwork(names, lengths, lags), random.nextInt(2) * 3L, 0);
    }

    private static ChoicePart oneOrTwo(Random random, List<FeasibleStarts> windows) {
        var options = IntStream.range(0, 2 + random.nextInt(2))
                .mapToObj(site -> new PlaceOption(
                        "s" + site, 1, windows.get(site), random.nextInt(3), random.nextInt(3), "s" + site))
                .toList();
        return ChoicePart.some(random.nextInt(4) == 0 ? 2 : 1, options);
    }

    /** Tries every start of every stage and every choice of places. */
    private static final class Placing {
        private final ChoiceBranch branch;
        private final int number;
        private final long latest;
        private final Preference preference;
        private final StageNetwork network;
        /** For each part and start what it may have. */
        private final List<List<List<List<PlaceOption>>>> picksAt;

        private Optional<Plan> best = Optional.empty();

        Placing(ChoiceBranch branch, int number, long latest, Preference preference) {
            this.branch = branch;
            this.number = number;
            this.latest = latest;
            this.preference = preference;
            this.network = branch.network();
            this.picksAt = branch.parts().stream()
                    .map(part -> LongStream.rangeClosed(0, SOON + 6)
                            .mapToObj(start -> subsets(part, start))
                            .toList())
                    .toList();
        }

        Optional<Plan> best() {
            place(new ArrayList<>());
            return best;
        }

        private void place(List<Long> starts) {
            int stage = starts.size();
            if (stage == network.stages()) {
                var partStarts = branch.stages().stream().map(starts::get).toList();
                long end = IntStream.range(0, stage)
                        .mapToLong(s -> starts.get(s) + length(s))
                        .max()
                        .orElseThrow();
                long when = end - network.span() + branch.delay();
                if (end - network.span() <= latest) {
                    pick(when, partStarts, new ArrayList<>());
                }
                return;
            }
            for (long start = 0; start <= SOON + 6; start++) {
                long at = start;
                boolean fits = IntStream.range(0, stage)
                        .allMatch(other -> at - starts.get(other) >= network.gap(other, stage)
                                && starts.get(other) - at >= network.gap(stage, other));
                boolean isOpen = IntStream.range(0, branch.parts().size())
                        .filter(p -> branch.stages().get(p) == stage)
                        .allMatch(p -> !picksAt.get(p).get((int) at).isEmpty());
                if (fits && isOpen) {
                    starts.add(start);
                    place(starts);
                    starts.remove(stage);
                }
            }
        }

        private long length(int stage) {
            return network.length(stage);
        }

        private void pick(long when, List<Long> starts, List<List<PlaceOption>> picks) {
            int p = picks.size();
            if (p == starts.size()) {
                var plain = plan(branch, number, 0, picks);
                var plan = new Plan(number, when, starts, plain.rank(), plain.cost(), picks);
                boolean better = best.isEmpty() || preference.order().compare(plan, best.get()) < 0;
                if (better && rulesHold(branch, plan) && placesDiffer(plan)) {
                    best = Optional.of(plan);
                }
                return;
            }
            for (var some : picksAt.get(p).get(starts.get(p).intValue())) {
                picks.add(some);
                pick(when, starts, picks);
                picks.remove(p);
            }
        }

        /** Stages of which one is not over before the other may begin share no place. */
        private boolean placesDiffer(Plan plan) {
            for (int p = 0; p < plan.picks().size(); p++) {
                for (int q = 0; q < p; q++) {
                    boolean apart = network.areApart(
                            branch.stages().get(p), branch.stages().get(q));
                    var others = plan.picks().get(q);
                    if (!apart
                            && plan.picks().get(p).stream()
                                    .anyMatch(one -> others.stream()
                                            .anyMatch(other -> one.place().equals(other.place())))) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    private static List<Number> figures(Plan plan) {
        return List.of(plan.when(), plan.pieces(), Math.round(plan.rank() * 1e6), Math.round(plan.cost() * 1e6));
    }

    private static List<ChoiceBranch> branches(Random random) {
        var windows = IntStream.range(0, 6).mapToObj(i -> starts(random)).toList();
        return IntStream.range(0, 1 + random.nextInt(2))
                .mapToObj(i -> branch(random, windows))
                .toList();
    }

    private static ChoiceBranch branch(Random random, List<FeasibleStarts> windows) {
        int parts = 1 + random.nextInt(3);
        var all = new ArrayList<ChoicePart>();
        for (int p = 0; p < parts; p++) {
            all.add(part(random, windows));
        }
        var rules = new ArrayList<PickConstraint>();
        if (parts > 1 && random.nextInt(2) == 0) {
            int modulus = 2 + random.nextInt(2);
            var about = random.nextBoolean() ? List.of(0, 1) : List.of(parts - 1, 0);
            rules.add(new PickConstraint(
                    about,
                    chosen -> (chosen.get(0).place().hashCode()
                                            + chosen.get(1).place().hashCode())
                                    % modulus
                            == 0));
        }
        var stages = Collections.nCopies(parts, 0);
        return new ChoiceBranch(all, rules, stages, StageNetwork.single(0), random.nextInt(2) * 3L, random.nextInt(2));
    }

    private static ChoicePart part(Random random, List<FeasibleStarts> windows) {
        boolean split = random.nextInt(4) == 0;
        var options = new ArrayList<PlaceOption>();
        int sites = 2 + random.nextInt(4);
        for (int site = 0; site < sites; site++) {
            var starts = random.nextInt(3) > 0 ? windows.get(site) : starts(random);
            for (int amount = 1; amount <= (split ? 3 : 1); amount++) {
                options.add(new PlaceOption(
                        "s" + site, amount, starts, random.nextInt(3), random.nextInt(3), site + "/" + amount));
            }
        }
        if (split) {
            int multiple = 1 + random.nextInt(2);
            int total = multiple * (1 + random.nextInt(6 / multiple));
            return ChoicePart.split(total, 1 + random.nextInt(3), 1 + random.nextInt(total), multiple, options);
        }
        return ChoicePart.some(1 + random.nextInt(2), options);
    }

    private static FeasibleStarts starts(Random random) {
        return starts(random, LATEST + 5);
    }

    private static FeasibleStarts starts(Random random, long until) {
        var ends = new ArrayList<Long>();
        long at = random.nextInt(12);
        while (at < until && ends.size() < 8) {
            ends.add(at);
            at += random.nextInt(6);
            ends.add(at);
            at += 1 + random.nextInt(12);
        }
        return FeasibleStarts.of(ends.stream().mapToLong(Long::longValue).toArray());
    }

    private static Optional<Plan> bruteForce(List<ChoiceBranch> branches, Preference preference) {
        Plan best = null;
        var better = Comparator.comparing(
                        (Plan plan) -> branches.get(plan.branch()).order())
                .thenComparing(preference.order());
        for (int b = 0; b < branches.size(); b++) {
            for (long start = 0; start <= LATEST; start++) {
                for (var picks : combinations(branches.get(b), 0, start)) {
                    var plan = plan(branches.get(b), b, start, picks);
                    boolean isBetter = best == null || better.compare(plan, best) < 0;
                    if (isBetter && isSound(branches, plan)) {
                        best = plan;
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static Plan plan(ChoiceBranch branch, int number, long start, List<List<PlaceOption>> picks) {
        double rank = 0;
        double cost = 0;
        for (int p = 0; p < picks.size(); p++) {
            for (var option : picks.get(p)) {
                double weight = branch.parts().get(p).weight(option.amount());
                rank += weight * option.rank();
                cost += weight * option.cost();
            }
        }
        return new Plan(number, start + branch.delay(), Collections.nCopies(picks.size(), start), rank, cost, picks);
    }

    private static List<List<List<PlaceOption>>> combinations(ChoiceBranch branch, int from, long start) {
        if (from == branch.parts().size()) {
            return List.of(List.of());
        }
        var all = new ArrayList<List<List<PlaceOption>>>();
        var rest = combinations(branch, from + 1, start);
        for (var picks : subsets(branch.parts().get(from), start)) {
            for (var tail : rest) {
                var one = new ArrayList<List<PlaceOption>>();
                one.add(picks);
                one.addAll(tail);
                all.add(one);
            }
        }
        return all;
    }

    private static List<List<PlaceOption>> subsets(ChoicePart part, long start) {
        var open =
                part.options().stream().filter(o -> o.starts().contains(start)).toList();
        var subsets = new ArrayList<List<PlaceOption>>();
        for (int mask = 1; mask < 1 << open.size(); mask++) {
            int bits = Integer.bitCount(mask);
            int set = mask;
            if (bits >= part.least() && bits <= part.most()) {
                var picks = IntStream.range(0, open.size())
                        .filter(i -> (set >> i & 1) == 1)
                        .mapToObj(open::get)
                        .toList();
                subsets.addAll(part.total() == 0 ? List.of(picks) : sizes(picks, part.total(), part.leastPiece()));
            }
        }
        return subsets;
    }

    /** All ways in which pieces no larger than these add up to a total. */
    private static List<List<PlaceOption>> sizes(List<PlaceOption> picks, int total, int least) {
        if (picks.isEmpty()) {
            return total == 0 ? List.of(List.of()) : List.of();
        }
        var all = new ArrayList<List<PlaceOption>>();
        var last = picks.get(picks.size() - 1);
        for (int amount = least; amount <= Math.min(total, last.amount()); amount++) {
            for (var before : sizes(picks.subList(0, picks.size() - 1), total - amount, least)) {
                var one = new ArrayList<>(before);
                one.add(last.giving(amount));
                all.add(one);
            }
        }
        return all;
    }

    private static boolean isSound(List<ChoiceBranch> branches, Plan plan) {
        var branch = branches.get(plan.branch());
        var places = new TreeSet<String>();
        for (var picks : plan.picks()) {
            for (var option : picks) {
                if (!places.add(option.place()) || !option.starts().contains(plan.start())) {
                    return false;
                }
            }
        }
        return rulesHold(branch, plan);
    }

    private static boolean rulesHold(ChoiceBranch branch, Plan plan) {
        for (var rule : branch.rules()) {
            for (var one : plan.picks().get(rule.parts().get(0))) {
                for (var other : plan.picks().get(rule.parts().get(1))) {
                    if (!rule.holds().test(List.of(one, other))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Half a million windows, of which no two that are needed meet before the last. */
    @Test
    void partsThatAreHardlyEverFreeTogetherAreFoundWhenTheyAre() {
        var random = new Random(3);
        List<List<PlaceOption>> halves = List.of(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < 500; i++) {
            long[] ends = IntStream.range(0, 1_000)
                    .mapToLong(w -> w * 2_000L + random.nextInt(900))
                    .flatMap(first -> LongStream.of(first, first + random.nextInt(100)))
                    .toArray();
            int half = i % 2;
            halves.get(half)
                    .add(new PlaceOption(
                            "s" + i,
                            1,
                            FeasibleStarts.of(ends).minus(-1_000L * half),
                            random.nextInt(3),
                            random.nextInt(3),
                            "s" + i));
        }
        var parts = IntStream.range(0, 4)
                .mapToObj(p -> ChoicePart.oneOf(halves.get(p % 2)))
                .toList();

        var never = earliest(parts);
        for (var half : halves) {
            for (int i = 0; i < 2; i++) {
                half.add(new PlaceOption(
                        "late" + half.size() + half.get(0).place(),
                        1,
                        FeasibleStarts.of(1_999_990, 2_100_000),
                        0,
                        0,
                        "late"));
            }
        }
        var all = IntStream.range(0, 4)
                .mapToObj(p -> ChoicePart.oneOf(halves.get(p % 2)))
                .toList();
        var late = earliest(all);

        assertThat(never).isEmpty();
        assertThat(late).map(Plan::start).contains(1_999_990L);
    }

    private static Optional<Plan> earliest(List<ChoicePart> parts) {
        var branch = new ChoiceBranch(parts, List.of());
        return Choice.decide(List.of(branch), 0, 3_000_000, Preference.START, 1, Choice.MOST_STEPS)
                .best();
    }

    @Test
    void countingFindsWhereSoManyArePossible() {
        var random = new Random(1);
        for (int i = 0; i < 300; i++) {
            var some = starts(random);
            var others = IntStream.range(0, 1 + random.nextInt(5))
                    .mapToObj(o -> starts(random))
                    .toList();
            int count = 1 + random.nextInt(3);

            var found = some.where(count, others);

            for (long at = 0; at < LATEST + 20; at++) {
                long start = at;
                assertThat(found.contains(at))
                        .isEqualTo(some.contains(at)
                                && others.stream()
                                                .filter(o -> o.contains(start))
                                                .count()
                                        >= count);
            }
        }
    }

    @Test
    void theBestPlansComeInOrderAndAreDifferent() {
        var options = IntStream.range(0, 4)
                .mapToObj(i -> new PlaceOption("s" + i, 1, FeasibleStarts.of(i * 10, 100), i, 0, "s" + i))
                .toList();

        var decision = Choice.decide(
                List.of(new ChoiceBranch(List.of(ChoicePart.some(2, options)), List.of())),
                0,
                100,
                Preference.START,
                3,
                Choice.MOST_STEPS);

        assertThat(decision.plans()).extracting(Plan::start).containsExactly(10L, 20L, 20L);
        assertThat(decision.plans()).extracting(Plan::rank).containsExactly(1.0, 3.0, 2.0);
    }
}
