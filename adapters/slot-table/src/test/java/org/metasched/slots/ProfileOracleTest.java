package org.metasched.slots;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.metasched.adapter.TimeSlot;

/** Both profiles against {@link NaiveProfile}. {@code -Dmetasched.profile.cases=N} tries more seeds. */
class ProfileOracleTest {

    private static final Instant T0 = Instant.parse("2026-01-05T08:00:00Z");

    static IntStream seeds() {
        return IntStream.range(0, Integer.getInteger("metasched.profile.cases", 60));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void countsAnswerAsTheNaiveProfileDoes(int seed) {
        var random = new Random(seed);
        int capacity = 1 + random.nextInt(40);
        var profile = new CountProfile(capacity);
        var naive = new NaiveProfile(capacity, false);
        var held = new ArrayList<NaiveProfile.Taken>();

        for (int step = 0; step < 150; step++) {
            if (!held.isEmpty() && random.nextInt(3) == 0) {
                var gone = held.remove(random.nextInt(held.size()));
                naive.giveBack(gone);
                profile.giveBack(gone.amount(), gone.slot());
            } else {
                var taken = naive.take(1 + random.nextInt(capacity), new BitSet(), randomSlot(random));
                profile.take(taken.amount(), taken.slot());
                held.add(taken);
            }

            ask(random, capacity, profile, naive);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nodesAnswerAsTheNaiveProfileDoes(int seed) {
        var random = new Random(seed);
        int count = 1 + random.nextInt(100);
        var profile = new NodeProfile(nodes(count));
        var naive = new NaiveProfile(count, true);
        var held = new ArrayList<NaiveProfile.Taken>();

        for (int step = 0; step < 80; step++) {
            if (!held.isEmpty() && random.nextInt(3) == 0) {
                var gone = held.remove(random.nextInt(held.size()));
                naive.giveBack(gone);
                profile.giveBack(gone.units(), gone.slot());
            } else {
                var slot = randomSlot(random);
                var some = randomSome(random, profile.freeThroughout(slot));
                profile.take(some, slot);
                held.add(naive.take(some.cardinality(), some, slot));
            }

            ask(random, count, profile.among(profile.all()), naive);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void closedSpansThatOverlapAnswerAsIfEachNodeWereTakenOnce(int seed) {
        var random = new Random(seed);
        int count = 1 + random.nextInt(100);
        var spans = new HashMap<TimeSlot, List<String>>();
        var oneByOne = new NodeProfile(nodes(count));
        for (int i = 0; i < 80; i++) {
            var slot = i == 0 ? new TimeSlot(Instant.MIN, T0) : randomSlot(random);
            var some = randomSome(random, oneByOne.all());
            // a node that is closed twice is taken in the pieces that are left of it
            var cuts = new TreeSet<>(List.of(slot.start(), slot.end()));
            cuts.addAll(segments(oneByOne).keySet());
            var within = List.copyOf(cuts.subSet(slot.start(), true, slot.end(), true));
            for (int cut = 0; cut + 1 < within.size(); cut++) {
                var piece = new TimeSlot(within.get(cut), within.get(cut + 1));
                var left = oneByOne.freeThroughout(piece);
                left.and(some);
                oneByOne.take(left, piece);
            }
            spans.computeIfAbsent(slot, s -> new ArrayList<>()).addAll(oneByOne.names(some));
        }

        var atOnce = new NodeProfile(nodes(count), spans);

        assertThat(segments(atOnce)).isEqualTo(segments(oneByOne));
        for (int i = 0; i < 20; i++) {
            var length = Duration.ofMinutes(1 + random.nextInt(300));
            int amount = 1 + random.nextInt(count);
            assertThat(atOnce.among(atOnce.all()).earliestStart(amount, length, T0, Instant.MAX))
                    .isEqualTo(oneByOne.among(oneByOne.all()).earliestStart(amount, length, T0, Instant.MAX));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void afterEverythingIsGivenBackNothingIsLeft(int seed) {
        var random = new Random(seed);
        var counts = new CountProfile(1000);
        var nodes = new NodeProfile(nodes(70));
        var held = new ArrayList<NaiveProfile.Taken>();
        for (int i = 0; i < 3000; i++) {
            var slot = randomSlot(random);
            var some = i < 300 ? randomSome(random, nodes.freeThroughout(slot)) : new BitSet();
            nodes.take(some, slot);
            counts.take(1 + i % 7, slot);
            held.add(new NaiveProfile.Taken(1 + i % 7, some, slot));
        }
        assertThat(segments(counts)).hasSizeGreaterThan(1000);

        Collections.shuffle(held, random);
        held.forEach(one -> {
            counts.giveBack(one.amount(), one.slot());
            nodes.giveBack(one.units(), one.slot());
        });

        assertThat(segments(counts)).isEqualTo(segments(new CountProfile(1000)));
        assertThat(segments(nodes)).isEqualTo(segments(new NodeProfile(nodes(70))));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aLongQueueIsSearchedAsWellBySummariesAsSegmentBySegment(int seed) {
        var random = new Random(seed);
        var profile = new CountProfile(64);
        var day = Duration.ofDays(1);
        for (int i = 0; i < 6000; i++) {
            var length = Duration.ofSeconds(60 + random.nextInt(7200));
            int amount = 1 + random.nextInt(i % 10 == 0 ? 64 : 16);
            var start = profile.earliestStart(amount, length, T0, T0.plus(day.multipliedBy(1000)));
            profile.take(amount, TimeSlot.of(start.orElseThrow(), length));
        }

        for (int i = 0; i < 50; i++) {
            int amount = 1 + random.nextInt(64);
            var length = Duration.ofSeconds(1 + random.nextInt(200_000));
            var from = T0.plusSeconds(random.nextInt(4_000_000));

            var found = profile.earliestStart(amount, length, from, from.plus(day.multipliedBy(900)));

            var listed = profile.starts(amount, length, TimeSlot.of(from, day.multipliedBy(900)));
            assertThat(found).contains(listed.get(0).earliest());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void nodesAnswerAsTheNaiveProfileDoesOverManyBlocksOfSegments(int seed) {
        var random = new Random(seed);
        int count = 70 + random.nextInt(60);
        var profile = new NodeProfile(nodes(count));
        var naive = new NaiveProfile(count, true);
        var held = new ArrayList<NaiveProfile.Taken>();
        for (int i = 0; i < 400; i++) {
            var slot = TimeSlot.of(
                    T0.plusSeconds(random.nextInt(100_000)),
                    Duration.ofSeconds(1 + random.nextInt(i % 9 == 0 ? 60_000 : 900)));
            var some = randomSome(random, profile.freeThroughout(slot));
            some.clear(random.nextInt(count), count);
            profile.take(some, slot);
            held.add(naive.take(some.cardinality(), some, slot));
            if (i % 4 == 3) {
                var gone = held.remove(random.nextInt(held.size()));
                naive.giveBack(gone);
                profile.giveBack(gone.units(), gone.slot());
            }
        }
        assertThat(segments(profile)).hasSizeGreaterThan(400);

        // what a question has summed up must not outlive the changes after it
        for (int i = 0; i < 60; i++) {
            var from = T0.plusSeconds(random.nextInt(90_000));
            var length = Duration.ofSeconds(1 + random.nextInt(30_000));
            int amount = 1 + random.nextInt(count / (1 + random.nextInt(6)));

            assertThat(profile.among(profile.all()).earliestStart(amount, length, from, T0.plusSeconds(200_000)))
                    .isEqualTo(naive.earliestStart(amount, length, from, T0.plusSeconds(200_000)));
            for (int gone = 0; gone < 4; gone++) {
                var one = held.remove(random.nextInt(held.size()));
                naive.giveBack(one);
                profile.giveBack(one.units(), one.slot());
            }
        }
        var from = T0.plusSeconds(50_000);
        profile.forgetBefore(from);
        assertThat(profile.among(profile.all())
                        .earliestStart(count / 2, Duration.ofSeconds(100), from, from.plusSeconds(90_000)))
                .isEqualTo(naive.earliestStart(count / 2, Duration.ofSeconds(100), from, from.plusSeconds(90_000)));
    }

    /** What is free from each instant on at which that changes. */
    private static SortedMap<Instant, BitSet> segments(NodeProfile profile) {
        var segments = new TreeMap<Instant, BitSet>();
        int words = profile.line.words;
        for (int b = 0; b < profile.line.blocks(); b++) {
            var block = profile.line.block(b);
            for (int i = 0; i < block.size(); i++) {
                var free = Arrays.copyOfRange(block.free(), i * words, (i + 1) * words);
                segments.put(InstantTicks.instant(block.begin(i)), BitSet.valueOf(free));
            }
        }
        return segments;
    }

    /** As above; neighbours with as much free are one, since leaves do not join those of another leaf. */
    private static SortedMap<Instant, Integer> segments(CountProfile profile) {
        var segments = new TreeMap<Instant, Integer>();
        profile.root.visit(InstantTicks.BEGIN, InstantTicks.END, (from, to, free) -> {
            if (segments.isEmpty() || segments.lastEntry().getValue() != free) {
                segments.put(InstantTicks.instant(from), free);
            }
        });
        return segments;
    }

    private static void ask(Random random, int capacity, AvailabilityProfile profile, NaiveProfile naive) {
        int amount = 1 + random.nextInt(capacity);
        var slot = randomSlot(random);
        var latest = slot.start().plusSeconds(random.nextInt(4000));
        var within = new TimeSlot(slot.start(), latest.plusNanos(1));

        assertThat(profile.leastFree(slot)).isEqualTo(naive.leastFree(slot));
        assertThat(profile.earliestStart(amount, slot.length(), slot.start(), latest))
                .isEqualTo(naive.earliestStart(amount, slot.length(), slot.start(), latest));
        assertThat(profile.starts(amount, slot.length(), within))
                .isEqualTo(naive.starts(amount, slot.length(), within));
    }

    private static TimeSlot randomSlot(Random random) {
        var start = T0.plusSeconds(random.nextInt(3600)).plusNanos(random.nextInt(2) * 500L);
        return TimeSlot.of(start, Duration.ofSeconds(1 + random.nextInt(random.nextBoolean() ? 30 : 900)));
    }

    private static BitSet randomSome(Random random, BitSet from) {
        var some = new BitSet();
        from.stream().filter(i -> random.nextInt(3) == 0).forEach(some::set);
        return some;
    }

    private static List<ComputeNode> nodes(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ComputeNode("n" + i, 1, Set.of()))
                .toList();
    }
}
