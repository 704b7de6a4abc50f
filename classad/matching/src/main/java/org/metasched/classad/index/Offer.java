package org.metasched.classad.index;

import org.metasched.classad.ClassAd;

/** A port of an ad in a pool, or the whole ad, to which other ads may dock. */
public interface Offer {

    /** The ad, and the port, with which it docks. */
    MatchParty side();

    /** A new evaluation site of this offer, with no label bound. */
    default EvaluationSite site() {
        return new EvaluationSite(side());
    }

    /** An ad that docks as a whole. */
    static Offer of(ClassAd ad) {
        MatchParty side = MatchParty.whole(ad);
        return () -> side;
    }
}
