package org.metasched.simulation.scenario;

import java.util.Random;

/**
 * How many nodes a part wants: a number, or a share of the site's machine ({@code 25%}).
 *
 * @param amount nodes, or per cent
 * @param isShare whether the amount is per cent of the machine
 */
public record NodeSpread(RandomAmount amount, boolean isShare) {

    /** Draws a number of nodes from 1 to what the machine has. */
    public int draw(Random random, int machine) {
        double drawn = amount.draw(random);
        return nodes(drawn, machine);
    }

    /** Nodes on a machine for a value that was drawn. */
    public int nodes(double drawn, int machine) {
        double nodes = isShare ? drawn / 100 * machine : drawn;
        return (int) Math.max(1, Math.min(machine, Math.round(nodes)));
    }
}
