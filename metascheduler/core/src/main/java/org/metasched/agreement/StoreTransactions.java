package org.metasched.agreement;

import java.util.function.Supplier;

/** Makes changes of the repository and of the journal together, or none of them. */
public interface StoreTransactions {

    /**
     * Runs the work in one transaction of this thread. Do not call a site inside.
     *
     * @throws org.metasched.negotiation.StoreUnavailableException when it is not known whether it was committed
     */
    <T> T inOne(Supplier<T> work);

    /**
     * To be called before a new piece of work: waits for earlier work, shorter than a transaction would, so that what has begun
     * comes to its end.
     *
     * @throws org.metasched.negotiation.StoreBusyException when that leaves no room in time
     */
    default void admit() {}

    default void inOne(Runnable work) {
        inOne(() -> {
            work.run();
            return true;
        });
    }
}
