package org.metasched.classad.index;

import org.metasched.classad.ClassAd;

/** An ad in a pool, seen from one place where others may dock to it. */
public interface Offer {

    MatchParty side();

    /** A new place of this offer with all its bonds open. */
    default EvaluationSite place() {
        return new EvaluationSite(side());
    }

    /** An ad that docks as a whole. */
    static Offer of(ClassAd ad) {
        MatchParty side = MatchParty.whole(ad);
        return () -> side;
    }
}
