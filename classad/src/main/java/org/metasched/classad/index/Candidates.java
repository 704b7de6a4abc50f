package org.metasched.classad.index;

/**
 * The offers that may dock at a bond, by what is known.
 *
 * @param offers the offers; all that could match are among them. Not to be changed
 * @param unsure those of whom it must still be checked, because something was missing or only evaluation tells
 * @param waiting those for whom the asker's side is settled, but whose own clauses depend on attributes of the asker that are not
 *     known yet
 */
public record Candidates(OfferSet offers, OfferSet unsure, OfferSet waiting) {

    /** Whether an offer needs a check of both constraints before it counts. */
    public boolean mustCheck(int offer) {
        return unsure.contains(offer) || waiting.contains(offer);
    }
}
