package org.metasched.leases;

import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.metasched.leases.Lease.Claimant;

/**
 * Request for a lease on matches of a site.
 *
 * @param id id of the lease, never used before; a server chooses its own
 * @param site the {@code Name} of the site's ad
 * @param room the site's matches by the claimant's ad of it; a server uses its own ad
 * @param holder future holder of the lease
 * @param nodes number of nodes of the holder's DAG, each of which takes a match at some sites
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
     * Whether the site has room for the lease. To drain a site needs no room, and is possible once.
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
