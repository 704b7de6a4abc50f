package org.metasched.classad.gang;

import java.util.List;
import org.metasched.classad.index.OfferSet;

/**
 * The network of a {@code PriorityFlow}.
 *
 * @param rootClass for each root, in priority order, its class
 * @param candidates for each class of roots the offers that its first port takes
 * @param kind for each offer its kind, or -1 if no root takes it
 * @param supports for each kind the offers that its offers leave to the second port
 */
record FlowNetwork(int[] rootClass, List<OfferSet> candidates, int[] kind, List<OfferSet> supports) {

    /** The support of the one kind of offers that complete a gang. */
    static final OfferSet NOTHING_MORE = OfferSet.none(0);

    OfferSet candidatesOf(int root) {
        return candidates.get(rootClass[root]);
    }

    OfferSet supportOf(int offer) {
        return supports.get(kind[offer]);
    }
}
