package org.metasched.classad.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;

/**
 * What is remembered from root to root in a cycle, against the naive matcher on the same pool at the same moment. Fewer
 * offers than roots: the naive search of nine offers takes up to half a minute for one pool. {@code -Dmetasched.gang.pools} tries other
 * numbers of pools (a fiftieth of it here), {@code -Dmetasched.gang.seed=7} others.
 */
class CycleAgreementTest {

    private static final int POOLS = Integer.getInteger("metasched.gang.pools", 10_000) / 50;
    private static final int ROOTS = 7;
    private static final int OFFERS = 6;
    private static final long SEED = Long.getLong("metasched.gang.seed", 1L);

    @Test
    void eachRootOfACycleGetsAGangJustWhenTheNaiveMatcherFindsOneInWhatIsLeft() throws Exception {
        System.out.println("Random cycles: " + POOLS + ", seed " + SEED);
        for (long i = 0; i < POOLS; i++) {
            agree(SEED * 3_000_017 + i, false);
        }
    }

    @Test
    void whatWasInVainIsTriedAgainOnceOffersComeBack() throws Exception {
        for (long i = 0; i < POOLS / 2; i++) {
            agree(SEED * 4_000_037 + i, true);
        }
    }

    /** Every choice of offers for every root is tried; fewer than as many gangs as there are is never taken for the most. */
    @Test
    void theExactAlgorithmMakesAsManyGangsAsThereCanBe() throws Exception {
        int beyondTheDynamic = 0;
        for (long i = 0; i < POOLS; i++) {
            long seed = SEED * 5_000_011 + i;
            var pools = new RandomPools(seed);
            List<ClassAd> ads = pools.manyRoots(4);
            List<ClassAd> offers = pools.offers(6);
            List<PortedAd> roots = ads.stream().map(PortedAd::of).toList();

            CycleOutcome exact = GangCycle.run(roots, new GangPool(offers), GangAlgorithm.EXACT);

            assertThat(exact.optimal()).as("seed %d", seed).isTrue();
            assertThat(exact.gangs()).as("seed %d", seed).isEqualTo(most(roots, offers));
            assertThat(exact.bound()).hasValue(exact.gangs());
            var taken = exact.assignments().stream()
                    .flatMap(one -> one.gang().stream())
                    .peek(gang -> assertThat(Definition.violations(gang)).isEmpty())
                    .flatMap(gang -> gang.offers().stream())
                    .toList();
            assertThat(taken).as("seed %d", seed).doesNotHaveDuplicates();
            int greedy = GangCycle.run(roots, new GangPool(offers), GangAlgorithm.DYNAMIC)
                    .gangs();
            beyondTheDynamic += exact.gangs() > greedy ? 1 : 0;
        }
        assertThat(beyondTheDynamic).isGreaterThan(POOLS / 100);
    }

    /** The most gangs, by trying which offers each root may take. */
    private static int most(List<PortedAd> roots, List<ClassAd> offers) {
        int sets = 1 << offers.size();
        int[] most = new int[sets];
        for (var root : roots) {
            var next = most.clone();
            for (int mine = 0; mine < sets; mine++) {
                int taken = mine;
                var some = IntStream.range(0, offers.size())
                        .filter(i -> (taken >> i & 1) != 0)
                        .mapToObj(offers::get)
                        .toList();
                if (GangAlgorithm.DYNAMIC
                        .matcher()
                        .marshal(root, new GangPool(some))
                        .gang()
                        .isPresent()) {
                    for (int all = mine; all < sets; all = all + 1 | mine) {
                        next[all] = Math.max(next[all], 1 + most[all & ~mine]);
                    }
                }
            }
            most = next;
        }
        return most[sets - 1];
    }

    private static void agree(long seed, boolean offersComeBack) throws Exception {
        var pools = new RandomPools(seed);
        List<ClassAd> roots = pools.manyRoots(ROOTS);
        List<ClassAd> offers = pools.offers(OFFERS);
        var random = new SplittableRandom(seed);
        for (GangAlgorithm algorithm : List.of(GangAlgorithm.DYNAMIC, GangAlgorithm.INDEXED)) {
            var pool = new GangPool(offers);
            List<PortedAd> asked = roots.stream().map(PortedAd::of).toList();
            if (random.nextBoolean()) {
                pool.prepare(asked);
            }
            for (PortedAd root : asked) {
                Optional<Gang> gang = bothAgree(root, pool, algorithm, seed);
                gang.ifPresent(pool::consume);
                if (offersComeBack && random.nextBoolean()) {
                    gang.ifPresent(found -> pool.restore(
                            found.offers().get(random.nextInt(found.offers().size()))));
                }
            }
        }
    }

    private static Optional<Gang> bothAgree(PortedAd root, GangPool pool, GangAlgorithm algorithm, long seed) {
        Optional<Gang> naive = GangAlgorithm.NAIVE.matcher().marshal(root, pool).gang();
        Optional<Gang> gang = algorithm.matcher().marshal(root, pool).gang();
        assertThat(gang.isPresent())
                .as(() -> "seed " + seed + ", " + algorithm + ", root " + root.ad())
                .isEqualTo(naive.isPresent());
        // With one port there is one order of preference, so both bind the same neighbour.
        if (root.ports().size() == 1) {
            assertThat(gang.map(CycleAgreementTest::chosen))
                    .as("seed %d", seed)
                    .isEqualTo(naive.map(CycleAgreementTest::chosen));
        }
        gang.ifPresent(found -> {
            assertThat(Definition.violations(found)).as("seed %d", seed).isEmpty();
            assertThat(found.offers()).as("seed %d", seed).allMatch(pool::isAvailable);
        });
        return gang;
    }

    private static int chosen(Gang gang) {
        return gang.offers().get(0);
    }
}
