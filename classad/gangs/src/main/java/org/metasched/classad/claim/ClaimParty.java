package org.metasched.classad.claim;

import java.time.Instant;
import java.util.List;
import org.metasched.classad.ClassAd;

/**
 * One member of a gang as the claimer sees it: the agent that owns the resource behind an ad, perhaps far away.
 *
 * <p>An agent that crashes forgets claims that were only prepared; an established claim ends with its lease unless it is renewed. So no
 * crash of any party leaves a member claimed for longer than a lease. Thread-safe.
 */
public interface ClaimParty {

    /**
     * First phase: checks the ticket, checks the gang against its ad <em>as it is now</em>, and sets the resource aside.
     *
     * @param gang the ads of all members, the root first
     * @param member index of this member's ad in the gang
     * @param ticket ticket from the private part of the ad
     * @param leaseEnds time until which it is set aside unless the claim is established
     */
    ClaimAnswer prepare(ClaimId claim, List<ClassAd> gang, int member, String ticket, Instant leaseEnds)
            throws PartyUnreachableException;

    /** Second phase: all members have agreed. To repeat it renews the lease. */
    ClaimAnswer establish(ClaimId claim, Instant leaseEnds) throws PartyUnreachableException;

    /** Gives the claim up, in either phase; an unknown claim is no error. */
    void withdraw(ClaimId claim) throws PartyUnreachableException;
}
