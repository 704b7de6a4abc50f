package org.metasched.classad.gang;

import java.util.List;
import org.metasched.classad.index.OfferSet;

/**
 * The network of a {@code PriorityFlow}.
 *
 * @param rootClass class of each root, in priority order
 * @param candidates offers that the first port accepts, for each class of roots
 * @param kind kind of each offer, or -1 if no root accepts it
 * @param supports offers that remain for the second port, for each kind of offers at the first
 */
record FlowNetwork(int[] rootClass, List<OfferSet> candidates, int[] kind, List<OfferSet> supports) {

    /** The support of offers that complete a gang alone: they need no second offer. */
    static final OfferSet NOTHING_MORE = OfferSet.none(0);

    /** The offers that a root's first port accepts. */
    OfferSet candidatesOf(int root) {
        return candidates.get(rootClass[root]);
    }

    /** The offers that remain for the second port once an offer is bound to the first. */
    OfferSet supportOf(int offer) {
        return supports.get(kind[offer]);
    }
}
