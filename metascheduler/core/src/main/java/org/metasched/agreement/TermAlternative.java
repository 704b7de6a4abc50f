package org.metasched.agreement;

import java.util.List;

/**
 * One way of fulfilling the term tree of an offer.
 *
 * @param order its place in document order, from 0: a way is taken only when none before it can be had
 * @param guarantees names of the guarantee terms in it
 */
public record TermAlternative(int order, List<String> guarantees) {

    public TermAlternative {
        guarantees = List.copyOf(guarantees);
    }
}
