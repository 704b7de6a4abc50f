package org.metasched.classad.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;
import org.metasched.classad.collector.InMemoryCollector;
import org.metasched.leases.FileLeases;
import org.metasched.leases.HolderEvidence;
import org.metasched.leases.LeaseSamples;

class MatchmakingCycleTest {

    private final Clock clock = Clock.fixed(Instant.parse("2026-01-05T08:00:00Z"), ZoneOffset.UTC);
    private final InMemoryCollector collector = new InMemoryCollector(clock);
    private final Accountant accountant = new Accountant(Duration.ofDays(1), clock, new NothingKept());
    private final List<Introduction> introductions = new ArrayList<>();
    private final MatchmakingCycle cycle = new MatchmakingCycle(
            SharePolicy.DEFAULT, PoolRules.DEFAULT, accountant, LeaseSamples.uncounted(), introductions::add, clock);

    @Test
    void bothPartiesAreToldOfEachOtherWithTheTicket() throws Exception {
        advertise("[MyType=\"Machine\"; Name=\"m\"; Memory=64; Requirements=true; ClaimId=\"secret\"]");
        advertise(
                "[MyType=\"Job\"; Name=\"j\"; Owner=\"raman\"; Requirements=Memory>32; AuthorizationTicket=\"mine\"]");

        var report = cycle.run(collector);

        assertThat(report.matches()).isEqualTo(1);
        assertThat(introductions).singleElement().satisfies(introduction -> {
            assertThat(introduction.submitter()).isEqualTo("raman");
            assertThat(introduction.offer().has("ClaimId")).isFalse();
            assertThat(introduction.offerTicket()).isEqualTo("secret");
            assertThat(introduction.customerTicket()).isEqualTo("mine");
        });
        assertThat(accountant.standing("raman").inUse()).isEqualTo(1);
    }

    private CycleReport run(PoolRules rules) {
        introductions.clear();
        return new MatchmakingCycle(
                        SharePolicy.DEFAULT, rules, accountant, LeaseSamples.uncounted(), introductions::add, clock)
                .run(collector);
    }

    @Test
    void noMoreThanALimitOfConcurrencyIsMatchedWithWhatIsClaimed() throws Exception {
        machines(6);
        advertise(
                "[MyType=\"Machine\"; Name=\"busy\"; Requirements=true; State=\"Claimed\"; RemoteUser=\"eve\"; CurrentRank=9;"
                        + " Rank=0; ConcurrencyLimits=\"XSW:1.5\"]");
        for (int i = 0; i < 4; i++) {
            advertise("[MyType=\"Job\"; Name=\"l" + i + "\"; Owner=\"raman\"; Requirements=true;"
                    + " ConcurrencyLimits=\"xsw, other:7\"]");
        }

        assertThat(run(new PoolRules(Optional.empty(), Optional.empty(), Map.of("xsw", 4.0)))
                        .matches())
                .isEqualTo(2);
        assertThat(run(PoolRules.DEFAULT).matches()).isEqualTo(4);
    }

    @Test
    void limitsOfFamiliesAndOfAllOthersHoldAndFractionsAddUp() throws Exception {
        machines(20);
        String job = "[MyType=\"Job\"; Name=\"%s%d\"; Owner=\"raman\"; Requirements=true; ConcurrencyLimits=\"%s\"]";
        for (int i = 0; i < 4; i++) {
            advertise(job.formatted("tenth", i, "lic:0.1"));
            advertise(job.formatted("family", i, "large.a"));
            advertise(job.formatted("other", i, "other"));
            advertise(job.formatted("none", i, "9bad"));
        }
        var limits = Map.of("lic", 0.3, "large.*", 2.0, "*", 1.0);

        run(new PoolRules(Optional.empty(), Optional.empty(), limits));

        assertThat(introductions.stream()
                        .map(introduction -> ((Value.Text)
                                        introduction.customer().evaluate("Name"))
                                .text()
                                .replaceAll("\\d", ""))
                        .collect(Collectors.groupingBy(name -> name, Collectors.counting())))
                .isEqualTo(Map.of("tenth", 3L, "family", 2L, "other", 1L, "none", 4L));
    }

    @Test
    void aRuleOfItsOwnSaysWhenAMachineGoesToOneItRanksHigher() throws Exception {
        String claimed =
                "[MyType=\"Machine\"; Name=\"%s\"; Requirements=true; Rank=5; CurrentRank=0; State=\"Claimed\";"
                        + " RemoteUser=\"eve\"; Minutes=%d]";
        advertise(claimed.formatted("young", 1));
        advertise(claimed.formatted("old", 90));
        jobs("raman", 2, "true");

        assertThat(run(PoolRules.DEFAULT).matches()).isEqualTo(2);
        assertThat(run(new PoolRules(Optional.empty(), Optional.of(Expr.parse("false")), Map.of()))
                        .matches())
                .isZero();
        assertThat(run(new PoolRules(
                                Optional.empty(),
                                Optional.of(
                                        Expr.parse("MY.Minutes > 60 && RemoteUserPrio > 0 && SubmitterUserPrio > 0")),
                                Map.of()))
                        .matches())
                .isOne();
        assertThat(introductions.get(0).offer().evaluate("Name").print()).isEqualTo("\"old\"");
    }

    @Test
    void aSlotTooHeavyForTheRestOfAShareIsPassedOverForALighterOne() throws Exception {
        for (int i = 0; i < 3; i++) {
            advertise("[MyType=\"Machine\"; Name=\"heavy" + i + "\"; SlotWeight=4; Requirements=true]");
            advertise("[MyType=\"Machine\"; Name=\"light" + i + "\"; SlotWeight=1; Requirements=true]");
        }
        for (String owner : List.of("ann", "bob")) {
            advertise("[MyType=\"Job\"; Name=\"" + owner + "\"; Owner=\"" + owner
                    + "\"; Count=6; Rank=TARGET.SlotWeight; Requirements=true]");
        }

        cycle.run(collector);

        // Seven and a half are due to each of two equals: a heavy slot and three light ones, not a second heavy one.
        assertThat(accountant.standing("ann").inUse()).isEqualTo(7);
    }

    @Test
    void aMachineIsTakenFromAWorsePriorityWhereTheRulesAllowItAndNothingElseIsLeft() throws Exception {
        String claimed =
                "[MyType=\"Machine\"; Name=\"%s\"; Requirements=true; Rank=0; CurrentRank=0; State=\"Claimed\";"
                        + " RemoteUser=\"%s\"; Minutes=%d]";
        advertise(claimed.formatted("young", "eve", 1));
        advertise(claimed.formatted("old", "eve", 90));
        advertise(claimed.formatted("own", "raman", 90));
        accountant.setFactor("eve", 5000);
        jobs("raman", 3, "true");
        var when = Optional.of(Expr.parse("Minutes > 60 && RemoteUserPrio > SubmitterUserPrio * 1.2"));

        assertThat(run(PoolRules.DEFAULT).matches()).isZero();
        assertThat(run(new PoolRules(when, Optional.empty(), Map.of())).matches())
                .isOne();
        assertThat(introductions.get(0).offer().evaluate("Name").print()).isEqualTo("\"old\"");
        machines(1);
        jobs("raman", 1, "true");
        assertThat(run(new PoolRules(when, Optional.empty(), Map.of())).matches())
                .isEqualTo(2);
        accountant.setFactor("eve", 1000);
        assertThat(run(new PoolRules(when, Optional.empty(), Map.of())).matches())
                .isOne();
    }

    @Test
    void anOfferIsMatchedOnceInACycle() throws Exception {
        machines(2);
        jobs("raman", 5, "true");

        var report = cycle.run(collector);

        assertThat(report.matches()).isEqualTo(2);
        assertThat(introductions.stream().map(i -> i.offer().evaluate("Name").print()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aSiteThatWantsRevaluationTakesMatchesUpToItsLimitAndNoMore() throws Exception {
        advertise("[MyType=\"Machine\"; Name=\"site\"; WantAdRevaluate=true; CurMatches=1; MaxMatches=3;"
                + " Requirements=CurMatches<MaxMatches]");
        jobs("raman", 5, "true");

        var report = cycle.run(collector);

        assertThat(report.matches()).isEqualTo(2);
        assertThat(introductions.stream()
                        .map(i -> i.offer().evaluate("CurMatches").print()))
                .containsExactly("1", "2");
    }

    @Test
    void aSiteWithANegativeOrInfiniteNumberTakesNothingFromOthers() throws Exception {
        machines(4);
        String site = "[MyType=\"Machine\"; Name=\"%s\"; WantAdRevaluate=true; MaxMatches=%s; Requirements=false]";
        advertise(site.formatted("negative", "-1000"));
        advertise(site.formatted("infinite", "real(\"-INF\")"));
        jobs("raman", 2, "true");

        assertThat(cycle.run(collector).matches()).isEqualTo(2);
    }

    @Test
    void aLeaseOfADagIsNoneOfARequestWithoutAName(@TempDir Path folder) throws Exception {
        machines(1);
        var leases = new FileLeases(folder, clock, lease -> HolderEvidence.Sight.HOLDS);
        assertThat(leases.acquire(LeaseSamples.request("elsewhere", 5, "/a/dag")))
                .isPresent();
        var request = new JobRequest("raman", ClassAd.parse("[Requirements=true]"), "", 1, 0);

        var report = new MatchmakingCycle(
                        SharePolicy.DEFAULT, PoolRules.DEFAULT, accountant, leases, introductions::add, clock)
                .run(List.of(request), collector.snapshot());

        assertThat(report.matches()).isEqualTo(1);
    }

    @Test
    void whoUsedLessIsServedMore() throws Exception {
        accountant.setFactor("heavy", 1_000_000);
        machines(10);
        jobs("heavy", 10, "true");
        jobs("light", 10, "true");

        var report = cycle.run(collector);

        assertThat(report.matches()).isEqualTo(10);
        assertThat(report.matchesBySubmitter().get("light")).isEqualTo(9);
        assertThat(report.matchesBySubmitter().get("heavy")).isEqualTo(1);
    }

    @Test
    void aSubmitterHasOneShareHoweverItsNameIsWritten() throws Exception {
        machines(4);
        for (int i = 0; i < 4; i++) {
            for (String owner : List.of("ann", "Ann", "ANN", "bob")) {
                advertise("[MyType=\"Job\"; Name=\"" + owner + "-" + owner.hashCode() + i + "\"; Owner=\"" + owner
                        + "\"; Requirements=true]");
            }
        }

        var report = cycle.run(collector);

        assertThat(report.matches()).isEqualTo(4);
        assertThat(report.matchesBySubmitter().get("bob")).isEqualTo(2);
        assertThat(report.matchesBySubmitter()).hasSize(2);
    }

    @Test
    void aSubmitterThatIsPreEmptedIsChargedLessHoweverItsNameIsWritten() throws Exception {
        accountant.setFactor("raman", 2000);
        String claimed = "[MyType=\"Machine\"; Name=\"%s\"; State=\"Claimed\"; RemoteUser=\"Raman\"; CurrentRank=%s;"
                + " Rank=5; Requirements=true]";
        advertise(claimed.formatted("willing", "0.0"));
        advertise(claimed.formatted("content", "9.0"));
        jobs("miron", 1, "true");

        assertThat(cycle.run(collector).matches()).isEqualTo(1);

        assertThat(accountant.standing("raman").inUse()).isEqualTo(1);
    }

    @Test
    void aClaimedMachineOfAPapersAdIsTakenFromASubmitterOfWorsePriority() throws Exception {
        accountant.setUsage("raman", 100);
        jobs("miron", 1, "true");
        for (String condition : List.of("Requirements", "Constraint")) {
            advertise(
                    "[MyType=\"Machine\"; Name=\"a\"; State=\"Claimed\"; RemoteUser=\"raman\"; CurrentRank=0.0; Rank=0;"
                            + condition + "=true]");

            assertThat(run(new PoolRules(Optional.of(Expr.parse("true")), Optional.empty(), Map.of()))
                            .matches())
                    .as(condition)
                    .isEqualTo(1);
        }
    }

    @Test
    void whatOneSubmitterCannotUseGoesToTheOthers() throws Exception {
        machines(10);
        jobs("modest", 1, "true");
        jobs("greedy", 20, "true");

        var report = cycle.run(collector);

        assertThat(report.matchesBySubmitter().get("modest")).isEqualTo(1);
        assertThat(report.matchesBySubmitter().get("greedy")).isEqualTo(9);
    }

    @Test
    void anAutoclusterThatFindsNothingHoldsNobodyUp() throws Exception {
        machines(3);
        advertise("[MyType=\"Job\"; Name=\"hopeless\"; Owner=\"raman\"; JobPrio=10; Count=100000;"
                + " Requirements=Memory>1000000]");
        jobs("raman", 2, "Memory > 32");

        var report = cycle.run(collector);

        assertThat(report.matches()).isEqualTo(2);
        assertThat(report.rejected()).isEqualTo(1);
        assertThat(report.autoclusters()).isEqualTo(2);
    }

    @Test
    void aClaimedMachineThatNamesNoUserIsLeftAloneWhereNoneIsTakenAway() throws Exception {
        advertise("[MyType=\"Machine\"; Name=\"a\"; State=\"Claimed\"; CurrentRank=0.0; Rank=5; Requirements=true]");
        advertise("[MyType=\"Machine\"; Name=\"b\"; RemoteUser=\"eve\"; CurrentRank=0.0; Rank=5; Requirements=true]");
        jobs("raman", 2, "true");
        var policy = new SharePolicy(false, true, false, true, true, 3, List.of());

        var report = new MatchmakingCycle(
                        policy, PoolRules.DEFAULT, accountant, LeaseSamples.uncounted(), introductions::add, clock)
                .run(collector);

        assertThat(report.matches()).isZero();
        assertThat(cycle.run(collector).matches()).isEqualTo(2);
    }

    @Test
    void atEqualRankAnIdleMachineComesBeforeARunningOne() throws Exception {
        advertise("[MyType=\"Machine\"; Name=\"a\"; State=\"Claimed\"; RemoteUser=\"raman\"; CurrentRank=0.0; Rank=5;"
                + " Memory=64; Requirements=true]");
        advertise("[MyType=\"Machine\"; Name=\"b\"; State=\"Unclaimed\"; Rank=0; Memory=64; Requirements=true]");
        jobs("miron", 2, "true");

        cycle.run(collector);

        assertThat(introductions.stream()
                        .map(introduction ->
                                introduction.offer().evaluate("Name").print()))
                .containsExactly("\"b\"", "\"a\"");
        assertThat(introductions.get(1).preempts()).isTrue();
    }

    @Test
    void aRunningMachineIsTakenIfTheJobRanksItHigher() throws Exception {
        advertise("[MyType=\"Machine\"; Name=\"a\"; State=\"Claimed\"; RemoteUser=\"raman\"; CurrentRank=0.0; Rank=5;"
                + " Memory=128; Requirements=true]");
        advertise("[MyType=\"Machine\"; Name=\"b\"; State=\"Unclaimed\"; Rank=0; Memory=64; Requirements=true]");
        advertise("[MyType=\"Job\"; Name=\"j\"; Owner=\"miron\"; Rank=other.Memory; Requirements=true]");

        cycle.run(collector);

        assertThat(introductions)
                .singleElement()
                .satisfies(introduction -> assertThat(
                                introduction.offer().evaluate("Name").print())
                        .isEqualTo("\"a\""));
    }

    @Test
    void usersAreChargedForWhatIsClaimedAndNoLongerForWhatIsNot() throws Exception {
        advertise("[MyType=\"Machine\"; Name=\"a\"; State=\"Claimed\"; RemoteUser=\"raman\"; SlotWeight=4;"
                + " Requirements=true]");
        cycle.run(collector);
        assertThat(accountant.standing("raman").inUse()).isEqualTo(4);

        advertise("[MyType=\"Machine\"; Name=\"a\"; State=\"Unclaimed\"; SlotWeight=4; Requirements=true]");
        cycle.run(collector);
        assertThat(accountant.standing("raman").inUse()).isEqualTo(0);
    }

    @Test
    void higherJobPriorityComesFirst() throws Exception {
        machines(1);
        advertise("[MyType=\"Job\"; Name=\"low\"; Owner=\"raman\"; JobPrio=0; Requirements=true]");
        advertise("[MyType=\"Job\"; Name=\"urgent\"; Owner=\"raman\"; JobPrio=5; Requirements=true]");

        cycle.run(collector);

        assertThat(introductions)
                .singleElement()
                .satisfies(introduction -> assertThat(
                                introduction.customer().evaluate("Name").print())
                        .isEqualTo("\"urgent\""));
    }

    private void machines(int count) throws ClassAdSyntaxException {
        for (int i = 0; i < count; i++) {
            advertise("[MyType=\"Machine\"; Name=\"m" + i + "\"; Memory=64; Requirements=true]");
        }
    }

    private void jobs(String owner, int count, String requirements) throws ClassAdSyntaxException {
        for (int i = 0; i < count; i++) {
            advertise("[MyType=\"Job\"; Name=\"" + owner + i + "\"; Owner=\"" + owner + "\"; Requirements="
                    + requirements + "]");
        }
    }

    private void advertise(String text) throws ClassAdSyntaxException {
        collector.advertise(ClassAd.parse(text));
    }
}
