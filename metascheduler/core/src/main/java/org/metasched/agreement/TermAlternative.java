package org.metasched.agreement;

import java.util.List;

/**
 * One alternative of the term tree of an offer.
 *
 * @param order its position in the document, from 0: it is taken only if no earlier alternative can be had
 * @param guarantees names of the guarantee terms in it
 */
public record TermAlternative(int order, List<String> guarantees) {

    public TermAlternative {
        guarantees = List.copyOf(guarantees);
    }
}
