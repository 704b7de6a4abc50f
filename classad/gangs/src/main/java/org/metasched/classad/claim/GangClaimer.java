package org.metasched.classad.claim;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.metasched.classad.ClassAd;
import org.metasched.classad.claim.ClaimAnswer.Declined;
import org.metasched.classad.claim.ClaimOutcome.Claimed;
import org.metasched.classad.claim.ClaimOutcome.Failed;
import org.metasched.classad.gang.Gang;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.Gangmatcher;
import org.metasched.classad.gang.PortedAd;

/**
 * Claims gangs in two phases, from the root down the tree. First every member checks the gang against its current ad and
 * sets itself aside; the claims are established once all have agreed. If a member refuses, the claim is withdrawn from all
 * members, and matching starts over without that member.
 *
 * <p>Thread-safe if the parties are; a pool belongs to one call.
 *
 * @param contacts contact of the agent behind an ad
 * @param lease time after which a claim ends unless it is renewed
 */
public record GangClaimer(
        Gangmatcher matcher, Function<ClassAd, Contact> contacts, ClaimJournal journal, Duration lease, Clock clock) {

    /** The party behind an ad, and the ticket that the collector keeps for the matched party. */
    public record Contact(ClaimParty party, String ticket) {}

    /**
     * Matches and claims until a gang agrees, the root refuses, or no gang is left. The members of the gang are taken from the pool,
     * and so are the members that refused.
     */
    public Optional<Claimed> marshalAndClaim(PortedAd root, GangPool pool) {
        return marshalAndClaim(root, pool, ClaimId::random, failed -> {});
    }

    /**
     * Matches and claims, as {@link #marshalAndClaim(PortedAd, GangPool)} does.
     *
     * @param ids ids for the attempts
     * @param failures receives the reason why a gang was not claimed
     */
    public Optional<Claimed> marshalAndClaim(
            PortedAd root, GangPool pool, Supplier<ClaimId> ids, Consumer<Failed> failures) {
        while (true) {
            Optional<Gang> found = matcher.marshal(root, pool).gang();
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Gang gang = found.get();
            pool.consume(gang);
            ClaimOutcome outcome = claim(gang, ids.get());
            if (!(outcome instanceof Failed failed)) {
                return Optional.of((Claimed) outcome);
            }
            failures.accept(failed);
            gang.offers().stream().filter(offer -> offer != failed.offer()).forEach(pool::restore);
            if (failed.offer() < 0) {
                return Optional.empty();
            }
        }
    }

    /** Claims one gang, all of it or nothing. */
    public ClaimOutcome claim(Gang gang, ClaimId claim) {
        List<ClassAd> ads =
                gang.members().stream().map(member -> member.ad().ad()).toList();
        journal.begin(claim, ads);
        Instant leaseEnds = clock.instant().plus(lease);
        Step prepare = (member, contact) -> contact.party().prepare(claim, ads, member, contact.ticket(), leaseEnds);
        Step establish = (member, contact) -> contact.party().establish(claim, leaseEnds);
        Optional<Failed> failure = eachMember(gang, prepare).or(() -> eachMember(gang, establish));
        if (failure.isPresent()) {
            withdraw(claim, ads);
            return failure.get();
        }
        journal.end(claim);
        return new Claimed(claim, gang, leaseEnds);
    }

    /** Renews a claim at every member; if one declines or cannot be reached, the claim is withdrawn from all. */
    public ClaimOutcome renew(Claimed held) {
        Instant leaseEnds = clock.instant().plus(lease);
        Optional<Failed> failure =
                eachMember(held.gang(), (member, contact) -> contact.party().establish(held.claim(), leaseEnds));
        if (failure.isPresent()) {
            release(held);
            return failure.get();
        }
        return new Claimed(held.claim(), held.gang(), leaseEnds);
    }

    /** Gives a claim back at every member. */
    public void release(Claimed held) {
        List<ClassAd> ads =
                held.gang().members().stream().map(member -> member.ad().ad()).toList();
        journal.begin(held.claim(), ads);
        withdraw(held.claim(), ads);
    }

    /** Withdraws every attempt that was under way before a restart; returns the number of attempts with a member that was not reached. */
    public int recover() {
        int left = 0;
        for (var open : journal.open()) {
            left += withdraw(open.claim(), open.members()) ? 0 : 1;
        }
        return left;
    }

    private interface Step {
        ClaimAnswer take(int member, Contact contact) throws PartyUnreachableException;
    }

    /** Asks one member after the other, the root first, up to the first that does not agree. */
    private Optional<Failed> eachMember(Gang gang, Step step) {
        List<Gang.Member> members = gang.members();
        for (int i = 0; i < members.size(); i++) {
            Gang.Member member = members.get(i);
            try {
                ClaimAnswer answer = step.take(i, contacts.apply(member.ad().ad()));
                if (answer instanceof Declined declined) {
                    return Optional.of(
                            new Failed(member.offer(), member.ad().name() + " declined: " + declined.reason()));
                }
            } catch (PartyUnreachableException e) {
                return Optional.of(
                        new Failed(member.offer(), member.ad().name() + " gave no answer: " + e.getMessage()));
            }
        }
        return Optional.empty();
    }

    /** Withdraws a claim; returns whether every member was reached. Others are left to their leases and to {@link #recover}. */
    private boolean withdraw(ClaimId claim, List<ClassAd> members) {
        boolean all = true;
        for (ClassAd ad : members) {
            try {
                contacts.apply(ad).party().withdraw(claim);
            } catch (PartyUnreachableException e) {
                all = false;
            }
        }
        if (all) {
            journal.end(claim);
        }
        return all;
    }
}
