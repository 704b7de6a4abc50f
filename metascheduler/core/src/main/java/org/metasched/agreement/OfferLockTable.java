package org.metasched.agreement;

/** Locks on offers among the processes that share a store: one process at a time decides an offer. Thread-safe. */
public interface OfferLockTable {

    /**
     * Takes the lock of an offer. The caller must {@link #release} or {@link #settle} it. The lock of a process that is gone is free.
     *
     * @return whether it was taken: false while another process holds the lock, and when an agreement was made of the offer meanwhile
     */
    boolean acquire(OfferKey key);

    /** Gives up the lock; ignored if this process does not hold it. */
    void release(OfferKey key);

    /**
     * Releases the lock in the caller's transaction, which saves the agreement.
     *
     * @throws IllegalStateException when this process no longer holds it: another process may decide the offer now
     */
    void settle(OfferKey key);
}
