package org.metasched.classad.index;

import org.metasched.classad.ClassAd;

/** An ad in a pool, seen from one place where others may dock to it. */
public interface Offer {

    Side side();

    /** A new place of this offer with all its bonds open. */
    Place place();

    /** An ad that docks as a whole. */
    static Offer of(ClassAd ad) {
        return new WholeOffer(Side.whole(ad));
    }

    /** An ad without ports. */
    record WholeOffer(Side side) implements Offer {
        @Override
        public Place place() {
            return new Place(side, new Bond(side.label()));
        }
    }
}
