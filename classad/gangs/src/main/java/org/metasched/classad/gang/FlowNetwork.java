package org.metasched.classad.gang;

import java.util.List;
import org.metasched.classad.index.OfferSet;

/**
 * The network of a {@code PriorityFlow}.
 *
 * @param rootClass for each root, in priority order, its class
 * @param candidates for each class of roots the offers that its first port takes
 * @param kind for each offer its kind, or -1 if no root takes it
 * @param bins for each kind the bins its offers may go to, ascending
 * @param capacity for each bin how many units it holds
 */
record FlowNetwork(int[] rootClass, List<OfferSet> candidates, int[] kind, List<int[]> bins, int[] capacity) {}
