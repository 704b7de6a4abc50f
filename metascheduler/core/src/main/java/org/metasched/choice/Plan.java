package org.metasched.choice;

import java.util.Collections;
import java.util.List;

/**
 * A decision about places and times: which option serves each part, and when.
 *
 * @param branch index of the alternative
 * @param when the end less the least time that the branch takes, and its delay, in seconds since the epoch; its start, if no stage waits
 * @param starts of the parts, in seconds since the epoch
 * @param rank sum over the picks; a piece of a split part counts by its share
 * @param cost likewise
 * @param picks for each part its picks, with the amounts that they give
 */
public record Plan(int branch, long when, List<Long> starts, double rank, double cost, List<List<PlaceOption>> picks) {

    public Plan {
        starts = List.copyOf(starts);
        picks = picks.stream().map(List::copyOf).toList();
    }

    /** The start of the part that begins first. */
    public long start() {
        return Collections.min(starts);
    }

    /** Picks of all parts together. */
    public int pieces() {
        return picks.stream().mapToInt(List::size).sum();
    }

    Figures figures() {
        return new Figures(when, pieces(), rank, cost);
    }

    /** Figures by which plans are compared. */
    record Figures(long when, int pieces, double rank, double cost) {}
}
