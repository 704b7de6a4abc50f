package org.metasched.classad.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.classad.ClassAd;

/** The machine of the highest rank for which there is a licence is taken, whichever domain is smaller. */
class GangRankTest {

    @ParameterizedTest
    @EnumSource(GangAlgorithm.class)
    void everyAlgorithmTakesTheBestRankedMachineOfEachPool(GangAlgorithm algorithm) throws Exception {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            int machines = 5 + random.nextInt(20);
            var licensed = IntStream.range(0, 1 + random.nextInt(3))
                    .mapToObj(i -> random.nextInt(4))
                    .toList();
            var offers = new ArrayList<ClassAd>();
            var speeds = IntStream.range(0, machines)
                    .boxed()
                    .sorted(Comparator.comparing(i -> random.nextInt()))
                    .toList();
            int best = -1;
            for (int i = 0; i < machines; i++) {
                int partition = random.nextInt(4);
                offers.add(ClassAd.parse("[Name=\"m" + i + "\"; Type=\"Machine\"; KFlops=" + speeds.get(i)
                        + "; Partition=" + partition + "; Requirements=true]"));
                best = licensed.contains(partition) ? Math.max(best, speeds.get(i)) : best;
            }
            for (int i = 0; i < licensed.size(); i++) {
                offers.add(ClassAd.parse("[Name=\"l" + i + "\"; Type=\"License\"; ValidPartition=" + licensed.get(i)
                        + "; Requirements=true]"));
            }
            var root = PortedAd.of(ClassAd.parse("[Type=\"Job\"; Ports={ [Label=cpu; Rank=cpu.KFlops;"
                    + " Constraint=cpu.Type==\"Machine\"], [Label=license; Rank=0; Partition=cpu.Partition;"
                    + " Constraint=license.Type==\"License\" && license.ValidPartition==Partition] }]"));

            var gang = GangCycle.run(List.of(root), new GangPool(offers), algorithm)
                    .assignments()
                    .get(0)
                    .gang();

            int taken = gang.map(g ->
                            g.root().dockings().get(0).members().get(0).ad().ad())
                    .map(ad -> (int) ad.evaluate("KFlops").rank())
                    .orElse(-1);
            assertThat(taken).as("%s, seed %s", algorithm, seed).isEqualTo(best);
        }
    }

    @ParameterizedTest
    @EnumSource(GangAlgorithm.class)
    void aGangWhoseRankIsNoNumberIsNotPreferred(GangAlgorithm algorithm) throws Exception {
        var offers = List.of(
                ClassAd.parse("[Name=\"unknown\"; Speed=0.0; Cost=0.0; Requirements=true]"),
                ClassAd.parse("[Name=\"known\"; Speed=5.0; Cost=1.0; Requirements=true]"));
        var root = PortedAd.of(
                ClassAd.parse("[Type=\"Job\"; GangRank=cpu.Speed / cpu.Cost; Ports={ [Label=cpu; Constraint=true] }]"));

        var gang = GangCycle.run(List.of(root), new GangPool(offers), algorithm)
                .assignments()
                .get(0)
                .gang()
                .orElseThrow();

        assertThat(gang.members().get(1).ad().name()).isEqualTo("known");
    }
}
