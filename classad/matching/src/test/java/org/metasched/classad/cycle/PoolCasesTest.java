package org.metasched.classad.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.SettableClock;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.Advertisement;
import org.metasched.leases.LeaseSamples;

/**
 * The cases of {@link FairShareCasesTest} through whole cycles over ads of machines and jobs, as a server has them: slots, queues,
 * limits of concurrency and pre-emption are ours too, and only time is played.
 */
class PoolCasesTest {

    @Test
    void cyclesOverAdsGivePrioritiesUsesAndQueuesAsExpected() throws Exception {
        var wrong = new ArrayList<String>();
        int cases = 0;
        int cycles = 0;
        for (String line : FairShareCasesTest.cases()) {
            cases++;
            ClassAd one = ClassAd.parse(line, FairShareCasesTest.JSON);
            ClassAd scenario = FairShareCasesTest.record(one, "scenario");
            List<Value> expected = FairShareCasesTest.list(one, "expect");
            var pool = new AdsPool(scenario);
            int turn = 0;
            for (Value cycle : FairShareCasesTest.list(scenario, "cycles")) {
                String difference = FairShareCasesTest.difference(
                        pool.cycle(FairShareCasesTest.ad(cycle)), FairShareCasesTest.ad(expected.get(turn)));
                if (!difference.isEmpty()) {
                    wrong.add(FairShareCasesTest.text(one, "id") + ": cycle " + turn + " " + difference);
                    break;
                }
                turn++;
                cycles++;
                if (pool.wasEvicted) {
                    // The model lets a job that is evicted find another slot in the same cycle; ours waits for the
                    // next.
                    break;
                }
            }
        }
        System.out.println(cases + " cases of fair share over ads, " + cycles + " cycles, " + wrong.size() + " wrong");
        assertThat(wrong).isEmpty();
        assertThat(cases).isPositive();
    }

    private static final class AdsPool {
        private final SettableClock clock = SettableClock.at("2026-01-05T08:00:00Z");
        private final Map<String, Double> weights = new LinkedHashMap<>();
        private final Map<String, List<Batch>> queues = new LinkedHashMap<>();
        private final Map<String, Run> runs = new LinkedHashMap<>();
        private final List<Introduction> introduced = new ArrayList<>();
        private final Accountant accountant;
        private final MatchmakingCycle cycle;
        private boolean wasEvicted;

        private record Batch(int[] left, int duration, String limits) {}

        private record Run(String owner, int[] left, int duration, String limits, double[] seconds) {}

        private AdsPool(ClassAd scenario) throws Exception {
            ClassAd config = FairShareCasesTest.record(scenario, "config");
            boolean weighs = FairShareCasesTest.flag(config, "weights", true);
            for (Value slot : FairShareCasesTest.list(scenario, "slots")) {
                ClassAd ad = FairShareCasesTest.ad(slot);
                weights.put(
                        FairShareCasesTest.text(ad, "name"), weighs ? FairShareCasesTest.number(ad, "weight", 1) : 1);
            }
            for (Value value : FairShareCasesTest.list(scenario, "submitters")) {
                queues.put(FairShareCasesTest.text(FairShareCasesTest.ad(value), "name"), new ArrayList<>());
            }
            accountant = FairShareCasesTest.accountant(scenario, clock);
            boolean isNever = config.evaluate("preempt_factor") instanceof Value.Undefined;
            var rules = new PoolRules(
                    isNever
                            ? Optional.empty()
                            : Optional.of(Expr.parse("RemoteUserPrio > SubmitterUserPrio * "
                                    + FairShareCasesTest.number(config, "preempt_factor", 1))),
                    Optional.empty(),
                    config.has("limits")
                            ? FairShareCasesTest.numbers(FairShareCasesTest.record(config, "limits"))
                            : Map.of());
            cycle = new MatchmakingCycle(
                    FairShareCasesTest.policy(config),
                    rules,
                    accountant,
                    LeaseSamples.uncounted(),
                    introduced::add,
                    clock);
        }

        private Map<String, Map<String, Double>> cycle(ClassAd given) throws Exception {
            double seconds = FairShareCasesTest.number(given, "dt", 0);
            clock.advance(java.time.Duration.ofMillis((long) (1000 * seconds)));
            runs.values().forEach(run -> {
                run.left()[0]--;
                run.seconds()[0] += seconds;
            });
            runs.values().removeIf(run -> run.left()[0] <= 0);
            if (given.has("arrivals")) {
                arrive(FairShareCasesTest.record(given, "arrivals"));
            }
            var requests = new ArrayList<JobRequest>();
            for (var queue : queues.entrySet()) {
                for (int i = 0; i < queue.getValue().size(); i++) {
                    request(queue.getKey(), i, queue.getValue().get(i)).ifPresent(requests::add);
                }
            }
            var offers = new ArrayList<Advertisement>();
            for (String slot : weights.keySet()) {
                offers.add(offer(slot));
            }
            introduced.clear();
            wasEvicted = false;
            cycle.run(requests, offers);
            introduced.forEach(this::start);
            return figures();
        }

        private void arrive(ClassAd arrivals) {
            for (var queue : queues.entrySet()) {
                if (arrivals.has(queue.getKey())) {
                    for (Value value : FairShareCasesTest.values(arrivals.evaluate(queue.getKey()))) {
                        List<Value> batch = FairShareCasesTest.values(value);
                        Map<String, Double> limits = batch.size() > 2
                                ? FairShareCasesTest.numbers(FairShareCasesTest.ad(batch.get(2)))
                                : Map.of();
                        queue.getValue()
                                .add(new Batch(
                                        new int[] {(int) FairShareCasesTest.number(batch.get(0))},
                                        (int) FairShareCasesTest.number(batch.get(1)),
                                        limits.entrySet().stream()
                                                .map(limit -> limit.getKey() + ":" + limit.getValue())
                                                .collect(Collectors.joining(", "))));
                    }
                }
            }
        }

        private static Optional<JobRequest> request(String owner, int number, Batch batch) throws Exception {
            ClassAd ad = ClassAd.parse("[MyType=\"Job\"; Requirements=true; Rank=-1*TARGET.SlotWeight]")
                    .with("Name", owner + "#" + number)
                    .with("ConcurrencyLimits", batch.limits());
            return batch.left()[0] == 0
                    ? Optional.empty()
                    : Optional.of(new JobRequest(owner, ad, "", batch.left()[0], 0));
        }

        private Advertisement offer(String slot) throws Exception {
            ClassAd ad = ClassAd.parse("[MyType=\"Machine\"; Requirements=true; Rank=0]")
                    .with("Name", slot)
                    .with("SlotWeight", weights.get(slot));
            Run run = runs.get(slot);
            if (run != null) {
                ad = ad.with("State", "Claimed")
                        .with("RemoteUser", run.owner())
                        .with("CurrentRank", 0L)
                        .with("ConcurrencyLimits", run.limits())
                        .with("TotalJobRuntime", run.seconds()[0]);
            }
            return new Advertisement(
                    new AdKey("Machine", slot), ad, ClassAd.EMPTY, OptionalLong.empty(), Instant.EPOCH, Instant.MAX);
        }

        private void start(Introduction introduction) {
            String name = ((Value.Text) introduction.customer().evaluate("Name")).text();
            String slot = ((Value.Text) introduction.offer().evaluate("Name")).text();
            int at = name.lastIndexOf('#');
            String owner = name.substring(0, at);
            Batch batch = queues.get(owner).get(Integer.parseInt(name.substring(at + 1)));
            batch.left()[0]--;
            Run old = runs.put(
                    slot,
                    new Run(owner, new int[] {batch.duration()}, batch.duration(), batch.limits(), new double[] {0}));
            if (old != null) {
                wasEvicted = true;
                queues.get(old.owner()).add(new Batch(new int[] {1}, old.duration(), old.limits()));
            }
        }

        private Map<String, Map<String, Double>> figures() {
            Map<String, Map<String, Double>> figures = new HashMap<>();
            for (String figure : List.of("rup", "eup", "recorded", "in_use", "idle")) {
                figures.put(figure, new HashMap<>());
            }
            for (String name : queues.keySet()) {
                SubmitterStanding standing = accountant.standing(name);
                figures.get("rup").put(name, standing.usage());
                figures.get("eup").put(name, standing.priority());
                figures.get("recorded").put(name, standing.inUse());
                figures.get("in_use").put(name, 0.0);
                double idle = queues.get(name).stream()
                        .mapToInt(batch -> batch.left()[0])
                        .sum();
                figures.get("idle").put(name, idle);
            }
            runs.forEach((slot, run) -> figures.get("in_use").merge(run.owner(), weights.get(slot), Double::sum));
            return figures;
        }
    }
}
