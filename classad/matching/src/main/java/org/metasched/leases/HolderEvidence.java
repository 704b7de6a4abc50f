package org.metasched.leases;

/** Evidence of the holders of leases. Thread-safe; asked while the store is locked, so it answers soon. */
@FunctionalInterface
public interface HolderEvidence {

    /** One observation. */
    enum Sight {
        /** The holder is there and says that it holds the lease. */
        HOLDS,
        /** The place is in sight, and the holder is not there or does not name the lease. */
        MISSING,
        /** The place is out of sight: on another host, not mounted, or without permission to look. */
        UNSEEN
    }

    Sight of(Lease lease);
}
