package org.metasched.matches;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.metasched.adapter.DisplayText;
import org.metasched.leases.Lease;
import org.metasched.leases.Lease.Claimant;
import org.metasched.leases.LeaseRequest;
import org.metasched.leases.LeaseStore;
import org.metasched.leases.MatchRoom;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Authorizer.Call;
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.ProtectedResource;

/**
 * Matches as callers may hold them through any interface: acquired within a quota; renewed, committed and released by their owner. A match
 * of another owner is as unknown as one that is not held. Thread-safe.
 *
 * @param ownerOf owner of a match, as policies name subjects
 */
public record OwnMatches(LeaseStore leases, Function<Lease, String> ownerOf, Authorizer guard) {

    private static final int LONGEST_HOLDER = 4096;

    /**
     * Takes a match of a site for the caller; empty when the site has no room.
     *
     * @param holder purpose of the match, such as the directory of a DAG
     * @param nodes number of nodes of the holder's DAG
     * @throws IllegalArgumentException when the holder has no fit name, or that of a claim, there are no nodes, or no ad of the site is known
     * @throws NotAllowedException when the caller has as many matches of the site as it may have, or may not drain it
     */
    public Optional<UUID> take(Call call, String site, String holder, int nodes) {
        if (holder.isBlank() || holder.length() > LONGEST_HOLDER) {
            throw new IllegalArgumentException(
                    "The holder must have 1 to " + LONGEST_HOLDER + " characters, but has " + holder.length() + ".");
        }
        if (holder.toLowerCase(Locale.ROOT).startsWith(Lease.INTRODUCED)) {
            throw new IllegalArgumentException("The holder (" + DisplayText.of(holder) + ") must not begin with "
                    + Lease.INTRODUCED + " as that of a claim; the claiming service gives claims.");
        }
        if (nodes < 1) {
            throw new IllegalArgumentException("The nodes (" + nodes + ") must be at least 1.");
        }
        var owner = Claimant.elsewhere(call.subject().isKnown() ? call.subject().name() : "?");
        // The server counts by its own ad of the site, not by the room of the request.
        return take(call, new LeaseRequest(site, MatchRoom.exactly(0), holder, owner, nodes));
    }

    /**
     * Takes a match, then counts it with the owner's older ones and gives it back if they are too many: of two taken at once, the older stays. One
     * that drains the site is its owner's to take, and counts in no quota.
     */
    public Optional<UUID> take(Call call, LeaseRequest request) {
        boolean isDrain = request.holder().equals(Lease.DRAINED);
        if (isDrain && !isOwn(call.during("Collector/SettleMatch"), Lease.of(request, 0, Instant.EPOCH))) {
            throw new NotAllowedException(
                    "The site (" + DisplayText.of(request.site()) + ") is drained by its owner and by operators only.",
                    false);
        }
        var taken = leases.acquire(request);
        taken.flatMap(leases::find)
                .filter(lease -> !isDrain)
                .flatMap(lease -> excess(call, lease))
                .ifPresent(reason -> {
                    leases.release(request.id());
                    throw new NotAllowedException(reason, false);
                });
        return taken;
    }

    private Optional<String> excess(Call call, Lease lease) {
        return guard.mayNotTake(call.subject(), lease.site(), lease.matches(), owners -> heldBefore(lease, owners));
    }

    private long heldBefore(Lease lease, Predicate<String> owners) {
        return leases.held().stream()
                .filter(other -> other.token() < lease.token() && other.site().equalsIgnoreCase(lease.site()))
                .filter(other -> owners.test(ownerOf.apply(other)))
                .mapToLong(Lease::matches)
                .sum();
    }

    /** Begins the lease of a match anew; false when the caller does not hold it. */
    public boolean renew(Call call, UUID id) {
        return isOwn(call, id) && leases.renew(id);
    }

    /** Commits a match to its holder until it is released; false when the caller does not hold it. */
    public boolean commit(Call call, UUID id) {
        return isOwn(call, id) && leases.commit(id);
    }

    /** Gives a match back; false when the caller does not hold it. */
    public boolean release(Call call, UUID id) {
        return isOwn(call, id) && leases.release(id);
    }

    private boolean isOwn(Call call, UUID id) {
        return leases.find(id).filter(lease -> isOwn(call, lease)).isPresent();
    }

    private boolean isOwn(Call call, Lease lease) {
        return guard.permits(call, new ProtectedResource("Match", lease.id().toString(), ownerOf.apply(lease)));
    }
}
