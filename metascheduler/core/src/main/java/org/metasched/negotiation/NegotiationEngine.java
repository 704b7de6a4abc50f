package org.metasched.negotiation;

/** Reserves several sites for one slot. Thread-safe. */
public interface NegotiationEngine {

    /**
     * Blocks until the end is known.
     *
     * @throws InterruptedException after everything made so far was given back, or left to the sweeper
     * @throws org.metasched.sites.UnknownSiteException before anything is asked
     */
    NegotiationOutcome negotiate(CoAllocationRequest request) throws InterruptedException;
}
