package org.metasched.agreement;

import java.util.function.Supplier;

/** Transactions that change repository and journal together, or neither. */
public interface StoreTransactions {

    /**
     * Runs the work in one transaction of this thread. Do not call a site inside.
     *
     * @throws org.metasched.negotiation.StoreUnavailableException when it is not known whether it was committed
     */
    <T> T inOne(Supplier<T> work);

    /**
     * Waits for room for a new piece of work, for a shorter time than a transaction would wait, so that work that has begun ends first.
     * To be called before new work.
     *
     * @throws org.metasched.negotiation.StoreBusyException when there is no room in time
     */
    default void admit() {}

    default void inOne(Runnable work) {
        inOne(() -> {
            work.run();
            return true;
        });
    }
}
