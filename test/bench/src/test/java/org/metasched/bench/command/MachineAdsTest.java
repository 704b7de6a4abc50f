package org.metasched.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;
import org.metasched.classad.MatchContext;

class MachineAdsTest {

    private static List<ClassAd> machines(boolean customNames) {
        return IntStream.range(0, 300)
                .mapToObj(i -> DiverseBench.parsed(MachineAds.machine(i, customNames)))
                .toList();
    }

    @Test
    void theAdsAreAsLongAsMachinesAndUnlike() {
        List<ClassAd> machines = machines(false);

        assertThat(machines).allSatisfy(ad -> assertThat(ad.size()).isBetween(140, 160));
        assertThat(machines)
                .extracting(ClassAd::names)
                .containsOnly(machines.get(0).names());
        long equal = machines.get(0).names().stream()
                .filter(name ->
                        machines.get(1).lookup(name).equals(machines.get(2).lookup(name)))
                .count();
        assertThat(equal).isLessThan(40);
        assertThat(machines(true)).extracting(ClassAd::names).doesNotHaveDuplicates();
    }

    @Test
    void theirPoliciesAcceptSomeRequestsAndRankThem() {
        List<ClassAd> machines = machines(true);
        long accepted = IntStream.range(0, 20)
                .mapToObj(MachineAds::job)
                .map(DiverseBench::parsed)
                .flatMap(job -> machines.stream().map(machine -> MatchContext.of(job, machine)))
                .filter(pair -> pair.matches() && pair.leftRank() > 0)
                .count();

        assertThat(accepted).isBetween(600L, 5_400L);
    }
}
