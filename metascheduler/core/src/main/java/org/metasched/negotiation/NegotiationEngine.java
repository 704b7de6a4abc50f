package org.metasched.negotiation;

/** Reserves resources of several sites for one slot, or plans it. Thread-safe. */
public interface NegotiationEngine {

    /**
     * Reserves named sites. Blocks until the outcome is known.
     *
     * @throws InterruptedException after everything made so far was given back, or left to the sweeper
     * @throws org.metasched.sites.UnknownSiteException before anything is asked
     */
    NegotiationOutcome negotiate(CoAllocationRequest request) throws InterruptedException;

    /**
     * Chooses places and times, and reserves the best plan that the sites grant. Blocks until the outcome is known.
     *
     * @throws InterruptedException after everything made so far was given back, or left to the sweeper
     * @throws org.metasched.sites.UnknownSiteException before anything is asked
     */
    NegotiationOutcome choose(ChoiceRequest request) throws InterruptedException;

    /**
     * The earliest common start of named sites, found by the same search without reserving anything.
     *
     * @throws InterruptedException while sites are asked
     * @throws org.metasched.sites.UnknownSiteException before anything is asked
     */
    ChoicePlans plan(CoAllocationRequest request) throws InterruptedException;

    /**
     * The best plans for a request, without reserving anything.
     *
     * @param most number of plans wanted, at least 1
     * @throws InterruptedException while sites are asked
     * @throws org.metasched.sites.UnknownSiteException before anything is asked
     */
    ChoicePlans plan(ChoiceRequest request, int most) throws InterruptedException;
}
