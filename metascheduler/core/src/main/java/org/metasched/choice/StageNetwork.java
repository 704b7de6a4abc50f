package org.metasched.choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Temporal constraints between the stages of a branch: a simple temporal network (Dechter, Meiri, Pearl, Artificial Intelligence
 * 49, 1991) over the stages' starts, closed by longest paths. Stages with fixed distances move as one group. Immutable.
 */
public final class StageNetwork {

    /** Most stages: sets of stages are bits of a {@code long}. */
    public static final int MOST_STAGES = 63;

    /** Stands for no bound. */
    public static final long NONE = Long.MIN_VALUE / 4;

    private final long[] lengths;
    /** For each pair of stages, the {@linkplain #gap least time} between their starts. */
    private final long[][] gaps;

    /**
     * Bounds of the time from the start of one stage to the start of another, in seconds.
     *
     * @param least lower bound
     * @param most upper bound; -{@link #NONE} if there is none
     */
    public record Lag(int from, int to, long least, long most) {}

    /**
     * @param names names of the stages, for messages
     * @param lengths lengths of the stages, in seconds
     * @throws IllegalArgumentException when no starts satisfy all lags. {@code O(n^3)} in the number of stages
     */
    public StageNetwork(List<String> names, List<Long> lengths, List<Lag> lags) {
        int n = lengths.size();
        if (n < 1 || n > MOST_STAGES) {
            throw new IllegalArgumentException(
                    "The number of stages (" + n + ") must be from 1 to " + MOST_STAGES + ".");
        }
        this.lengths = lengths.stream().mapToLong(Long::longValue).toArray();
        this.gaps = new long[n][n];
        for (int i = 0; i < n; i++) {
            Arrays.fill(gaps[i], NONE);
            gaps[i][i] = 0;
        }
        for (var lag : lags) {
            gaps[lag.from()][lag.to()] = Math.max(gaps[lag.from()][lag.to()], lag.least());
            gaps[lag.to()][lag.from()] = Math.max(gaps[lag.to()][lag.from()], -lag.most());
        }
        close();
        var stuck = new ArrayList<String>();
        for (int i = 0; i < n; i++) {
            if (gaps[i][i] > 0) {
                stuck.add(names.get(i));
            }
        }
        if (!stuck.isEmpty()) {
            throw new IllegalArgumentException(
                    "The stages " + stuck + " have no order: the lags between them contradict each other.");
        }
    }

    /** A network of one stage. */
    public static StageNetwork single(long length) {
        return new StageNetwork(List.of(""), List.of(length), List.of());
    }

    private void close() {
        int n = lengths.length;
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    if (gaps[i][k] != NONE && gaps[k][j] != NONE) {
                        gaps[i][j] = Math.max(gaps[i][j], gaps[i][k] + gaps[k][j]);
                    }
                }
            }
        }
    }

    int stages() {
        return lengths.length;
    }

    long length(int stage) {
        return lengths[stage];
    }

    /** The least time from the start of one stage to the start of another, perhaps negative; {@link #NONE} without a bound. */
    long gap(int from, int to) {
        return gaps[from][to];
    }

    /** The group of a stage, by its first stage: the first that has a fixed distance to this one. */
    int group(int stage) {
        int first = 0;
        while (gaps[first][stage] == NONE
                || gaps[stage][first] == NONE
                || gaps[first][stage] + gaps[stage][first] != 0) {
            first++;
        }
        return first;
    }

    /** Whether one of two stages is always over before the other begins. */
    boolean areApart(int a, int b) {
        return a != b && (gaps[a][b] >= lengths[a] || gaps[b][a] >= lengths[b]);
    }

    /** Whether all stages have fixed distances. */
    public boolean isRigid() {
        return IntStream.range(1, lengths.length).allMatch(stage -> group(stage) == 0);
    }

    /** The least time from the start of the whole to the start of a stage, in seconds. */
    public long head(int stage) {
        long head = 0;
        for (long[] gap : gaps) {
            head = Math.max(head, gap[stage]);
        }
        return head;
    }

    /** The least time from the start of a stage to the end of the whole, in seconds. */
    public long tail(int stage) {
        long tail = 0;
        for (int i = 0; i < lengths.length; i++) {
            tail = gaps[stage][i] == NONE ? tail : Math.max(tail, gaps[stage][i] + lengths[i]);
        }
        return tail;
    }

    /** The least time that the whole takes, in seconds. */
    public long span() {
        long span = 0;
        for (int i = 0; i < lengths.length; i++) {
            span = Math.max(span, head(i) + lengths[i]);
        }
        return span;
    }
}
