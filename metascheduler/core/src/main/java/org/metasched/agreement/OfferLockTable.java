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
     * Takes the lock of an offer. Each one that is taken is to be {@link #release released} or {@link #settle settled}; that of a process
     * that is gone is free.
     *
     * @return false while it is another's, and when an agreement was made of the offer meanwhile
     */
    boolean acquire(OfferKey key);

    /** Gives up the lock; one that is not ours is passed over. */
    void release(OfferKey key);

    /**
     * Releases the lock in the transaction that saves the agreement.
     *
     * @throws IllegalStateException when it is not ours any more: another process may decide the offer now
     */
    void settle(OfferKey key);
}
