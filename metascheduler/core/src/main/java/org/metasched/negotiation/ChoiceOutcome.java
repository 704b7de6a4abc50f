package org.metasched.negotiation;

import java.util.List;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;

/**
 * How a choice ended.
 *
 * @param outcome of the negotiation; when it is {@link CoAllocated}, with the reservations of the branch's parts, in their order
 * @param branch the alternative that was taken; 0 when none was
 * @param parts for each reservation the part of the branch that it serves, counted from 0; empty when nothing was allocated
 * @param reason for people: what binds, when nothing was allocated; else empty
 */
public record ChoiceOutcome(NegotiationOutcome outcome, int branch, List<Integer> parts, String reason) {

    public ChoiceOutcome {
        parts = List.copyOf(parts);
    }

    /** Nothing was allocated. */
    ChoiceOutcome(NegotiationOutcome outcome, String reason) {
        this(outcome, 0, List.of(), reason);
    }
}
