package org.metasched.agreement;

/** Receives changes of agreements and refused offers. Called by the thread that makes the change: must not block. */
@FunctionalInterface
public interface AgreementListener {

    /** Receives a change of state after it is durable. */
    void changed(AgreementState before, Agreement after);

    /**
     * Receives a change of state inside the transaction that makes it durable: the listener's own writes become durable with it or not
     * at all. Called again for the same change if the transaction is run again.
     */
    default void changing(AgreementState before, Agreement next) {}

    /** Receives any change of an agreement or its parts, with the new version; called inside the transaction, like {@link #changing}. */
    default void recorded(Agreement before, Agreement after) {}

    /** Receives a refused offer of which there is no agreement; called inside the transaction, like {@link #changing}. */
    default void refused(RefusedOffer offer) {}
}
