package org.metasched.leases;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Lease on matches of a site.
 *
 * @param id its id in the store and in the bound DAG; never used twice, so a claimant that was considered dead cannot act on another's
 *     lease
 * @param site the {@code Name} of the site's ad
 * @param holder its holder: the directory of a bound DAG, an introduction, or an agreement
 * @param token the fencing token: larger than that of every lease acquired before it in the same store
 * @param taken time at which it was acquired
 * @param leaseEnd end of the time in which it may stay uncommitted, unless it is renewed; without meaning for a committed lease of a DAG
 * @param committed whether the holder exists
 * @param matches number of the site's matches that it takes
 */
public record Lease(
        UUID id,
        String site,
        String holder,
        Claimant claimant,
        long token,
        Instant taken,
        Instant leaseEnd,
        boolean committed,
        int matches) {

    /** The beginning of a holder that is a customer with an ad; the name of the ad follows. */
    public static final String INTRODUCED = "introduced:";

    /** The holder of a lease on all that a site has: while it is held, nothing else is granted there. */
    public static final String DRAINED = "drained:";

    /**
     * The process that takes a lease, and its owner.
     *
     * @param owner {@code user@machine}, or the authenticated subject
     */
    public record Claimant(String owner, ProcessMark process) {

        /** This process. */
        public static Claimant here() {
            return new Claimant(
                    System.getProperty("user.name", "?") + "@" + HostIdentity.name(), ProcessMark.current());
        }

        /** A process behind the network, whose leases depend on its calls and the lease time alone. */
        public static Claimant elsewhere(String owner) {
            return new Claimant(owner, ProcessMark.ELSEWHERE);
        }
    }

    /** Result of a check of a lease. */
    public enum Fate {
        /** The lease is left as it is. */
        STAYS,
        /** The holder exists: the lease is committed. */
        COMMITTED,
        /** The lease is released. */
        ENDS
    }

    /** A lease as it is acquired. */
    public static Lease of(LeaseRequest request, long token, Instant now) {
        return new Lease(
                request.id(),
                request.site(),
                request.holder(),
                request.claimant(),
                token,
                now,
                now.plus(MatchLeases.LEASE_TIME),
                false,
                request.matches());
    }

    /** The claimant's owner. */
    public String owner() {
        return claimant.owner();
    }

    /** The name of the customer's ad, if the holder is a customer with an ad, and no DAG. */
    public Optional<String> customer() {
        return holder.startsWith(INTRODUCED) ? Optional.of(holder.substring(INTRODUCED.length())) : Optional.empty();
    }

    /** Whether its claimant sees the same files as this process. */
    public boolean isOfThisHost() {
        return claimant.process().isOfThisHost();
    }

    /**
     * The fate of the lease at a time. A committed lease stays. An uncommitted one stays while its process lives or, if that cannot be
     * known, while its lease time runs; then the evidence of its holder decides. If the holder cannot be seen, the lease stays until its
     * time has run out.
     */
    public Fate fate(Instant now, HolderEvidence evidence) {
        boolean ranOut = leaseEnd.isBefore(now);
        ProcessMark process = claimant.process();
        if (committed || process.lives() || !process.isGone() && !ranOut) {
            return Fate.STAYS;
        }
        return switch (evidence.of(this)) {
            case HOLDS -> Fate.COMMITTED;
            case MISSING -> Fate.ENDS;
            case UNSEEN -> ranOut ? Fate.ENDS : Fate.STAYS;
        };
    }

    /** This lease, committed to its holder. */
    public Lease asCommitted() {
        return new Lease(id, site, holder, claimant, token, taken, leaseEnd, true, matches);
    }

    /** This lease with another end of its lease time. */
    public Lease renewedTo(Instant end) {
        return new Lease(id, site, holder, claimant, token, taken, end, committed, matches);
    }
}
