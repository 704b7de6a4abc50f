package org.metasched.negotiation;

import org.metasched.negotiation.NegotiationOutcome.CoAllocated;

/**
 * How a choice ended.
 *
 * @param outcome of the negotiation; when it is {@link CoAllocated}, with a reservation for each part of the branch, in their order
 * @param branch the alternative that was taken; 0 when none was
 * @param reason for people: what binds, when nothing was allocated; else empty
 */
public record ChoiceOutcome(NegotiationOutcome outcome, int branch, String reason) {}
