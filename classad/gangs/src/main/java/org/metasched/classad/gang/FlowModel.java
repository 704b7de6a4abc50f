package org.metasched.classad.gang;

/**
 * A cycle as a network: classes of roots with equal domains, and the offers of one port, with a kind for each different support at
 * the other port.
 *
 * <p>The network is exact if no support depends on the root, if no offer stands on both sides, and if everything was
 * decided; otherwise it is a relaxation, whose optimum is a bound.
 *
 * @param rotation index of the port with which the network begins, modulo a root's number of ports; the first follows the last
 * @param isExact whether the network is no relaxation
 * @param isRanked whether some root ranks its gangs, or a port of it its values
 * @param effort counts of building the network
 */
record FlowModel(int rotation, FlowNetwork network, boolean isExact, boolean isRanked, SearchEffort effort) {

    /** The entries at the ports of a root with two, or with one if there is no second, in the order of the text. */
    int[] inTextOrder(int first, int second) {
        return second < 0
                ? new int[] {first}
                : rotation % 2 == 0 ? new int[] {first, second} : new int[] {second, first};
    }
}
