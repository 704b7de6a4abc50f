package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.metasched.publisher.Claims;
import org.metasched.publisher.Claims.Claimant;
import org.metasched.publisher.Evidence;
import org.metasched.publisher.Evidence.Sight;
import org.metasched.publisher.HeldMatch;
import org.metasched.publisher.HeldMatch.ProcessMark;

/** What every count of claims must do. */
abstract class ClaimsContract {

    static final Claimant THERE = Claimant.elsewhere("ann@there");
    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-05T08:00:00Z"), ZoneOffset.UTC);

    /** The same count each time; only the clock and the evidence are others. */
    protected abstract Claims claims(Clock clock, Evidence evidence) throws IOException;

    private Claims after(Duration time, Sight sight) throws IOException {
        return claims(Clock.offset(CLOCK, time), match -> sight);
    }

    @Test
    void takesNoMoreThanThereIsRoomForWhateverTheCaseOfTheName() throws Exception {
        var claims = after(Duration.ZERO, Sight.UNSEEN);

        assertThat(claims.take("wisc", 2, "/dags/1", THERE)).isPresent();
        assertThat(claims.take("WISC", 2, "/dags/2", THERE)).isPresent();
        assertThat(claims.take("wisc", 2, "/dags/3", THERE)).isEmpty();
        assertThat(claims.take("fnal", 1, "/dags/3", THERE)).isPresent();
        assertThat(claims.counts()).containsEntry("wisc", 2).containsEntry("fnal", 1);
        assertThat(claims.count("Wisc")).isEqualTo(2);
    }

    @Test
    void aClaimKeepsWhatItWasTakenWithAndTokensGrow() throws Exception {
        var claims = after(Duration.ZERO, Sight.UNSEEN);
        HeldMatch first = claims.take("wisc", 9, "/dags/a b\n\u00e9", THERE).orElseThrow();
        HeldMatch second = claims.take("wisc", 9, "/dags/2", Claimant.here()).orElseThrow();
        claims.release(second.id());
        HeldMatch third = claims.take("wisc", 9, "/dags/3", THERE).orElseThrow();

        assertThat(claims.held()).containsExactly(first, third);
        assertThat(first.owner()).isEqualTo("ann@there");
        assertThat(first.holder()).isEqualTo("/dags/a b\n\u00e9");
        assertThat(third.token()).isGreaterThan(second.token());
        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    void aReleasedClaimMakesRoomOnce() throws Exception {
        var claims = after(Duration.ZERO, Sight.UNSEEN);
        HeldMatch match = claims.take("wisc", 1, "/dags/1", THERE).orElseThrow();
        assertThat(claims.confirm(match.id())).isTrue();

        assertThat(claims.release(match.id())).isTrue();
        assertThat(claims.release(match.id())).isFalse();
        assertThat(claims.confirm(match.id())).isFalse();
        assertThat(claims.renew(match.id())).isFalse();
        assertThat(claims.take("wisc", 1, "/dags/2", THERE)).isPresent();
    }

    @Test
    void anUnconfirmedClaimLapsesAfterItsLeaseUnlessItIsRenewed() throws Exception {
        HeldMatch left = after(Duration.ZERO, Sight.UNSEEN)
                .take("wisc", 9, "left", THERE)
                .orElseThrow();
        HeldMatch renewed = after(Duration.ZERO, Sight.UNSEEN)
                .take("wisc", 9, "renewed", THERE)
                .orElseThrow();
        assertThat(after(Duration.ofMinutes(9), Sight.UNSEEN).renew(renewed.id()))
                .isTrue();

        assertThat(after(Duration.ofMinutes(9), Sight.MISSING).held()).hasSize(2);
        var later = after(Duration.ofMinutes(11), Sight.UNSEEN);
        assertThat(later.held()).extracting(HeldMatch::id).containsExactly(renewed.id());
        assertThat(later.confirm(left.id())).isFalse();
        assertThat(after(Duration.ofMinutes(20), Sight.UNSEEN).held()).isEmpty();
    }

    @Test
    void aConfirmedClaimOutlivesEveryLease() throws Exception {
        HeldMatch match = after(Duration.ZERO, Sight.UNSEEN)
                .take("wisc", 1, "/dags/1", THERE)
                .orElseThrow();
        after(Duration.ZERO, Sight.UNSEEN).confirm(match.id());

        assertThat(after(Duration.ofDays(400), Sight.MISSING).count("wisc")).isEqualTo(1);
        assertThat(after(Duration.ofDays(400), Sight.UNSEEN).take("wisc", 1, "/dags/2", THERE))
                .isEmpty();
    }

    @Test
    void aClaimantThatLivesNeedsNoLeaseAndOneThatDiedIsSettledByWhatIsSeen() throws Exception {
        ProcessMark here = ProcessMark.current();
        var died = new Claimant("ann@here", new ProcessMark(here.host(), here.pid(), here.began() + 1));
        var claims = after(Duration.ZERO, Sight.UNSEEN);
        HeldMatch lives = claims.take("wisc", 9, "lives", Claimant.here()).orElseThrow();
        HeldMatch dead = claims.take("wisc", 9, "dead", died).orElseThrow();

        assertThat(claims.held()).containsExactly(lives, dead);
        assertThat(after(Duration.ofHours(1), Sight.UNSEEN).held())
                .extracting(HeldMatch::holder)
                .containsExactly("lives");
        claims.take("wisc", 9, "dead again", died);
        assertThat(after(Duration.ZERO, Sight.MISSING).held())
                .extracting(HeldMatch::holder)
                .containsExactly("lives");
        claims.take("wisc", 9, "bound", died);
        assertThat(after(Duration.ZERO, Sight.HOLDS).find(claims.held().get(1).id()))
                .get()
                .extracting(HeldMatch::confirmed)
                .isEqualTo(true);
    }

    @Test
    void manyThreadsNeverExceedTheRoom() throws Exception {
        var claims = after(Duration.ZERO, Sight.UNSEEN);
        var pool = Executors.newFixedThreadPool(8);
        var most = new AtomicInteger();
        List<Callable<Integer>> takers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            takers.add(() -> {
                int taken = 0;
                for (int turn = 0; turn < 20; turn++) {
                    var match = claims.take("wisc", 3, "/dags/x", THERE);
                    most.accumulateAndGet(claims.count("wisc"), Math::max);
                    if (match.isPresent()) {
                        taken++;
                        claims.release(match.get().id());
                    }
                }
                return taken;
            });
        }
        int taken = 0;
        for (var result : pool.invokeAll(takers)) {
            taken += result.get();
        }
        pool.shutdown();

        assertThat(taken).isPositive();
        assertThat(most.get()).isBetween(1, 3);
        assertThat(claims.held()).isEmpty();
    }
}
