package org.metasched.classad.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.SettableClock;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;

/**
 * Scenarios of a pool, cycle by cycle, with what HTCondor's rules give ({@code -Dmetasched.fairshare=FILE} for others). Slots, jobs,
 * concurrency limits and pre-emption are played here; priorities, shares, limits, spins and quotas are ours.
 */
class FairShareCasesTest {

    static final ReadOptions JSON = ReadOptions.NEW.with(Syntax.JSON);

    @Test
    void everyCycleGivesPrioritiesSharesLimitsUsesAndQueuesAsExpected() throws Exception {
        var wrong = new ArrayList<String>();
        int cases = 0;
        for (String line : cases()) {
            cases++;
            ClassAd one = ClassAd.parse(line, JSON);
            String difference = difference(record(one, "scenario"), list(one, "expect"));
            if (!difference.isEmpty()) {
                wrong.add(text(one, "id") + ": " + difference);
            }
        }
        System.out.println(cases + " cases of fair share, " + wrong.size() + " wrong");
        assertThat(wrong).isEmpty();
        assertThat(cases).isGreaterThan(100);
    }

    private static String difference(ClassAd scenario, List<Value> expected) {
        var pool = new PlayedPool(scenario);
        List<Value> cycles = list(scenario, "cycles");
        for (int i = 0; i < cycles.size(); i++) {
            Map<String, Map<String, Double>> got = pool.cycle(ad(cycles.get(i)));
            ClassAd want = ad(expected.get(i));
            String difference = difference(got, want);
            if (!difference.isEmpty()) {
                return "cycle " + i + " " + difference;
            }
        }
        return "";
    }

    /** Of those figures that are given. */
    static String difference(Map<String, Map<String, Double>> figures, ClassAd want) {
        for (var figure : figures.entrySet()) {
            for (var entry : numbers(record(want, figure.getKey())).entrySet()) {
                Double value = figure.getValue().get(entry.getKey());
                if (value == null
                        || Math.abs(value - entry.getValue()) > 1e-9 * Math.max(1, Math.abs(entry.getValue()))) {
                    return figure.getKey() + " " + entry.getKey() + ": got " + value + ", want " + entry.getValue();
                }
            }
        }
        return "";
    }

    /** The cases, or a skipped test. */
    /** Our own cases, which a model in Python answered, and those beside this checkout when they are there. */
    static List<String> cases() throws IOException {
        Path shared = Path.of(System.getProperty("metasched.shared", "../../shared"));
        Path file = Path.of(System.getProperty(
                "metasched.fairshare",
                shared.resolve("classad/fairshare-cases.jsonl").toString()));
        var lines = new ArrayList<String>();
        try (var own = Objects.requireNonNull(FairShareCasesTest.class.getResourceAsStream("fair-share.jsonl"))) {
            new String(own.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(lines::add);
        }
        if (Files.isReadable(file)) {
            lines.addAll(Files.readAllLines(file));
        }
        return lines;
    }

    /** Slots and queues as a scenario has them. */
    private static final class PlayedPool implements NegotiableResources {
        private final SettableClock clock = SettableClock.at("2026-01-05T08:00:00Z");
        private final Map<String, Double> weights = new LinkedHashMap<>();
        private final Map<String, Deque<Batch>> queues = new LinkedHashMap<>();
        private final Map<String, Run> runs = new LinkedHashMap<>();
        private final Map<String, Double> limits;
        private final double preemptFactor;
        private final SharePolicy policy;
        private final Accountant accountant;
        private Map<String, Double> counts = new HashMap<>();
        private List<String> slots = new ArrayList<>();

        private record Batch(int[] left, int duration, Map<String, Double> limits) {}

        private record Run(String owner, int[] left, int duration, Map<String, Double> limits, double[] seconds) {}

        private PlayedPool(ClassAd scenario) {
            ClassAd config = record(scenario, "config");
            preemptFactor = config.evaluate("preempt_factor") instanceof Value.Undefined
                    ? Double.NaN
                    : number(config, "preempt_factor", Double.NaN);
            limits = config.has("limits") ? numbers(record(config, "limits")) : Map.of();
            policy = policy(config);
            accountant = accountant(scenario, clock);
            for (Value slot : list(scenario, "slots")) {
                weights.put(text(ad(slot), "name"), flag(config, "weights", true) ? number(ad(slot), "weight", 1) : 1);
            }
            for (Value value : list(scenario, "submitters")) {
                queues.put(text(ad(value), "name"), new ArrayDeque<>());
            }
        }

        private Map<String, Map<String, Double>> cycle(ClassAd cycle) {
            double seconds = number(cycle, "dt", 0);
            clock.advance(Duration.ofMillis((long) (1000 * seconds)));
            runs.values().forEach(run -> {
                run.left()[0]--;
                run.seconds()[0] += seconds;
            });
            runs.values().removeIf(run -> run.left()[0] <= 0);
            accountant.recount(actual());
            counts = new HashMap<>();
            runs.values().forEach(run -> run.limits().forEach((name, n) -> counts.merge(name, n, Double::sum)));
            arrive(cycle);
            slots = new ArrayList<>(weights.keySet());
            if (!policy.considersPreemption()) {
                slots.removeAll(runs.keySet());
            }
            var share = new FairShare(policy, accountant, this);
            share.run(List.copyOf(queues.keySet()));
            return figures(share);
        }

        private void arrive(ClassAd cycle) {
            if (!cycle.has("arrivals")) {
                return;
            }
            ClassAd arrivals = record(cycle, "arrivals");
            for (String name : queues.keySet()) {
                if (arrivals.has(name)) {
                    for (Value value : values(arrivals.evaluate(name))) {
                        List<Value> batch = values(value);
                        queues.get(name)
                                .add(new Batch(
                                        new int[] {(int) number(batch.get(0))},
                                        (int) number(batch.get(1)),
                                        batch.size() > 2 ? numbers(ad(batch.get(2))) : Map.of()));
                    }
                }
            }
        }

        private Map<String, Double> actual() {
            var actual = new LinkedHashMap<String, Double>();
            queues.keySet().forEach(name -> actual.put(name, 0.0));
            weights.forEach((slot, weight) -> {
                Run run = runs.get(slot);
                if (run != null) {
                    actual.merge(run.owner(), weight, Double::sum);
                }
            });
            return actual;
        }

        private Map<String, Map<String, Double>> figures(FairShare share) {
            Map<String, Map<String, Double>> figures = new HashMap<>();
            for (String figure : List.of("rup", "eup", "recorded", "idle")) {
                figures.put(figure, new HashMap<>());
            }
            for (String name : queues.keySet()) {
                SubmitterStanding standing = accountant.standing(name);
                figures.get("rup").put(name, standing.usage());
                figures.get("eup").put(name, standing.priority());
                figures.get("recorded").put(name, standing.inUse());
                figures.get("idle").put(name, (double) waiting(name));
            }
            figures.put("in_use", actual());
            figures.put("share", share.shares());
            figures.put("limit", share.limits());
            return figures;
        }

        @Override
        public double weight() {
            return weights.values().stream().mapToDouble(w -> w).sum();
        }

        @Override
        public double leastWeight() {
            return weights.values().stream().mapToDouble(w -> w).min().orElse(0);
        }

        @Override
        public boolean isEmpty() {
            return slots.isEmpty();
        }

        @Override
        public int waiting(String submitter) {
            return queues.get(submitter).stream()
                    .mapToInt(batch -> batch.left()[0])
                    .sum();
        }

        @Override
        public SubmitterTurn turn(String submitter) {
            return new SubmitterTurn() {
                private int at;

                @Override
                public Optional<MatchedSlot> next(Admission admission) {
                    for (; ; at++) {
                        var queue = new ArrayList<>(queues.get(submitter));
                        if (at >= queue.size()) {
                            return Optional.empty();
                        }
                        Batch batch = queue.get(at);
                        boolean isLimited = batch.limits().entrySet().stream()
                                .anyMatch(limit -> counts.getOrDefault(limit.getKey(), 0.0) + limit.getValue()
                                        > limits.getOrDefault(limit.getKey(), Double.POSITIVE_INFINITY) + 1e-9);
                        if (batch.left()[0] <= 0 || isLimited) {
                            continue;
                        }
                        Optional<String> slot = best(submitter, admission);
                        if (slot.isPresent()) {
                            return Optional.of(sell(submitter, batch, slot.get()));
                        }
                    }
                }
            };
        }

        private Optional<String> best(String submitter, Admission admission) {
            String best = null;
            double[] bestKey = {};
            for (String slot : slots) {
                Run run = runs.get(slot);
                double weight = weights.get(slot);
                double priority = 0;
                if (run != null) {
                    priority = accountant.standing(run.owner()).priority();
                    double own = accountant.standing(submitter).priority();
                    if (run.owner().equals(submitter)
                            || Double.isNaN(preemptFactor)
                            || priority <= own * preemptFactor) {
                        continue;
                    }
                }
                if (!admission.admits(weight, run == null ? Kind.IDLE : Kind.PRIORITY_PREEMPTION)) {
                    continue;
                }
                double[] key = {
                    (run == null ? 1e6 : 0) - 1e5 * weight,
                    run == null ? 1 : 0,
                    run == null ? 0 : priority * 1e6 - run.seconds()[0]
                };
                if (best == null || java.util.Arrays.compare(key, bestKey) > 0) {
                    best = slot;
                    bestKey = key;
                }
            }
            return Optional.ofNullable(best);
        }

        private MatchedSlot sell(String submitter, Batch batch, String slot) {
            Run old = runs.get(slot);
            batch.left()[0]--;
            if (old != null) {
                queues.get(old.owner()).add(new Batch(new int[] {1}, old.duration(), old.limits()));
            }
            runs.put(
                    slot,
                    new Run(submitter, new int[] {batch.duration()}, batch.duration(), batch.limits(), new double[] {0
                    }));
            slots.remove(slot);
            batch.limits().forEach((name, n) -> counts.merge(name, n, Double::sum));
            return new MatchedSlot(
                    weights.get(slot),
                    old == null ? Kind.IDLE : Kind.PRIORITY_PREEMPTION,
                    Optional.ofNullable(old).map(Run::owner));
        }
    }

    static SharePolicy policy(ClassAd config) {
        var groups = new ArrayList<SharePolicy.Group>();
        for (Value value : config.has("groups") ? list(config, "groups") : List.<Value>of()) {
            ClassAd group = ad(value);
            groups.add(new SharePolicy.Group(
                    text(group, "name"),
                    number(group, "quota", number(group, "dynamic", 0)),
                    group.has("quota"),
                    flag(group, "accept_surplus", false),
                    flag(group, "autoregroup", false)));
        }
        return new SharePolicy(
                flag(config, "preemption", true),
                !config.has("release") || text(config, "release").equals("at_once"),
                flag(config, "ignore_priorities", false),
                flag(config, "oversubscribe", true),
                flag(config, "strict", true),
                (int) number(config, "rounds", 3),
                groups);
    }

    static Accountant accountant(ClassAd scenario, SettableClock clock) {
        ClassAd config = record(scenario, "config");
        var accountant = new Accountant(
                Duration.ofMillis((long) (1000 * number(config, "half_life", 86400))), clock, new NothingKept());
        for (Value value : list(scenario, "submitters")) {
            ClassAd submitter = ad(value);
            String name = text(submitter, "name");
            accountant.setUsage(name, number(submitter, "rup", 0.5));
            accountant.setFactor(name, number(submitter, "factor", 1000));
            accountant.setCeiling(name, (long) number(submitter, "ceiling", -1));
            accountant.setFloor(name, (long) number(submitter, "floor", 0));
        }
        return accountant;
    }

    static List<Value> values(Value value) {
        var list = (Value.ListOf) value;
        return list.elements().stream()
                .map(element -> element.evaluate(list.scope()))
                .toList();
    }

    static ClassAd ad(Value value) {
        return ((Value.Record) value).ad();
    }

    static ClassAd record(ClassAd ad, String name) {
        return ad(ad.evaluate(name));
    }

    static List<Value> list(ClassAd ad, String name) {
        return values(ad.evaluate(name));
    }

    static String text(ClassAd ad, String name) {
        return ((Value.Text) ad.evaluate(name)).text();
    }

    static double number(ClassAd ad, String name, double otherwise) {
        return ad.has(name) ? number(ad.evaluate(name)) : otherwise;
    }

    static double number(Value value) {
        return value instanceof Value.Int whole ? whole.value() : ((Value.Real) value).value();
    }

    static boolean flag(ClassAd ad, String name, boolean otherwise) {
        return ad.has(name) ? ad.evaluate(name) instanceof Value.Bool flag && flag.value() : otherwise;
    }

    static Map<String, Double> numbers(ClassAd ad) {
        var numbers = new LinkedHashMap<String, Double>();
        ad.names().forEach(name -> numbers.put(name, number(ad.evaluate(name))));
        return numbers;
    }
}
