package org.metasched.classad.match;

/**
 * The offers that may dock at a bond, by what is known.
 *
 * @param offers the offers; all that could match are among them. Not to be changed
 * @param unsure those of whom it must still be checked, because something was missing or only evaluation tells
 */
public record Candidates(OfferSet offers, OfferSet unsure) {

    /** Whether an offer needs a check of both constraints before it counts. */
    public boolean mustCheck(int offer) {
        return unsure.contains(offer);
    }
}
