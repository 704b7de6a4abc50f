package org.metasched.agreement;

import java.util.function.Supplier;

/** Transactions that change repository and journal together, or neither. */
public interface StoreTransactions {

    /**
     * Runs the work in one transaction of this thread, or in the one that is open already. The work may run again if the transaction
     * fails; it must not call a site.
     *
     * @throws org.metasched.negotiation.StoreUnavailableException when it is not known whether it was committed
     */
    <T> T inTransaction(Supplier<T> work);

    /**
     * Waits until the store has room for new work. To be called before new work: it waits for less time than a transaction does, so that
     * work that has begun ends first.
     *
     * @throws org.metasched.negotiation.StoreBusyException when there is no room in time
     */
    default void admit() {}

    default void inTransaction(Runnable work) {
        inTransaction(() -> {
            work.run();
            return true;
        });
    }
}
