package org.metasched.choice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The choice against trying every start and every combination. {@code -Dmetasched.cases=N} tries more grids. */
class ChoiceOracleTest {

    private static final long LATEST = 40;

    @Test
    void agreesWithBruteForceOnRandomGrids() {
        int found = 0;
        int cases = Integer.getInteger("metasched.cases", 2000);
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
            decision.best()
                    .ifPresent(plan -> assertThat(isSound(branches, plan)).isTrue());
            found += expected.isPresent() ? 1 : 0;
        }
        assertThat(found).isBetween(cases / 4, cases - cases / 20);
    }

    private static List<Number> figures(Plan plan) {
        return List.of(plan.start(), plan.pieces(), Math.round(plan.rank() * 1e6), Math.round(plan.cost() * 1e6));
    }

    private static List<ChoiceBranch> branches(Random random) {
        var windows = IntStream.range(0, 6).mapToObj(i -> starts(random)).toList();
        return IntStream.range(0, 1 + random.nextInt(2))
                .mapToObj(i -> branch(random, windows))
                .toList();
    }

    private static ChoiceBranch branch(Random random, List<Starts> windows) {
        int parts = 1 + random.nextInt(3);
        var all = new ArrayList<ChoicePart>();
        for (int p = 0; p < parts; p++) {
            all.add(part(random, windows));
        }
        var rules = new ArrayList<Rule>();
        if (parts > 1 && random.nextInt(2) == 0) {
            int modulus = 2 + random.nextInt(2);
            var about = random.nextBoolean() ? List.of(0, 1) : List.of(parts - 1, 0);
            rules.add(new Rule(
                    about,
                    chosen -> (chosen.get(0).place().hashCode()
                                            + chosen.get(1).place().hashCode())
                                    % modulus
                            == 0));
        }
        return new ChoiceBranch(all, rules);
    }

    private static ChoicePart part(Random random, List<Starts> windows) {
        boolean split = random.nextInt(4) == 0;
        var options = new ArrayList<Option>();
        int sites = 2 + random.nextInt(4);
        for (int site = 0; site < sites; site++) {
            var starts = random.nextInt(3) > 0 ? windows.get(site) : starts(random);
            for (int amount = 1; amount <= (split ? 3 : 1); amount++) {
                options.add(new Option(
                        "s" + site, amount, starts, random.nextInt(3), random.nextInt(3), site + "/" + amount));
            }
        }
        if (split) {
            return ChoicePart.split(2 + random.nextInt(4), 1 + random.nextInt(3), options);
        }
        return ChoicePart.some(1 + random.nextInt(2), options);
    }

    private static Starts starts(Random random) {
        var ends = new ArrayList<Long>();
        long at = random.nextInt(12);
        while (at < LATEST + 5 && ends.size() < 8) {
            ends.add(at);
            at += random.nextInt(6);
            ends.add(at);
            at += 1 + random.nextInt(12);
        }
        return Starts.of(ends.stream().mapToLong(Long::longValue).toArray());
    }

    private static Optional<Plan> bruteForce(List<ChoiceBranch> branches, Preference preference) {
        Plan best = null;
        for (int b = 0; b < branches.size(); b++) {
            for (long start = 0; start <= LATEST; start++) {
                for (var picks : combinations(branches.get(b), 0, start)) {
                    var plan = plan(branches.get(b), b, start, picks);
                    boolean better = best == null || preference.order().compare(plan, best) < 0;
                    if (better && isSound(branches, plan)) {
                        best = plan;
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static Plan plan(ChoiceBranch branch, int number, long start, List<List<Option>> picks) {
        double rank = 0;
        double cost = 0;
        for (int p = 0; p < picks.size(); p++) {
            for (var option : picks.get(p)) {
                rank += branch.parts().get(p).rank(option);
                cost += option.cost();
            }
        }
        return new Plan(number, start, rank, cost, picks);
    }

    private static List<List<List<Option>>> combinations(ChoiceBranch branch, int from, long start) {
        if (from == branch.parts().size()) {
            return List.of(List.of());
        }
        var all = new ArrayList<List<List<Option>>>();
        var rest = combinations(branch, from + 1, start);
        for (var picks : subsets(branch.parts().get(from), start)) {
            for (var tail : rest) {
                var one = new ArrayList<List<Option>>();
                one.add(picks);
                one.addAll(tail);
                all.add(one);
            }
        }
        return all;
    }

    private static List<List<Option>> subsets(ChoicePart part, long start) {
        var open =
                part.options().stream().filter(o -> o.starts().contains(start)).toList();
        var subsets = new ArrayList<List<Option>>();
        for (int mask = 1; mask < 1 << open.size(); mask++) {
            int bits = Integer.bitCount(mask);
            int set = mask;
            if (bits >= part.least() && bits <= part.most()) {
                var picks = IntStream.range(0, open.size())
                        .filter(i -> (set >> i & 1) == 1)
                        .mapToObj(open::get)
                        .toList();
                if (part.total() == 0 || picks.stream().mapToInt(Option::amount).sum() == part.total()) {
                    subsets.add(picks);
                }
            }
        }
        return subsets;
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

    @Test
    void theBestPlansComeInOrderAndAreDifferent() {
        var options = IntStream.range(0, 4)
                .mapToObj(i -> new Option("s" + i, Starts.of(i * 10, 100), i, 0))
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
