package org.metasched.classad.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.Lease;
import org.metasched.leases.LeaseSamples;
import org.metasched.leases.LeaseStore;

/** A machine that is to give up its customer shows that one until its next ad. */
class HeldMatchesTest {

    private static final PoolRules RULES = new PoolRules(Optional.empty(), Optional.empty(), Map.of("xsw", 1.0));

    private final Clock clock = Clock.fixed(Instant.parse("2026-01-05T08:00:00Z"), ZoneOffset.UTC);
    private final InMemoryCollector collector = new InMemoryCollector(clock);
    private final Accountant accountant = new Accountant(Duration.ofDays(1), clock, new NothingKept());

    @TempDir
    private Path folder;

    @BeforeEach
    void aClaimedMachineAndTwoJobsItRanksHigher() throws Exception {
        advertise("[MyType=\"Machine\"; Name=\"m\"; State=\"Claimed\"; RemoteUser=\"eve\"; CurrentRank=0; Rank=5;"
                + " Requirements=TARGET.Needs == \"m\"]");
        for (String job : new String[] {"a", "b"}) {
            advertise("[MyType=\"Job\"; Name=\"" + job + "\"; Owner=\"raman\"; ConcurrencyLimits=\"xsw:0.5\";"
                    + " Needs=\"m\"; Requirements=true]");
        }
    }

    @Test
    void aMachineThatGivesUpItsCustomerIsMatchedOnce() {
        LeaseStore leases = leases(Duration.ZERO);

        assertThat(run(leases)).isEqualTo(1);
        assertThat(run(leases)).isZero();
        assertThat(leases.count("m")).isEqualTo(1);
        assertThat(accountant.standing("raman").inUse()).isEqualTo(1);
        assertThat(accountant.standing("eve").inUse()).isZero();

        assertThat(leases.commit(leases.held().get(0).id())).isTrue();
        assertThat(run(leases)).as("its ad is still the former one").isZero();
    }

    @Test
    void anAdOfLaterSaysWhoHasTheMachineOnceTheMatchIsCommitted() {
        LeaseStore before = leases(Duration.ofMinutes(-1));
        assertThat(before.acquire(
                        LeaseSamples.request("m", 1, Lease.INTRODUCED + "a", Lease.Claimant.elsewhere("raman"))))
                .isPresent();

        assertThat(run(before)).as("may still be activated").isZero();

        assertThat(before.commit(before.held().get(0).id())).isTrue();
        assertThat(run(before)).isEqualTo(1);
    }

    @Test
    void aMatchThatAnAdDoesNotShowCountsAgainstLimits() throws Exception {
        advertise("[MyType=\"Machine\"; Name=\"free\"; Requirements=TARGET.Needs == \"free\"]");
        advertise("[MyType=\"Job\"; Name=\"c\"; Owner=\"raman\"; ConcurrencyLimits=\"xsw:0.6\"; Needs=\"free\";"
                + " JobPrio=-1; Requirements=true]");
        LeaseStore leases = leases(Duration.ZERO);

        assertThat(run(leases)).isEqualTo(1);
        assertThat(run(leases)).isZero();

        assertThat(leases.release(leases.held().get(0).id())).isTrue();
        collector.invalidate(new AdKey("Job", "a"));
        collector.invalidate(new AdKey("Job", "b"));
        assertThat(run(leases)).isEqualTo(1);
    }

    private LeaseStore leases(Duration ahead) {
        return new FileLeases(folder, Clock.offset(clock, ahead), lease -> HolderEvidence.Sight.UNSEEN);
    }

    private int run(LeaseStore leases) {
        return new MatchmakingCycle(SharePolicy.DEFAULT, RULES, accountant, leases, introduction -> {}, clock)
                .run(collector)
                .matches();
    }

    private void advertise(String ad) throws ClassAdSyntaxException {
        collector.advertise(ClassAd.parse(ad));
    }
}
