package org.metasched.leases;

import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.metasched.leases.Lease.Claimant;

/**
 * Request for a lease on matches of a site.
 *
 * @param id id of the lease, which no held lease has; a server that is asked over the wire for a match makes it itself
 * @param site the {@code Name} of the site's ad
 * @param room room for matches, by the ad of the site that the claimant knows; a server takes its own ad instead
 * @param holder future holder of the lease
 * @param nodes number of nodes of the holder's DAG; each takes a match if the site's {@code MatchUnit} is "node"
 */
public record LeaseRequest(UUID id, String site, MatchRoom room, String holder, Claimant claimant, int nodes) {

    /** A request with a new id. */
    public LeaseRequest(String site, MatchRoom room, String holder, Claimant claimant, int nodes) {
        this(UUID.randomUUID(), site, room, holder, claimant, nodes);
    }

    /** The same request with another room. */
    public LeaseRequest within(MatchRoom other) {
        return new LeaseRequest(id, site, other, holder, claimant, nodes);
    }

    /** Number of the site's matches that the lease takes. */
    public int matches() {
        return isDrain() ? MatchRoom.ALL : room.matches(nodes);
    }

    private boolean isDrain() {
        return holder.equals(Lease.DRAINED);
    }

    /**
     * Whether the site has room for the lease. A lease that drains the site needs no room; one such lease is possible at a time.
     *
     * @param counted matches of leases that are held there
     * @param held all leases, called only if they are needed
     */
    public boolean fits(long counted, Supplier<List<Lease>> held) {
        return counted < MatchRoom.ALL
                && (isDrain() || MatchRoom.current(room.ad(), site, counted, held) + matches() <= room.most());
    }

    /** The exception for an id that another lease has. */
    public IllegalArgumentException refusalOfTakenId() {
        return new IllegalArgumentException("A held lease has this id (" + id + "); expected a new one.");
    }
}
