package org.metasched.choice;

import java.util.List;

/**
 * Who serves what, and when.
 *
 * @param branch index of the alternative
 * @param start of all parts, in seconds since the epoch
 * @param rank sum over the picks; a piece of a split part counts by its share
 * @param cost sum over the picks
 * @param picks for each part its picks
 */
public record Plan(int branch, long start, double rank, double cost, List<List<Option>> picks) {

    public Plan {
        picks = picks.stream().map(List::copyOf).toList();
    }

    /** Picks of all parts together. */
    public int pieces() {
        return picks.stream().mapToInt(List::size).sum();
    }
}
