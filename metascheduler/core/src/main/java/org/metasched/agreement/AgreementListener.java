package org.metasched.agreement;

/** Hears of changes of state. Called by the thread that makes the change: must not block. */
@FunctionalInterface
public interface AgreementListener {

    /** A change of state, after it is durable. */
    void changed(AgreementState before, Agreement after);

    /**
     * A change of state inside the transaction that makes it durable: the listener's own writes become durable with it or not at all. May be
     * called again for the same change when the transaction is run again.
     */
    default void changing(AgreementState before, Agreement next) {}

    /** Any change of an agreement or its parts, with its new version; called inside the transaction, like {@link #changing}. */
    default void recorded(Agreement before, Agreement after) {}

    /** A refused offer of which there is no agreement; called inside the transaction, like {@link #changing}. */
    default void refused(RefusedOffer offer) {}
}
