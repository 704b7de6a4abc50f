package org.metasched.classad.gang;

import org.jspecify.annotations.Nullable;
import org.metasched.classad.index.OfferSet;

/**
 * Effect of binding a value to one port on the domains of the ports still open.
 *
 * @param limits for each port the offers to which its domain is restricted, or null if it is not; empty if no domain is
 */
record Propagation(@Nullable OfferSet[] limits) {

    static final Propagation NONE = new Propagation(new OfferSet[0]);

    /** The value contradicts the partial binding. */
    static final Propagation INCONSISTENT = new Propagation(new OfferSet[0]);

    /** Only evaluation with all neighbours bound decides. */
    static final Propagation UNDECIDED = new Propagation(new OfferSet[0]);

    /** Approximate size in bytes of heap. */
    long bytes() {
        long bytes = 64;
        for (OfferSet limit : limits) {
            bytes += limit == null ? 0 : limit.bytes();
        }
        return bytes;
    }

    /** The offers to which a port's domain is restricted, or null. */
    @Nullable
    OfferSet limit(int port) {
        return limits.length == 0 ? null : limits[port];
    }
}
