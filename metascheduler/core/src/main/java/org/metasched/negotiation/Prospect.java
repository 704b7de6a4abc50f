package org.metasched.negotiation;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.SiteId;

/**
 * What a negotiation would take if it took it now: nothing is held.
 *
 * @param branch the alternative
 * @param start of all; nothing when none can be had
 * @param sites of the parts of the branch, in their order
 * @param reason for people: what binds, when nothing can be had; else empty
 */
public record Prospect(int branch, Optional<Instant> start, List<SiteId> sites, String reason) {

    public Prospect {
        sites = List.copyOf(sites);
    }
}
