package org.metasched.agreement;

/** Locks on offers among the processes that share a store: one process at a time decides an offer. Thread-safe. */
public interface OfferLockTable {

    /** The locks of a store of one process. */
    OfferLockTable ONE_PROCESS = new OfferLockTable() {
        @Override
        public boolean acquire(OfferKey key) {
            return true;
        }

        @Override
        public void release(OfferKey key) {}

        @Override
        public void settle(OfferKey key) {}
    };

    /**
     * Takes the lock of an offer. A lock that was taken must be {@link #release released} or {@link #settle settled}; the lock of a
     * process that is gone is free.
     *
     * @return false while another process holds the lock, and when an agreement was made of the offer meanwhile
     */
    boolean acquire(OfferKey key);

    /** Gives up the lock; ignored if this process does not hold it. */
    void release(OfferKey key);

    /**
     * Releases the lock in the transaction that saves the agreement.
     *
     * @throws IllegalStateException when this process no longer holds it: another process may decide the offer now
     */
    void settle(OfferKey key);
}
