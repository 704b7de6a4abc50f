package org.metasched.choice;

import java.util.Collections;
import java.util.List;

/**
 * A decision about places and times: which option serves each part, and when.
 *
 * @param branch index of the chosen alternative of the offer
 * @param when time by which plans are compared, in seconds since the epoch: the start from which the plan would reach its end without
 *     waits, plus the delay of the alternative
 * @param starts starts of the parts, in seconds since the epoch
 * @param rank sum over the picks; a piece of a split part counts by its share
 * @param cost sum over the picks, with the same shares
 * @param picks picks of each part, with the amounts that they give
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

    /** Number of picks of all parts together. */
    public int pieces() {
        return picks.stream().mapToInt(List::size).sum();
    }

    Figures figures() {
        return new Figures(when, pieces(), rank, cost);
    }

    /** Figures by which plans are compared. */
    record Figures(long when, int pieces, double rank, double cost) {}
}
