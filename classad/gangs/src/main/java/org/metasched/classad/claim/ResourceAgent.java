package org.metasched.classad.claim;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.claim.ClaimAnswer.Agreed;
import org.metasched.classad.claim.ClaimAnswer.Declined;
import org.metasched.classad.gang.Gangmatcher;

/**
 * An agent that owns one resource and gives it to one claim at a time. It decides by its ad as it is now: a gang that could not be
 * marshalled with that ad in place of the advertised one is declined.
 *
 * <p>Nothing is kept on a disk: after a crash the resource is free, and {@link #establish renewing} an old claim is declined, which makes
 * the claimant give up the other members too. Thread-safe.
 */
public final class ResourceAgent implements ClaimParty {

    /** The claim that has the resource. */
    private record Held(ClaimId claim, Instant leaseEnds, boolean established) {}

    private final Supplier<ClassAd> current;
    private final String ticket;
    private final Gangmatcher matcher;
    private final Clock clock;
    private @Nullable Held held;

    /**
     * @param current the ad as it is now
     * @param ticket the ticket that a matched customer can show
     * @param matcher matcher that checks a gang again
     */
    public ResourceAgent(Supplier<ClassAd> current, String ticket, Gangmatcher matcher, Clock clock) {
        this.current = current;
        this.ticket = ticket;
        this.matcher = matcher;
        this.clock = clock;
    }

    @Override
    public ClaimAnswer prepare(ClaimId claim, List<ClassAd> gang, int member, String shownTicket, Instant leaseEnds) {
        Optional<Declined> objection = objection(ticket, shownTicket, gang, member, current.get(), matcher);
        if (objection.isPresent()) {
            return objection.get();
        }
        synchronized (this) {
            Held other = unexpired();
            if (other != null && !other.claim().equals(claim)) {
                return new Declined("it is claimed by another until " + other.leaseEnds());
            }
            // A call that arrives again after the second phase changes nothing.
            held = other != null && other.established() ? other : new Held(claim, leaseEnds, false);
            return new Agreed();
        }
    }

    @Override
    public synchronized ClaimAnswer establish(ClaimId claim, Instant leaseEnds) {
        Held mine = unexpired();
        if (mine == null || !mine.claim().equals(claim)) {
            return new Declined("it does not know the claim any more");
        }
        held = new Held(claim, leaseEnds, true);
        return new Agreed();
    }

    @Override
    public synchronized void withdraw(ClaimId claim) {
        Held mine = held;
        if (mine != null && mine.claim().equals(claim)) {
            held = null;
        }
    }

    /** The claim that is established now, if one is. */
    public synchronized Optional<ClaimId> claimedBy() {
        return Optional.ofNullable(unexpired()).filter(Held::established).map(Held::claim);
    }

    /** Whether no claim has the resource now, prepared or established. */
    public synchronized boolean isFree() {
        return unexpired() == null;
    }

    private @Nullable Held unexpired() {
        Held some = held;
        return some != null && some.leaseEnds().isAfter(clock.instant()) ? some : null;
    }

    /**
     * The objection of one member's owner to a gang, if there is one.
     *
     * @param ticket advertised ticket; empty if any caller may claim the resource
     * @param shown ticket that the caller shows
     * @param member index of the member in {@code gang}, which has the root first
     * @param now the member's ad as it is now
     */
    public static Optional<Declined> objection(
            String ticket, String shown, List<ClassAd> gang, int member, ClassAd now, Gangmatcher matcher) {
        if (!ticket.isEmpty()
                && !MessageDigest.isEqual(
                        ticket.getBytes(StandardCharsets.UTF_8), shown.getBytes(StandardCharsets.UTF_8))) {
            return Optional.of(new Declined("the ticket is not the one that was advertised"));
        }
        if (member < 0 || member >= gang.size()) {
            return Optional.of(new Declined("there is no member " + member + " in a gang of " + gang.size()));
        }
        return isStillAGang(gang, member, now, matcher)
                ? Optional.empty()
                : Optional.of(new Declined("its current ad and the gang do not match any more", Optional.of(now)));
    }

    /** Whether the same members, with one's ad as it is now, still make a gang of all of them. */
    private static boolean isStillAGang(List<ClassAd> gang, int member, ClassAd now, Gangmatcher matcher) {
        var ads = new ArrayList<>(gang);
        ads.set(member, now);
        try {
            return matcher.marshal(ads.get(0), ads.subList(1, ads.size()))
                    .filter(found -> found.members().size() == ads.size())
                    .isPresent();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
