package org.metasched.leases;

/** Evidence of the holders of leases. Thread-safe; called while the store is locked, so it must answer soon. */
@FunctionalInterface
public interface HolderEvidence {

    /** An observation of a holder. */
    enum Sight {
        /** The holder is there and names the lease. */
        HOLDS,
        /** The place is accessible, and the holder is not there or does not name the lease. */
        MISSING,
        /** The place is not accessible: on another host, not mounted, or without permission to read it. */
        UNSEEN
    }

    /** The observation of the holder of a lease now. */
    Sight of(Lease lease);
}
