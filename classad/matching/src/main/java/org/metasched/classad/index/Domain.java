package org.metasched.classad.index;

/**
 * The domain of an open port: the offers that may dock there under a partial binding.
 *
 * @param offers the values; no offer that could match is missing. Not to be changed
 * @param undecided the values that need a check, because an attribute was missing or because only evaluation decides
 * @param deferred the values that meet the request, but whose own clauses depend on attributes of the requesting ad that are not known yet
 */
public record Domain(OfferSet offers, OfferSet undecided, OfferSet deferred) {

    /** Whether an offer needs a check of both constraints before it counts. */
    public boolean mustCheck(int offer) {
        return undecided.contains(offer) || deferred.contains(offer);
    }
}
