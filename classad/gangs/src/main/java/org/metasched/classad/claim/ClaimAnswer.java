package org.metasched.classad.claim;

import java.util.Optional;
import org.metasched.classad.ClassAd;

/** Answer of a member to a claim. */
public sealed interface ClaimAnswer {

    /** The resource agrees, for as long as the lease lasts. */
    record Agreed() implements ClaimAnswer {}

    /**
     * The resource does not agree.
     *
     * @param reason for people
     * @param current its ad as it is now, if that is the reason
     */
    record Declined(String reason, Optional<ClassAd> current) implements ClaimAnswer {

        /** @param reason for people */
        public Declined(String reason) {
            this(reason, Optional.empty());
        }
    }
}
