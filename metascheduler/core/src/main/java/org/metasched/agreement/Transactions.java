package org.metasched.agreement;

import java.util.function.Supplier;

/** Makes changes of the repository and of the journal together, or none of them. */
public interface Transactions {

    /**
     * Runs the work in one transaction of this thread. Do not call a site inside.
     *
     * @throws org.metasched.negotiation.StoreUnavailableException when it is not known whether it was committed
     */
    <T> T inOne(Supplier<T> work);

    default void inOne(Runnable work) {
        inOne(() -> {
            work.run();
            return true;
        });
    }
}
