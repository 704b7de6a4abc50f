package org.metasched.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.metasched.leases.HolderEvidence.Sight;
import org.metasched.leases.Lease.Claimant;

/** What all leases on matches do: in a file, in a database, and behind a server with either. */
public abstract class MatchLeasesContract {

    protected static final Claimant THERE = Claimant.elsewhere("ann@there");
    protected static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-05T08:00:00Z"), ZoneOffset.UTC);

    /** The same store each time; only the clock and the evidence are others. */
    protected abstract LeaseStore store(Clock clock, HolderEvidence evidence) throws Exception;

    /** The leases of that store, from where a claimant sees them. */
    protected MatchLeases leases(LeaseStore store) throws Exception {
        return store;
    }

    /** A request for one match of a site that has so many. */
    protected LeaseRequest request(String site, int most, String holder, Claimant claimant) {
        return LeaseSamples.request(site, most, holder, claimant);
    }

    /** Who the store takes such a claimant for. */
    protected Claimant known(Claimant claimant) {
        return claimant;
    }

    /** Whether claimants choose the names of their leases, and their processes are looked for. */
    protected boolean isLocal() {
        return true;
    }

    private LeaseStore after(Duration time, Sight sight) throws Exception {
        return store(Clock.offset(CLOCK, time), lease -> sight);
    }

    private UUID acquire(LeaseStore store, String site, int most, String holder) throws Exception {
        return leases(store).acquire(request(site, most, holder, THERE)).orElseThrow();
    }

    @Test
    void acquiresNoMoreThanThereIsRoomForWhateverTheCaseOfTheName() throws Exception {
        var store = after(Duration.ZERO, Sight.UNSEEN);
        MatchLeases leases = leases(store);

        assertThat(leases.acquire(request("wisc", 2, "/dags/1", THERE))).isPresent();
        assertThat(leases.acquire(request("WISC", 2, "/dags/2", THERE))).isPresent();
        assertThat(leases.acquire(request("wisc", 2, "/dags/3", THERE))).isEmpty();
        assertThat(leases.acquire(request("fnal", 1, "/dags/3", THERE))).isPresent();
        assertThat(store.counts()).containsEntry("wisc", 2).containsEntry("fnal", 1);
        assertThat(store.count("Wisc")).isEqualTo(2);
    }

    @Test
    void aDrainedSiteGrantsNothingUntilTheDrainEnds() throws Exception {
        var store = after(Duration.ZERO, Sight.UNSEEN);
        MatchLeases leases = leases(store);
        UUID held = acquire(store, "wisc", 9, "/dags/1");

        UUID drain = acquire(store, "wisc", 9, Lease.DRAINED);

        assertThat(leases.acquire(request("WISC", 9, "/dags/2", THERE))).isEmpty();
        assertThat(leases.acquire(request("wisc", 9, Lease.DRAINED, THERE)))
                .as("once")
                .isEmpty();
        assertThat(leases.acquire(request("fnal", 9, "/dags/2", THERE))).isPresent();
        assertThat(leases.renew(held)).as("what is there stays").isTrue();
        assertThat(leases.release(drain)).isTrue();
        assertThat(leases.acquire(request("wisc", 9, "/dags/2", THERE))).isPresent();
    }

    @Test
    void aLeaseKeepsWhatItWasAcquiredWithAndTokensGrow() throws Exception {
        var store = after(Duration.ZERO, Sight.UNSEEN);
        UUID one = acquire(store, "wisc", 9, "/dags/a b\n\u00e9");
        UUID two = acquire(store, "wisc", 9, "/dags/2");
        Lease first = store.find(one).orElseThrow();
        Lease second = store.find(two).orElseThrow();
        assertThat(leases(store).release(two)).isTrue();
        UUID three = acquire(store, "wisc", 9, "/dags/3");
        Lease third = store.find(three).orElseThrow();

        assertThat(store.held()).containsExactly(first, third);
        assertThat(first.claimant()).isEqualTo(known(THERE));
        assertThat(first.holder()).isEqualTo("/dags/a b\n\u00e9");
        assertThat(first.taken()).isEqualTo(CLOCK.instant());
        assertThat(first.leaseEnd()).isEqualTo(CLOCK.instant().plus(MatchLeases.LEASE_TIME));
        assertThat(third.token()).isGreaterThan(second.token());
        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    void aNameThatIsHeldIsRefused() throws Exception {
        assumeTrue(isLocal(), "a server chooses the names of leases");
        var store = after(Duration.ZERO, Sight.UNSEEN);
        LeaseRequest request = request("wisc", 2, "/dags/1", THERE);
        assertThat(store.acquire(request)).contains(request.id());

        assertThatThrownBy(() -> store.acquire(request))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(request.id().toString());
    }

    @Test
    void aReleasedLeaseMakesRoomOnce() throws Exception {
        var store = after(Duration.ZERO, Sight.UNSEEN);
        MatchLeases leases = leases(store);
        UUID lease = acquire(store, "wisc", 1, "/dags/1");
        assertThat(leases.commit(lease)).isTrue();

        assertThat(leases.release(lease)).isTrue();
        assertThat(leases.release(lease)).isFalse();
        assertThat(leases.commit(lease)).isFalse();
        assertThat(leases.renew(lease)).isFalse();
        assertThat(leases.acquire(request("wisc", 1, "/dags/2", THERE))).isPresent();
    }

    @Test
    void anUncommittedLeaseLapsesAfterItsTimeUnlessItIsRenewed() throws Exception {
        UUID left = acquire(after(Duration.ZERO, Sight.UNSEEN), "wisc", 9, "left");
        UUID renewed = acquire(after(Duration.ZERO, Sight.UNSEEN), "wisc", 9, "renewed");
        assertThat(leases(after(Duration.ofMinutes(9), Sight.UNSEEN)).renew(renewed))
                .isTrue();

        assertThat(after(Duration.ofMinutes(9), Sight.MISSING).held()).hasSize(2);
        var later = after(Duration.ofMinutes(11), Sight.UNSEEN);
        assertThat(later.held()).extracting(Lease::id).containsExactly(renewed);
        assertThat(leases(later).commit(left)).isFalse();
        assertThat(after(Duration.ofMinutes(20), Sight.UNSEEN).held()).isEmpty();
    }

    @Test
    void aCommittedLeaseOutlivesEveryLeaseTime() throws Exception {
        var store = after(Duration.ZERO, Sight.UNSEEN);
        assertThat(leases(store).commit(acquire(store, "wisc", 1, "/dags/1"))).isTrue();

        assertThat(after(Duration.ofDays(400), Sight.MISSING).count("wisc")).isEqualTo(1);
        assertThat(leases(after(Duration.ofDays(400), Sight.UNSEEN)).acquire(request("wisc", 1, "/dags/2", THERE)))
                .isEmpty();
    }

    @Test
    void aClaimantThatLivesNeedsNoLeaseTimeAndOneThatDiedIsSettledByWhatIsSeen() throws Exception {
        assumeTrue(isLocal(), "a server does not look for the processes of its claimants");
        ProcessMark here = ProcessMark.current();
        var died = new Claimant("ann@here", new ProcessMark(here.host(), here.pid(), here.began() + 1));
        var store = after(Duration.ZERO, Sight.UNSEEN);
        assertThat(store.acquire(request("wisc", 9, "lives", Claimant.here()))).isPresent();
        assertThat(store.acquire(request("wisc", 9, "dead", died))).isPresent();

        assertThat(store.held()).extracting(Lease::holder).containsExactly("lives", "dead");
        assertThat(after(Duration.ofHours(1), Sight.UNSEEN).held())
                .extracting(Lease::holder)
                .containsExactly("lives");
        assertThat(store.acquire(request("wisc", 9, "dead again", died))).isPresent();
        assertThat(after(Duration.ZERO, Sight.MISSING).held())
                .extracting(Lease::holder)
                .containsExactly("lives");
        UUID bound = store.acquire(request("wisc", 9, "bound", died)).orElseThrow();
        assertThat(after(Duration.ZERO, Sight.HOLDS).find(bound))
                .get()
                .extracting(Lease::committed)
                .isEqualTo(true);
    }

    @Test
    void manyThreadsNeverExceedTheRoom() throws Exception {
        var store = after(Duration.ZERO, Sight.UNSEEN);
        MatchLeases leases = leases(store);
        var request = request("wisc", 3, "/dags/x", THERE);
        var pool = Executors.newFixedThreadPool(8);
        var most = new AtomicInteger();
        List<Callable<Integer>> takers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            takers.add(() -> {
                int acquired = 0;
                for (int turn = 0; turn < (isLocal() ? 20 : 5); turn++) {
                    var lease = leases.acquire(
                            new LeaseRequest(request.site(), request.room(), request.holder(), request.claimant(), 1));
                    most.accumulateAndGet(store.count("wisc"), Math::max);
                    if (lease.isPresent()) {
                        acquired++;
                        assertThat(leases.release(lease.get())).isTrue();
                    }
                }
                return acquired;
            });
        }
        int acquired = 0;
        for (var result : pool.invokeAll(takers)) {
            acquired += result.get();
        }
        pool.shutdown();

        assertThat(acquired).isPositive();
        assertThat(most.get()).isBetween(1, 3);
        assertThat(store.held()).isEmpty();
    }
}
