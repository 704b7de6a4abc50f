package org.metasched.bench;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.AvailabilityProfile;
import org.metasched.slots.ComputeNode;
import org.metasched.slots.CountProfile;
import org.metasched.slots.NodeProfile;

/**
 * How fast the availability profiles are. Prints one JSON object.
 *
 * <p>{@code -Dmetasched.bench.reservations=N} (1,000,000) how many are made while filling; the first rounds warm up.
 */
public final class ProfileBench {

    private static final Instant T0 = Instant.parse("2026-01-05T08:00:00Z");
    private static final int MACHINE = 1024;
    private static final int QUESTIONS = 20_000;
    /** Fillings of which the median and the best are printed; on a shared machine they differ widely. */
    private static final int ROUNDS = 5;

    private ProfileBench() {}

    public static void main(String[] arguments) {
        int reservations = Integer.getInteger("metasched.bench.reservations", 1_000_000);
        fill(Math.min(reservations, 200_000), 1);
        queue(20_000, 1);

        var figures = new TreeMap<String, Object>();
        var tenThousand = fill(10_000, 2);
        figures.put("reservationsPerSecondAt10k", tenThousand.perSecond());
        var rounds = LongStream.range(0, ROUNDS)
                .map(round -> fill(reservations, 2).perSecond())
                .sorted()
                .toArray();
        var filled = fill(reservations, 2);
        figures.put("reservations", reservations);
        figures.put("reservationsPerSecond", rounds[ROUNDS / 2]);
        figures.put("reservationsPerSecondBest", rounds[ROUNDS - 1]);
        figures.put("reservationsPerCpuSecond", filled.perCpuSecond());
        var horizon = horizonOf(reservations);
        figures.put("earliestFitSmallMicros", question(filled.profile(), 16, horizon));
        figures.put("earliestFitHalfMachineMicros", question(filled.profile(), MACHINE / 2, horizon));
        figures.put("takeAndGiveBackMicros", change(filled.profile(), horizon));
        var queued = queue(100_000, 2);
        figures.put("queued", 100_000);
        figures.put("fromNowSmallMicros", question(queued, 16, Duration.ofSeconds(1)));
        figures.put("fromNowOddMicros", question(queued, 23, Duration.ofSeconds(1)));
        figures.put("fromNowHalfMachineMicros", question(queued, MACHINE / 2, Duration.ofSeconds(1)));
        figures.put("nodesAmong50SegmentsMicros", nodes());
        figures.put("nodeProfile", nodeProfile(Math.min(reservations, 100_000)));
        System.out.println(json(figures));
    }

    /** @param perCpuSecond by the time this thread was running, which others on the machine do not lengthen */
    private record Filled(CountProfile profile, long perSecond, long perCpuSecond) {}

    /** 30 node-hours each on average: seven tenths of the machine are taken in the end. */
    private static Duration horizonOf(int reservations) {
        return Duration.ofSeconds((long) (reservations * 16.5 * 5400 / (0.7 * MACHINE)));
    }

    /** Each reservation asks for the earliest start after a random instant and takes it. */
    private static Filled fill(int reservations, long seed) {
        var random = new Random(seed);
        var profile = new CountProfile(MACHINE);
        var horizon = horizonOf(reservations);
        var threads = ManagementFactory.getThreadMXBean();
        long cpuBegan = threads.getCurrentThreadCpuTime();
        long began = System.nanoTime();
        for (int i = 0; i < reservations; i++) {
            int amount = 1 + random.nextInt(32);
            var length = Duration.ofSeconds(1800 + random.nextInt(7200));
            var from = T0.plusSeconds(random.nextLong(horizon.toSeconds()));
            var start = profile.earliestStart(amount, length, from, Instant.MAX).orElseThrow();
            profile.take(amount, TimeSlot.of(start, length));
        }
        long nanos = System.nanoTime() - began;
        long cpuNanos = threads.getCurrentThreadCpuTime() - cpuBegan;
        return new Filled(
                profile, reservations * 1_000_000_000L / nanos, reservations * 1_000_000_000L / Math.max(1, cpuNanos));
    }

    /** A queue that is planned without gaps from now on, first come, first served, with backfilling. */
    private static CountProfile queue(int jobs, long seed) {
        var random = new Random(seed);
        var profile = new CountProfile(MACHINE);
        for (int i = 0; i < jobs; i++) {
            int amount = 1 << random.nextInt(8);
            amount = i % 5 == 0 ? 1 + random.nextInt(MACHINE / 2) : amount;
            var length = Duration.ofSeconds(60 + random.nextInt(14_400));
            var start = profile.earliestStart(amount, length, T0, Instant.MAX).orElseThrow();
            profile.take(amount, TimeSlot.of(start, length));
        }
        return profile;
    }

    private static TreeMap<String, Object> question(AvailabilityProfile profile, int amount, Duration within) {
        var random = new Random(3);
        long[] nanos = new long[QUESTIONS];
        long checksum = 0;
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < QUESTIONS; i++) {
                var from = T0.plusSeconds(random.nextLong(within.toSeconds()));
                var length = Duration.ofSeconds(1800 + random.nextInt(7200));
                long began = System.nanoTime();
                var start = profile.earliestStart(amount, length, from, Instant.MAX);
                nanos[i] = System.nanoTime() - began;
                checksum += start.orElseThrow().getEpochSecond();
            }
        }
        return percentiles(nanos, checksum);
    }

    private static TreeMap<String, Object> change(CountProfile profile, Duration within) {
        var random = new Random(4);
        long[] nanos = new long[QUESTIONS];
        for (int i = 0; i < QUESTIONS; i++) {
            var slot = TimeSlot.of(
                    T0.plusSeconds(random.nextLong(within.toSeconds())),
                    Duration.ofSeconds(1800 + random.nextInt(7200)));
            long began = System.nanoTime();
            profile.take(4, slot);
            profile.giveBack(4, slot);
            nanos[i] = System.nanoTime() - began;
        }
        return percentiles(nanos, profile.leastFree(TimeSlot.of(T0, within)));
    }

    private static TreeMap<String, Object> nodes() {
        var profile = new NodeProfile(IntStream.range(0, MACHINE)
                .mapToObj(i -> new ComputeNode("n" + i, 1, Set.<String>of()))
                .toList());
        var random = new Random(5);
        for (int i = 0; i < 49; i++) {
            var slot = TimeSlot.of(T0.plusSeconds(60L * i), Duration.ofDays(1));
            var one = new BitSet();
            one.set(random.nextInt(MACHINE));
            one.and(profile.freeThroughout(slot));
            profile.take(one, slot);
        }
        var all = profile.among(profile.all());
        long[] nanos = new long[QUESTIONS];
        long checksum = 0;
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < QUESTIONS; i++) {
                long began = System.nanoTime();
                checksum += all.leastFree(TimeSlot.of(T0, Duration.ofHours(2)));
                nanos[i] = System.nanoTime() - began;
            }
        }
        return percentiles(nanos, checksum);
    }

    /** The same filling, and the same questions, where the nodes must stay the same from start to end. */
    private static TreeMap<String, Object> nodeProfile(int reservations) {
        fillNodes(Math.min(reservations, 20_000), 1);
        var figures = new TreeMap<String, Object>();
        var threads = ManagementFactory.getThreadMXBean();
        long[] perSecond = new long[ROUNDS];
        var profile = new NodeProfile(List.of());
        for (int round = 0; round < ROUNDS; round++) {
            long cpuBegan = threads.getCurrentThreadCpuTime();
            profile = fillNodes(reservations, 2);
            perSecond[round] =
                    reservations * 1_000_000_000L / Math.max(1, threads.getCurrentThreadCpuTime() - cpuBegan);
        }
        Arrays.sort(perSecond);
        figures.put("reservations", reservations);
        figures.put("reservationsPerCpuSecond", perSecond[ROUNDS / 2]);
        figures.put("reservationsPerCpuSecondWorst", perSecond[0]);
        var horizon = horizonOf(reservations);
        var among = profile.among(profile.all());
        figures.put("earliestFitSmallMicros", question(among, 16, horizon));
        figures.put("earliestFitQuarterMachineMicros", question(among, MACHINE / 4, horizon));
        figures.put("earliestFitHalfMachineMicros", question(among, MACHINE / 2, horizon));
        return figures;
    }

    private static NodeProfile fillNodes(int reservations, long seed) {
        var random = new Random(seed);
        var profile = new NodeProfile(IntStream.range(0, MACHINE)
                .mapToObj(i -> new ComputeNode("n" + i, 1, Set.<String>of()))
                .toList());
        var all = profile.all();
        var among = profile.among(all);
        var horizon = horizonOf(reservations);
        for (int i = 0; i < reservations; i++) {
            int amount = 1 + random.nextInt(32);
            var length = Duration.ofSeconds(1800 + random.nextInt(7200));
            var from = T0.plusSeconds(random.nextLong(horizon.toSeconds()));
            var start = among.earliestStart(amount, length, from, Instant.MAX).orElseThrow();
            var slot = TimeSlot.of(start, length);
            profile.take(profile.choose(amount, slot, all).orElseThrow(), slot);
        }
        return profile;
    }

    private static TreeMap<String, Object> percentiles(long[] nanos, long checksum) {
        Arrays.sort(nanos);
        var figures = new TreeMap<String, Object>();
        for (int percent : List.of(50, 90, 99)) {
            figures.put("p" + percent, nanos[nanos.length * percent / 100] / 1000.0);
        }
        figures.put("checksum", checksum);
        return figures;
    }

    private static String json(Object value) {
        if (value instanceof TreeMap<?, ?> map) {
            var fields = map.entrySet().stream().map(e -> "\"" + e.getKey() + "\":" + json(e.getValue()));
            return "{" + String.join(",", fields.toList()) + "}";
        }
        return value.toString();
    }
}
