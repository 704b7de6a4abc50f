package org.metasched.simulation.scenario;

import java.util.Random;

/**
 * Number of nodes that a part wants: a number, or a share of the site's machine ({@code 25%}).
 *
 * @param amount number of nodes, or per cent
 * @param isShare whether the amount is per cent of the machine
 */
public record NodeSpread(RandomAmount amount, boolean isShare) {

    /** Draws a number of nodes from 1 to {@code machine}, the nodes of the machine. */
    public int draw(Random random, int machine) {
        double drawn = amount.draw(random);
        double nodes = isShare ? drawn / 100 * machine : drawn;
        return (int) Math.max(1, Math.min(machine, Math.round(nodes)));
    }
}
