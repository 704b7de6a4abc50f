package org.metasched.classad.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;

/** {@code -Dmetasched.gang.pools=50000} tries more pools (a fifth of it here), {@code -Dmetasched.gang.seed=7} others. */
class GangAgreementTest {

    private static final int POOLS = Integer.getInteger("metasched.gang.pools", 10_000) / 5;
    private static final long SEED = Long.getLong("metasched.gang.seed", 1L);

    @Test
    void allAlgorithmsAgreeWhetherARootAloneGetsAGangAndEveryGangFitsTheDefinition() throws Exception {
        System.out.println("Random pools: " + POOLS + ", seed " + SEED);
        int withGang = 0;
        for (long i = 0; i < POOLS; i++) {
            long seed = SEED * 1_000_003 + i;
            var pools = new RandomPools(seed);
            List<ClassAd> roots = pools.roots();
            List<ClassAd> offers = pools.offers();
            for (ClassAd root : roots) {
                withGang += agreeOn(root, offers, seed) ? 1 : 0;
            }
        }
        assertThat(withGang).as("roots with a gang").isGreaterThan(POOLS / 4);
    }

    private static boolean agreeOn(ClassAd root, List<ClassAd> offers, long seed) {
        PortedAd asked = PortedAd.of(root);
        boolean naive = false;
        for (GangAlgorithm algorithm : GangAlgorithm.values()) {
            CycleOutcome outcome = GangCycle.run(List.of(asked), new GangPool(offers), algorithm);
            boolean found = outcome.gangs() == 1;
            if (algorithm == GangAlgorithm.NAIVE) {
                naive = found;
            }
            assertThat(found)
                    .as(() -> "seed " + seed + ", " + algorithm + ", root " + root + ", offers " + offers)
                    .isEqualTo(naive);
            outcome.assignments()
                    .get(0)
                    .gang()
                    .ifPresent(gang -> assertThat(Definition.violations(gang))
                            .as(() -> "seed " + seed + ", " + algorithm + ", root " + root + ", offers " + offers)
                            .isEmpty());
        }
        return naive;
    }

    @Test
    void aWholeCycleOfTheExactAlgorithmHasNoFewerGangsThanAGreedyOneAndNoMoreThanItsBound() throws Exception {
        for (long i = 0; i < POOLS / 3; i++) {
            long seed = SEED * 2_000_003 + i;
            var pools = new RandomPools(seed);
            List<PortedAd> roots = pools.roots().stream().map(PortedAd::of).toList();
            List<ClassAd> offers = pools.offers();

            CycleOutcome greedy = GangCycle.run(roots, new GangPool(offers), GangAlgorithm.DYNAMIC);
            CycleOutcome exact = GangCycle.run(roots, new GangPool(offers), GangAlgorithm.EXACT);

            int bound = exact.bound().orElseThrow();
            assertThat(exact.gangs()).as("seed %d", seed).isGreaterThanOrEqualTo(greedy.gangs());
            assertThat(exact.gangs()).as("seed %d", seed).isLessThanOrEqualTo(bound);
            exact.assignments()
                    .forEach(assignment -> assignment
                            .gang()
                            .ifPresent(gang -> assertThat(Definition.violations(gang))
                                    .as("seed %d", seed)
                                    .isEmpty()));
        }
    }
}
