package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.metasched.adapter.SettableClock;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.classad.cycle.Accountant;
import org.metasched.classad.cycle.MatchmakingCycle;
import org.metasched.classad.cycle.NothingKept;
import org.metasched.classad.cycle.PoolRules;
import org.metasched.classad.cycle.SharePolicy;
import org.metasched.it.live.NegotiatorLog.Cycle;
import org.metasched.it.live.NegotiatorLog.Turn;
import org.metasched.leases.LeaseSamples;

/**
 * Fair share beside a real negotiator: three submitters of different priority factors keep a pool of eight slots busy with short jobs.
 * Our accountant begins with the negotiator's priorities and runs on by itself; each cycle shares the slots that the negotiator found free.
 */
@ResourceLock("htcondor")
@Execution(ExecutionMode.CONCURRENT)
class LiveHtcondorShareIT {

    private static final int SLOTS = 8;
    private static final int CYCLES = 30;
    private static final Duration HALF_LIFE = Duration.ofSeconds(60);
    private static final Map<String, Integer> FACTORS = Map.of("ann", 1000, "bob", 2000, "cyn", 4000);

    private final HtcondorPool pool;
    private final SettableClock clock = new SettableClock(Instant.EPOCH);
    private final Accountant accountant = new Accountant(HALF_LIFE, clock, new NothingKept());
    private final Map<String, Turn> begun = new HashMap<>();

    LiveHtcondorShareIT() throws IOException {
        pool = new HtcondorPool();
    }

    @AfterEach
    void anEmptyQueue() throws Exception {
        pool.command("condor_rm", "-all");
    }

    @LiveTest
    void sharesOfEachCycleAreThoseOfTheNegotiator() throws Exception {
        var log = new NegotiatorLog(pool.log("NegotiatorLog"));
        for (String submitter : List.of("ann", "bob", "cyn")) {
            String set = pool.command(
                    "condor_userprio",
                    "-setfactor",
                    submitter + "@live.pool",
                    FACTORS.get(submitter).toString());
            assertThat(set).contains("was set to");
            submit(submitter, 250);
        }
        Awaitility.await()
                .atMost(Duration.ofMinutes(6))
                .pollInterval(Duration.ofSeconds(5))
                .until(() -> full(log).size() >= CYCLES);

        List<Cycle> cycles = full(log).subList(0, CYCLES);
        var apart = new ArrayList<String>();
        Map<String, Integer> theirs = new HashMap<>();
        Map<String, Integer> ours = new HashMap<>();
        int equal = 0;
        double farthest = 0;
        for (Cycle cycle : cycles) {
            Map<String, Integer> matches = ours(cycle);
            farthest = Math.max(farthest, priorityApart(cycle));
            for (String submitter : cycle.turns().keySet()) {
                int difference =
                        matches.getOrDefault(submitter, 0) - cycle.matches().getOrDefault(submitter, 0);
                equal += difference == 0 ? 1 : 0;
                if (Math.abs(difference) > 1) {
                    apart.add(cycle + ": ours " + matches);
                }
            }
            cycle.matches().forEach((name, count) -> theirs.merge(name, count, Integer::sum));
            matches.forEach((name, count) -> ours.merge(name, count, Integer::sum));
        }
        System.out.println(cycles.size() + " cycles of HTCondor's negotiator: it matched " + theirs + ", we " + ours
                + "; " + equal + " of " + 3 * CYCLES + " turns equal, priorities at most " + farthest + " apart");
        assertThat(apart).isEmpty();
        assertThat(equal).isGreaterThan(3 * CYCLES * 3 / 4);
        assertThat(theirs.values().stream().mapToInt(Integer::intValue).sum()).isGreaterThan(2 * CYCLES);
        assertThat(farthest).isLessThan(0.05);
    }

    /** Cycles in which all three wait for slots. */
    private static List<Cycle> full(NegotiatorLog log) throws IOException {
        return log.cycles().stream()
                .filter(cycle ->
                        cycle.turns().keySet().containsAll(List.of("ann@live.pool", "bob@live.pool", "cyn@live.pool")))
                .toList();
    }

    private void submit(String submitter, int jobs) throws Exception {
        Path file = Files.writeString(pool.folder().resolve(submitter + ".sub"), """
                executable = /bin/sleep
                transfer_executable = false
                arguments = $RANDOM_INTEGER(3,9)
                request_memory = 1
                request_disk = 1
                accounting_group_user = %s
                queue %d
                """.formatted(submitter, jobs));
        pool.handOver();
        assertThat(pool.command("condor_submit", file.toString())).contains("submitted to cluster");
    }

    /** Our cycle with the negotiator's free slots and uses; matches of each submitter. */
    private Map<String, Integer> ours(Cycle cycle) throws ClassAdSyntaxException {
        clock.advanceTo(cycle.counted());
        var collector = new InMemoryCollector(clock);
        int slot = 0;
        for (var turn : cycle.turns().entrySet()) {
            begin(turn.getKey(), turn.getValue());
            for (int i = 0; i < Math.round(turn.getValue().usage()); i++) {
                collector.advertise(slot(
                        slot++,
                        "Requirements=true; State=\"Claimed\"; RemoteUser=\"" + turn.getKey() + "\"; CurrentRank=0"));
            }
            collector.advertise(ClassAd.parse("[MyType=\"Job\"; Name=\"" + turn.getKey() + "\"; User=\"" + turn.getKey()
                    + "\"; Count=100; Requirements=true]"));
        }
        while (slot < SLOTS) {
            collector.advertise(slot(slot++, "Requirements=true"));
        }
        while (slot < cycle.weight()) {
            collector.advertise(slot(slot++, "Requirements=false"));
        }
        var report = new MatchmakingCycle(
                        SharePolicy.DEFAULT,
                        PoolRules.DEFAULT,
                        accountant,
                        LeaseSamples.uncounted(),
                        introduction -> {},
                        clock)
                .run(collector);
        return new LinkedHashMap<>(report.matchesBySubmitter());
    }

    private static ClassAd slot(int number, String facts) throws ClassAdSyntaxException {
        return ClassAd.parse(
                "[MyType=\"Machine\"; Name=\"slot" + number + "\"; Rank=0.0; SlotWeight=1; " + facts + "]");
    }

    private void begin(String submitter, Turn turn) {
        if (begun.putIfAbsent(submitter, turn) == null) {
            accountant.setFactor(submitter, turn.factor());
            accountant.setUsage(submitter, turn.priority() / turn.factor());
        }
    }

    /** How far our priorities are from the negotiator's, as a part of them, at most. */
    private double priorityApart(Cycle cycle) {
        return cycle.turns().entrySet().stream()
                .mapToDouble(turn -> Math.abs(accountant.standing(turn.getKey()).priority()
                                / turn.getValue().priority()
                        - 1))
                .max()
                .orElse(0);
    }
}
