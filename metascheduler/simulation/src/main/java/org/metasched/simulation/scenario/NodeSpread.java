package org.metasched.simulation.scenario;

import java.util.Random;

/**
 * Number of nodes that a part wants, or all parts of a job together: a number or a share ({@code 25%}). The share of a part is of the nodes
 * that reservations may hold at its site; a share for all parts is of their machines.
 *
 * @param amount number of nodes, or per cent
 * @param isShare whether the amount is per cent
 */
public record NodeSpread(RandomAmount amount, boolean isShare) {

    /** Draws a number of nodes from 1 to {@code most}, the nodes of which a share is taken. */
    public int draw(Random random, int most) {
        double drawn = amount.draw(random);
        double nodes = isShare ? drawn / 100 * most : drawn;
        return (int) Math.max(1, Math.min(most, Math.round(nodes)));
    }
}
