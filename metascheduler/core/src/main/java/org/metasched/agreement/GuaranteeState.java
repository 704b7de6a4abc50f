package org.metasched.agreement;

/** State of one guarantee of an agreement, the worst last. Each state may follow each of the others. */
public enum GuaranteeState {
    /** The state is not known yet: before the slot, or without data. */
    NOT_DETERMINED("NotDetermined"),
    FULFILLED("Fulfilled"),
    /**
     * The objective does not hold. A guarantee without an objective is violated when a reservation in its scope was lost or has fewer nodes
     * than agreed, also before its slot begins.
     */
    VIOLATED("Violated");

    private final String term;

    GuaranteeState(String term) {
        this.term = term;
    }

    /** The word that the specification writes. */
    public String term() {
        return term;
    }
}
