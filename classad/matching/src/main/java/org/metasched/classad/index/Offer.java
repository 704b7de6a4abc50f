package org.metasched.classad.index;

import org.metasched.classad.ClassAd;

/** An ad in a pool, seen from one place where others may dock to it. */
public interface Offer {

    MatchParty side();

    /** A new place of this offer with all its bonds open. */
    EvaluationSite place();

    /** An ad that docks as a whole. */
    static Offer of(ClassAd ad) {
        return new WholeOffer(MatchParty.whole(ad));
    }

    /** An ad without ports. */
    record WholeOffer(MatchParty side) implements Offer {
        @Override
        public EvaluationSite place() {
            return new EvaluationSite(side);
        }
    }
}
