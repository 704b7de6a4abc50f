package org.metasched.classad.gang;

import java.util.Arrays;
import java.util.Objects;
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
        return 64
                + Arrays.stream(limits)
                        .filter(Objects::nonNull)
                        .mapToLong(OfferSet::bytes)
                        .sum();
    }

    /** The offers to which a port's domain is restricted, or null. */
    @Nullable
    OfferSet limit(int port) {
        return limits.length == 0 ? null : limits[port];
    }
}
