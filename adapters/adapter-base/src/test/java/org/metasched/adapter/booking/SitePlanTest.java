package org.metasched.adapter.booking;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.Need;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.booking.SitePlan.Rules;
import org.metasched.adapter.booking.SitePlan.Share;
import org.metasched.adapter.command.SiteClock;
import org.metasched.slots.ComputeNode;

class SitePlanTest {

    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");
    private static final SiteClock UTC = new SiteClock(ZoneOffset.UTC);
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    void aReservationMayStartWhenTheJobsGapHasPassed() {
        var plan = plan(new Rules(Duration.ofSeconds(61), Duration.ZERO, Duration.ZERO, true), "n0")
                .job(Share.whole(List.of("n0")), NOW.plus(HOUR))
                .build();

        assertThat(plan.earliestStart(new Need.Nodes(1), HOUR, NOW)).contains(NOW.plusSeconds(3661));
    }

    @Test
    void aPlanStaysAsItWasBuilt() {
        var builder = plan(Rules.PLAIN, "n0", "n1").job(Share.whole(List.of("n0")), NOW.plus(HOUR));
        var plan = builder.build();

        builder.job(Share.whole(List.of("n0")), NOW.plus(HOUR.multipliedBy(2)));

        assertThat(plan.earliestStart(new Need.Nodes(2), HOUR, NOW)).contains(NOW.plus(HOUR));
    }

    @Test
    void theGapBetweenReservationsCountsOnBothSides() {
        var plan = plan(new Rules(Duration.ZERO, Duration.ofSeconds(61), Duration.ZERO, true), "n0")
                .reservation(List.of(new Share("n0", 1)), new TimeSlot(NOW.plus(HOUR), NOW.plus(HOUR.multipliedBy(2))))
                .build();

        assertThat(plan.earliestStart(new Need.Nodes(1), HOUR.minusSeconds(61), NOW))
                .contains(NOW);
        assertThat(plan.earliestStart(new Need.Nodes(1), HOUR.minusSeconds(60), NOW))
                .contains(NOW.plusSeconds(7261));
    }

    @Test
    void coresLeftOnANodeAreUsedUnlessWholeNodesAreReserved() {
        var slot = new TimeSlot(NOW, NOW.plus(HOUR));
        var shared = plan(new Rules(Duration.ZERO, Duration.ZERO, Duration.ZERO, false), "n0")
                .reservation(List.of(new Share("n0", 2)), slot)
                .build();
        var whole = plan(Rules.PLAIN, "n0")
                .reservation(List.of(new Share("n0", 2)), slot)
                .build();

        assertThat(shared.earliestStart(cores(2), HOUR, NOW)).contains(NOW);
        assertThat(shared.earliestStart(cores(3), HOUR, NOW)).contains(NOW.plus(HOUR));
        assertThat(whole.earliestStart(cores(1), HOUR, NOW)).contains(NOW.plus(HOUR));
    }

    /** Of a host with two virtual nodes of four cores each, one is busy in the first hour and the other in the second. */
    @Test
    void coresThatPartsOfANodeHaveInTurnsDoNotAddUp() {
        var plan = SitePlan.builder(
                        new PreviewWindow(Duration.ofDays(7)),
                        new Rules(Duration.ZERO, Duration.ZERO, Duration.ZERO, false),
                        UTC,
                        NOW)
                .node(new ComputeNode("h", 8, Set.of()), Map.of("h[0]", 4, "h[1]", 4))
                .reservation(List.of(new Share("h[0]", 4)), TimeSlot.of(NOW, HOUR))
                .reservation(List.of(new Share("h[1]", 4)), TimeSlot.of(NOW.plus(HOUR), HOUR))
                .build();
        Instant second = NOW.plus(HOUR);

        assertThat(plan.earliestStart(cores(4), HOUR, NOW)).contains(NOW);
        assertThat(plan.earliestStart(cores(4), HOUR.plusSeconds(1), NOW)).contains(second);
        assertThat(plan.earliestStart(cores(8), HOUR, NOW)).contains(second.plus(HOUR));
        assertThat(plan.freeWindows(cores(4), HOUR, NOW, second).starts())
                .containsExactly(new StartInterval(NOW, NOW), new StartInterval(second, second));
        assertThat(plan.freeNodes(cores(4), TimeSlot.of(NOW, HOUR))).containsExactly("h");
        assertThat(plan.freeNodes(cores(4), TimeSlot.of(NOW.plusSeconds(1), HOUR)))
                .isEmpty();
        assertThat(plan.freeNodes()).isZero();
    }

    /** As of a reservation and of an odd record that names the same virtual node. */
    @Test
    void aPartThatIsTakenTwiceAsAWholeIsNotFree() {
        var plan = SitePlan.builder(new PreviewWindow(Duration.ofDays(7)), Rules.PLAIN, UTC, NOW)
                .node(new ComputeNode("h", 8, Set.of()), Map.of("h[0]", 4, "h[1]", 4))
                .reservation(Share.whole(List.of("h[0]")), TimeSlot.of(NOW, HOUR))
                .reservation(Share.whole(List.of("h[0]")), TimeSlot.of(NOW, HOUR))
                .build();

        assertThat(plan.earliestStart(cores(8), HOUR, NOW)).contains(NOW.plus(HOUR));
    }

    @Test
    void aJobWithoutAnEndBlocksItsNodesForGood() {
        var plan = plan(Rules.PLAIN, "n0")
                .job(Share.whole(List.of("n0")), Instant.MAX)
                .build();

        assertThat(plan.earliestStart(new Need.Nodes(1), HOUR, NOW)).isEmpty();
        assertThat(plan.freeNodes()).isZero();
    }

    @Test
    void theLookAheadBoundsTheStart() {
        var plan = plan(Rules.PLAIN, "n0").build();
        Instant last = NOW.plus(Duration.ofDays(7));

        assertThat(plan.earliestStart(new Need.Nodes(1), HOUR, last)).contains(last);
        assertThat(plan.earliestStart(new Need.Nodes(1), HOUR, last.plusSeconds(1)))
                .isEmpty();
        assertThat(plan.earliestStart(new Need.Nodes(2), HOUR, NOW)).isEmpty();
    }

    @Test
    void aRangeOfOneStartHasAWindowIfThatStartIsFree() {
        var plan = plan(Rules.PLAIN, "n0")
                .job(Share.whole(List.of("n0")), NOW.plusSeconds(60))
                .build();
        Instant free = NOW.plusSeconds(60);
        Instant taken = NOW.plusSeconds(59);

        assertThat(plan.freeWindows(new Need.Nodes(1), HOUR, free, free).starts())
                .containsExactly(new StartInterval(free, free));
        assertThat(plan.freeWindows(new Need.Nodes(1), HOUR, taken, taken).starts())
                .isEmpty();
        assertThat(plan.freeWindows(new Need.Nodes(1), HOUR, free, taken).starts())
                .isEmpty();
    }

    @Test
    void aStartOffTheGridIsAnsweredAsItIsWhenItsWholeMinutesFit() {
        var minute = new PreviewWindow(Duration.ofDays(7), Duration.ofMinutes(1));
        var plan = SitePlan.builder(minute, Rules.PLAIN, UTC, NOW)
                .node(new ComputeNode("n0", 4, Set.of()))
                .job(Share.whole(List.of("n0")), NOW.plusSeconds(90))
                .build();

        assertThat(plan.earliestStart(new Need.Nodes(1), HOUR, NOW)).contains(NOW.plusSeconds(120));
        assertThat(plan.earliestStart(new Need.Nodes(1), HOUR, NOW.plusSeconds(133)))
                .contains(NOW.plusSeconds(133));
    }

    @Test
    void startsInTheHourThatComesTwiceAreCutOut() {
        var berlin = new SiteClock(ZoneId.of("Europe/Berlin"));
        Instant midnight = Instant.parse("2026-10-24T22:00:00Z");
        var plan = SitePlan.builder(new PreviewWindow(Duration.ofDays(1)), Rules.PLAIN, berlin, midnight)
                .node(new ComputeNode("n0", 4, Set.of()))
                .build();
        Instant twice = Instant.parse("2026-10-25T01:00:00Z");

        var windows = plan.freeWindows(new Need.Nodes(1), HOUR, midnight, midnight.plus(Duration.ofHours(12)));

        assertThat(windows.starts()).hasSize(2);
        assertThat(windows.starts().get(0).latest()).isEqualTo(twice.minusNanos(1));
        assertThat(windows.starts().get(1).earliest()).isEqualTo(twice.plus(HOUR));
        assertThat(plan.freeWindows(new Need.Nodes(1), HOUR, midnight, twice).starts())
                .containsExactly(new StartInterval(midnight, twice.minusNanos(1)));
        assertThat(plan.earliestStart(new Need.Nodes(1), HOUR, twice.plusSeconds(5)))
                .contains(twice.plus(HOUR));
    }

    @Test
    void theVersionChangesWithThePlanOnly() {
        Instant later = NOW.plus(HOUR);
        var one = plan(Rules.PLAIN, "n0").build().freeWindows(new Need.Nodes(1), HOUR, NOW, later);
        var same = plan(Rules.PLAIN, "n0").build().freeWindows(new Need.Nodes(1), HOUR, NOW, later);
        var other = plan(Rules.PLAIN, "n0")
                .job(Share.whole(List.of("n0")), NOW.plusSeconds(1))
                .build()
                .freeWindows(new Need.Nodes(1), HOUR, NOW, later);

        assertThat(same.version()).isEqualTo(one.version());
        assertThat(other.version()).isNotEqualTo(one.version());
    }

    @Test
    void agreesWithTryingEverySecond() {
        long seed = Long.getLong("metasched.seed", 20261121L);
        var random = new Random(seed);
        for (int round = 0; round < 150; round++) {
            var rules = new Rules(
                    Duration.ofSeconds(random.nextInt(3)),
                    Duration.ofSeconds(random.nextInt(3)),
                    Duration.ofSeconds(random.nextInt(4)),
                    random.nextBoolean());
            var window = new PreviewWindow(Duration.ofSeconds(60), Duration.ofSeconds(1 + random.nextInt(3)));
            var naive = new TryEverySecond(rules, window);
            var builder = SitePlan.builder(window, rules, UTC, NOW);
            for (int n = 0; n < 3; n++) {
                naive.cores[n] = 1 + random.nextInt(4);
                builder.node(new ComputeNode("n" + n, naive.cores[n], Set.of()));
            }
            for (int i = 0; i < 6; i++) {
                naive.take(builder, random);
            }
            var plan = builder.build();
            var need = new Need.Nodes(1 + random.nextInt(3), 1 + random.nextInt(3), new TreeSet<>());
            Duration length = Duration.ofSeconds(1 + random.nextInt(9));

            var windows = plan.freeWindows(need, length, NOW, NOW.plusSeconds(80));
            for (int s = 0; s < 70; s++) {
                Instant from = NOW.plusSeconds(s);
                Optional<Instant> expected = naive.earliest(need, length, s);
                assertThat(plan.earliestStart(need, length, from))
                        .as("round %d second %d seed %d", round, s, seed)
                        .isEqualTo(expected);
                assertThat(windows.firstFrom(from))
                        .as("windows, round %d second %d seed %d", round, s, seed)
                        .isEqualTo(expected);
            }
        }
    }

    /** The rules once more, read off their sentences, a second at a time. */
    private static final class TryEverySecond {
        private record Use(String node, int cores, long from, long to, boolean job) {}

        private final Rules rules;
        private final PreviewWindow window;
        private final List<Use> uses = new ArrayList<>();
        private final int[] cores = new int[3];

        TryEverySecond(Rules rules, PreviewWindow window) {
            this.rules = rules;
            this.window = window;
        }

        void take(SitePlan.Builder builder, Random random) {
            String node = "n" + random.nextInt(3);
            int cores = 1 + random.nextInt(3);
            long from = random.nextInt(60);
            long to = from + 1 + random.nextInt(12);
            boolean job = random.nextInt(3) == 0;
            uses.add(new Use(node, cores, from, to, job));
            if (job) {
                builder.job(List.of(new Share(node, cores)), NOW.plusSeconds(to));
            } else {
                builder.reservation(
                        List.of(new Share(node, cores)), new TimeSlot(NOW.plusSeconds(from), NOW.plusSeconds(to)));
            }
        }

        Optional<Instant> earliest(Need.Nodes need, Duration length, int from) {
            for (int s = from; s <= window.lookAhead().toSeconds(); s++) {
                if (fits(need, length.toSeconds(), s)) {
                    return Optional.of(NOW.plusSeconds(s));
                }
            }
            return Optional.empty();
        }

        private boolean fits(Need.Nodes need, long length, int start) {
            long grid = window.grid().toSeconds();
            long zero = NOW.getEpochSecond();
            long from = Math.floorDiv(zero + start, grid) * grid - zero;
            long to = -Math.floorDiv(-(zero + start + length), grid) * grid - zero;
            if (from < rules.lead().toSeconds()) {
                return false;
            }
            int nodes = 0;
            for (int n = 0; n < 3; n++) {
                nodes += free(need, n, from, to) ? 1 : 0;
            }
            return nodes >= need.count();
        }

        private boolean free(Need.Nodes need, int node, long from, long to) {
            if (cores[node] < need.coresPerNode()) {
                return false;
            }
            for (long t = from; t < to; t++) {
                int used = 0;
                for (Use use : uses) {
                    long gap = (use.job() ? rules.afterJob() : rules.betweenReservations()).toSeconds();
                    boolean begun = use.job() || t >= use.from() - gap;
                    used += use.node().equals("n" + node) && begun && t < use.to() + gap ? use.cores() : 0;
                }
                if (used > (rules.wholeNodes() ? 0 : cores[node] - need.coresPerNode())) {
                    return false;
                }
            }
            return true;
        }
    }

    private static Need.Nodes cores(int perNode) {
        return new Need.Nodes(1, perNode, new TreeSet<>());
    }

    private static SitePlan.Builder plan(Rules rules, String... nodes) {
        var builder = SitePlan.builder(new PreviewWindow(Duration.ofDays(7)), rules, UTC, NOW);
        for (String node : nodes) {
            builder.node(new ComputeNode(node, 4, Set.of()));
        }
        return builder;
    }
}
