package org.metasched.negotiation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.choice.StageNetwork;

/**
 * Starts of parts relative to each other, by the lags between their stages. A stage is a set of parts that begin together; without any
 * lag it has all parts.
 *
 * @param stages number of the stage of each part, from 0
 */
public record StageTiming(List<Integer> stages, StageNetwork network) {

    public StageTiming {
        stages = List.copyOf(stages);
    }

    /**
     * The timing of parts.
     *
     * @param stageOf name of the stage of each part
     * @param durations durations of the parts
     * @throws IllegalArgumentException when a lag names no stage, or the lags contradict each other
     */
    public static StageTiming of(List<String> stageOf, List<Duration> durations, List<TemporalConstraint> lags) {
        if (lags.isEmpty()) {
            long longest =
                    durations.stream().mapToLong(StageTiming::roundedUp).max().orElse(0);
            return new StageTiming(Collections.nCopies(durations.size(), 0), StageNetwork.single(longest));
        }
        Map<String, Integer> numbers = new LinkedHashMap<>();
        var stages = new ArrayList<Integer>();
        var lengths = new ArrayList<Long>();
        for (int i = 0; i < stageOf.size(); i++) {
            int stage = numbers.computeIfAbsent(stageOf.get(i), name -> numbers.size());
            stages.add(stage);
            if (stage == lengths.size()) {
                lengths.add(0L);
            }
            lengths.set(stage, Math.max(lengths.get(stage), roundedUp(durations.get(i))));
        }
        var names = List.copyOf(numbers.keySet());
        var gaps = lags.stream()
                .map(lag -> {
                    int from = number(names, lag.from());
                    long base = lag.afterEnd() ? lengths.get(from) : 0;
                    // -NONE stands for no upper bound.
                    long least = roundedUp(lag.least());
                    long most = lag.most()
                            .map(longest -> base + Math.max(least, longest.toSeconds()))
                            .orElse(-StageNetwork.NONE);
                    return new StageNetwork.Lag(from, number(names, lag.to()), base + least, most);
                })
                .toList();
        return new StageTiming(stages, new StageNetwork(names, lengths, gaps));
    }

    private static int number(List<String> names, String stage) {
        int number = names.indexOf(stage);
        if (number < 0) {
            throw new IllegalArgumentException(
                    "The stage (" + stage + ") in the order of stages is none of " + names + ".");
        }
        return number;
    }

    /** A duration in seconds, rounded up. */
    public static long roundedUp(Duration duration) {
        return duration.plusNanos(999_999_999).toSeconds();
    }

    /** The least time from the start of the whole to the start of a part. */
    public Duration head(int part) {
        return Duration.ofSeconds(network.head(stages.get(part)));
    }

    /** The least time from the start of a part to the end of the whole. */
    public Duration tail(int part) {
        return Duration.ofSeconds(network.tail(stages.get(part)));
    }

    /** The least time that the whole takes. */
    public Duration span() {
        return Duration.ofSeconds(network.span());
    }

    /** Time from the start of the whole to the start of each part; empty unless all stages have fixed distances. */
    public Optional<List<Duration>> offsets() {
        return network.isRigid()
                ? Optional.of(stages.stream()
                        .map(stage -> Duration.ofSeconds(network.head(stage)))
                        .toList())
                : Optional.empty();
    }
}
