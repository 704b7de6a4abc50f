package org.metasched.classad.claim;

import java.time.Instant;
import org.metasched.classad.gang.Gang;

/** Result of claiming a gang. */
public sealed interface ClaimOutcome {

    /** Every member agreed to prepare and to establish the claim. */
    record Claimed(ClaimId claim, Gang gang, Instant leaseEnds) implements ClaimOutcome {}

    /**
     * A member declined or did not answer, and everything was withdrawn.
     *
     * @param offer number of that member in the pool, -1 for the root
     */
    record Failed(int offer, String reason) implements ClaimOutcome {}
}
