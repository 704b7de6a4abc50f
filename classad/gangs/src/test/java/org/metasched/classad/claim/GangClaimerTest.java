package org.metasched.classad.claim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.SettableClock;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.claim.ClaimOutcome.Claimed;
import org.metasched.classad.claim.ClaimOutcome.Failed;
import org.metasched.classad.gang.DynamicGangmatcher;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.Gangmatcher;
import org.metasched.classad.gang.PortedAd;

class GangClaimerTest {

    private static final Duration LEASE = Duration.ofMinutes(5);

    /** A job that needs a workstation and a licence that is valid there. */
    private static final String JOB = """
            [ Name = "job"; Type = "Job"; Ports = {
                [ Label = cpu; Rank = cpu.Memory; Requirements = cpu.Type == "Machine" && cpu.LoadAvg < 0.3 ],
                [ Label = licence; Requirements = licence.Type == "Licence" && licence.Host == cpu.Name ] } ]
            """;

    private final SettableClock clock = SettableClock.at("2026-01-05T08:00:00Z");
    private final Gangmatcher matcher = new DynamicGangmatcher();
    private final Map<String, ClassAd> current = new LinkedHashMap<>();
    private final Map<String, FragileParty> parties = new LinkedHashMap<>();
    private final MemoryJournal journal = new MemoryJournal();

    @BeforeEach
    void twoWorkstationsWithALicenceEach() throws Exception {
        advertise("job", JOB);
        advertise("big", machine("big", 256, 0.1));
        advertise("small", machine("small", 64, 0.1));
        advertise("licence-big", licence("licence-big", "big"));
        advertise("licence-small", licence("licence-small", "small"));
    }

    @Test
    void everyMemberOfTheBestGangIsClaimed() {
        var claimed = claimer().marshalAndClaim(root(), pool());

        assertThat(claimed).isPresent();
        assertThat(holders()).containsExactlyInAnyOrder("job", "big", "licence-big");
        assertThat(journal.open()).isEmpty();
    }

    @Test
    void aMemberWhoseAdHasChangedDeclinesAndTheNextGangIsClaimed() throws Exception {
        var pool = pool();
        current.put("big", ClassAd.parse(machine("big", 256, 0.9)));

        var claimed = claimer().marshalAndClaim(root(), pool);

        assertThat(claimed).isPresent();
        assertThat(holders()).containsExactlyInAnyOrder("job", "small", "licence-small");
        assertThat(party("licence-big").agent.isFree()).isTrue();
    }

    @Test
    void aMemberThatSomebodyElseClaimedMeanwhileDeclines() {
        var first = claimer().marshalAndClaim(root(), pool()).orElseThrow();
        party("job").agent.withdraw(first.claim());

        var second = claimer().marshalAndClaim(root(), pool());

        assertThat(second).isPresent();
        assertThat(holders()).contains("big", "licence-big", "small", "licence-small");
    }

    @Test
    void aPreparationThatArrivesAgainLeavesTheClaimEstablished() {
        var claimed = claimer().marshalAndClaim(root(), pool()).orElseThrow();
        var ads = claimed.gang().members().stream()
                .map(member -> member.ad().ad())
                .toList();
        int big = ads.stream().map(GangClaimerTest::name).toList().indexOf("big");

        assertThat(party("big").agent.prepare(claimed.claim(), ads, big, "ticket of big", claimed.leaseEnds()))
                .isInstanceOf(ClaimAnswer.Agreed.class);
        assertThat(holders()).contains("big");
    }

    @Test
    void aWrongTicketIsDeclined() {
        var impostor = new GangClaimer(
                matcher, ad -> new GangClaimer.Contact(party(name(ad)), "guessed"), journal, LEASE, clock);

        var gang = matcher.marshal(root(), pool()).gang().orElseThrow();

        assertThat(impostor.claim(gang, ClaimId.random()))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.reason()).contains("ticket"));
        assertThat(holders()).isEmpty();
    }

    @Test
    void aMemberThatForgotItsClaimInACrashMakesTheOthersFree() {
        var claimer = claimer();
        var claimed = claimer.marshalAndClaim(root(), pool()).orElseThrow();
        party("big").restart();

        var renewed = claimer.renew(claimed);

        assertThat(renewed).isInstanceOf(Failed.class);
        assertThat(holders()).isEmpty();
    }

    @Test
    void aRenewedClaimOutlivesItsFirstLeaseAndAnotherOneDoesNot() {
        var claimer = claimer();
        var claimed = claimer.marshalAndClaim(root(), pool()).orElseThrow();

        clock.advance(LEASE.dividedBy(2));
        assertThat(claimer.renew(claimed)).isInstanceOf(Claimed.class);
        clock.advance(LEASE.dividedBy(2));

        assertThat(holders()).hasSize(3);
        clock.advance(LEASE);
        assertThat(holders()).isEmpty();
    }

    @Test
    void whereverItBreaksNothingStaysHalfClaimed() {
        long seed = Long.getLong("claim.seed", 20261121L);
        System.out.println("claim.seed=" + seed);
        var random = new Random(seed);
        int claimedAll = 0;
        int claimedNothing = 0;
        for (int round = 0; round < 2_000; round++) {
            int breakAt = random.nextInt(20);
            boolean claimantCrashes = random.nextBoolean();
            var faults = new Faults(breakAt, claimantCrashes, random.nextBoolean());
            parties.values().forEach(party -> party.faults = faults);

            boolean crashed = false;
            try {
                claimer().marshalAndClaim(root(), pool());
            } catch (ClaimantCrash e) {
                crashed = true;
            }
            parties.values().forEach(party -> party.faults = Faults.NONE);
            if (crashed && random.nextBoolean()) {
                assertThat(claimer().recover()).isZero();
            } else if (crashed) {
                clock.advance(LEASE.plusSeconds(1));
            }

            List<String> holders = holders();
            if (holders.isEmpty()) {
                claimedNothing++;
            } else {
                assertThat(holders)
                        .as("round %d, broken at step %d", round, breakAt)
                        .hasSize(3);
                assertThat(parties.values().stream()
                                .flatMap(party -> party.agent.claimedBy().stream())
                                .distinct())
                        .hasSize(1);
                claimedAll++;
            }
            clock.advance(LEASE.plusSeconds(1));
            assertThat(holders()).isEmpty();
            journal.open.clear();
        }
        assertThat(claimedAll).isPositive();
        assertThat(claimedNothing).isPositive();
    }

    private FragileParty party(String name) {
        return Objects.requireNonNull(parties.get(name));
    }

    private GangClaimer claimer() {
        return new GangClaimer(
                matcher,
                ad -> new GangClaimer.Contact(party(name(ad)), "ticket of " + name(ad)),
                journal,
                LEASE,
                clock);
    }

    private PortedAd root() {
        return PortedAd.of(advertised.get(0));
    }

    private final List<ClassAd> advertised = new ArrayList<>();

    private GangPool pool() {
        return new GangPool(advertised.subList(1, advertised.size()));
    }

    private List<String> holders() {
        return parties.entrySet().stream()
                .filter(entry -> entry.getValue().agent.claimedBy().isPresent())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void advertise(String name, String text) throws ClassAdSyntaxException {
        var ad = ClassAd.parse(text);
        advertised.add(ad);
        current.put(name, ad);
        parties.put(name, new FragileParty(name));
    }

    private static String machine(String name, int memory, double load) {
        return "[Name = \"" + name + "\"; Type = \"Machine\"; Memory = " + memory + "; LoadAvg = " + load
                + "; Requirements = TARGET.Type == \"Job\"]";
    }

    private static String licence(String name, String host) {
        return "[Name = \"" + name + "\"; Type = \"Licence\"; Host = \"" + host + "\"; Requirements = true]";
    }

    private static String name(ClassAd ad) {
        return ((org.metasched.classad.Value.Text) ad.evaluate("Name")).text();
    }

    /** The claiming side is killed. */
    private static final class ClaimantCrash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Breaks one step of many: before or after it has happened, at the member's end or at the claimant's. */
    private static final class Faults {
        private static final Faults NONE = new Faults(-1, false, false);
        private final boolean claimantCrashes;
        private final boolean afterwards;
        private int left;

        private Faults(int breakAt, boolean claimantCrashes, boolean afterwards) {
            this.left = breakAt;
            this.claimantCrashes = claimantCrashes;
            this.afterwards = afterwards;
        }

        private boolean isNow() {
            return left-- == 0;
        }
    }

    private interface Step<T> {
        T take();
    }

    /** An agent behind a bad line. */
    private final class FragileParty implements ClaimParty {
        private final String name;
        private Faults faults = Faults.NONE;
        private ResourceAgent agent;

        private FragileParty(String name) {
            this.name = name;
            this.agent = newAgent();
        }

        private ResourceAgent newAgent() {
            return new ResourceAgent(
                    () -> Objects.requireNonNull(current.get(name)), "ticket of " + name, matcher, clock);
        }

        private void restart() {
            agent = newAgent();
        }

        @Override
        public ClaimAnswer prepare(ClaimId claim, List<ClassAd> gang, int member, String ticket, Instant leaseEnds)
                throws PartyUnreachableException {
            return step(() -> agent.prepare(claim, gang, member, ticket, leaseEnds));
        }

        @Override
        public ClaimAnswer establish(ClaimId claim, Instant leaseEnds) throws PartyUnreachableException {
            return step(() -> agent.establish(claim, leaseEnds));
        }

        @Override
        public void withdraw(ClaimId claim) throws PartyUnreachableException {
            step(() -> {
                agent.withdraw(claim);
                return new ClaimAnswer.Agreed();
            });
        }

        private ClaimAnswer step(Step<ClaimAnswer> step) throws PartyUnreachableException {
            if (!faults.isNow()) {
                return step.take();
            }
            if (faults.afterwards) {
                step.take();
            }
            if (faults.claimantCrashes) {
                throw new ClaimantCrash();
            }
            throw new PartyUnreachableException("the line is dead");
        }
    }

    private static final class MemoryJournal implements ClaimJournal {
        private final Map<ClaimId, List<ClassAd>> open = new LinkedHashMap<>();

        @Override
        public void begin(ClaimId claim, List<ClassAd> members) {
            open.put(claim, members);
        }

        @Override
        public void end(ClaimId claim) {
            open.remove(claim);
        }

        @Override
        public List<Open> open() {
            return open.entrySet().stream()
                    .map(entry -> new Open(entry.getKey(), entry.getValue()))
                    .toList();
        }
    }
}
