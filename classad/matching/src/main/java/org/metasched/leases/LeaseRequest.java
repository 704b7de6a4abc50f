package org.metasched.leases;

import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.metasched.leases.Lease.Claimant;

/**
 * Request for a lease on matches of a site.
 *
 * @param id never used before; a server chooses its own
 * @param site the {@code Name} of the site's ad
 * @param room how many matches the site has, as the claimant sees it; a server looks at its own ad
 * @param holder what will hold the lease
 * @param nodes of the holder's DAG, each of which takes a match at some sites
 */
public record LeaseRequest(UUID id, String site, MatchRoom room, String holder, Claimant claimant, int nodes) {

    /** Under a new name. */
    public LeaseRequest(String site, MatchRoom room, String holder, Claimant claimant, int nodes) {
        this(UUID.randomUUID(), site, room, holder, claimant, nodes);
    }

    /** The same in another room. */
    public LeaseRequest within(MatchRoom other) {
        return new LeaseRequest(id, site, other, holder, claimant, nodes);
    }

    /** How many of the site's matches the lease counts for. */
    public int matches() {
        return isDrain() ? MatchRoom.ALL : room.matches(nodes);
    }

    private boolean isDrain() {
        return holder.equals(Lease.DRAINED);
    }

    /**
     * Whether the site has room for it. To be drained it needs none, and it is drained once.
     *
     * @param counted matches of leases that are held there
     * @param held all leases, asked for only if they are needed
     */
    public boolean fits(long counted, Supplier<List<Lease>> held) {
        return counted < MatchRoom.ALL
                && (isDrain() || MatchRoom.current(room.ad(), site, counted, held) + matches() <= room.most());
    }

    /** The refusal of a name that another lease has. */
    public IllegalArgumentException isTaken() {
        return new IllegalArgumentException("A claim that is held has this id (" + id + "); expected a new one.");
    }
}
