package org.metasched.classad.claim;

import java.util.List;
import org.metasched.classad.ClassAd;

/**
 * The claimer's durable record of claims, read after a crash. An attempt is written before the first member is asked, and ended
 * after the last member has been reached; an attempt that is still open after a restart is withdrawn at every member. Without a
 * journal the leases do the same, later.
 */
public interface ClaimJournal {

    /** An attempt that was begun and not ended. */
    record Open(ClaimId claim, List<ClassAd> members) {
        public Open {
            members = List.copyOf(members);
        }
    }

    /** Writes that an attempt begins. */
    void begin(ClaimId claim, List<ClassAd> members);

    /** Writes that an attempt is established at every member, or withdrawn from every one. */
    void end(ClaimId claim);

    /** The attempts that were begun and not ended. */
    List<Open> open();
}
