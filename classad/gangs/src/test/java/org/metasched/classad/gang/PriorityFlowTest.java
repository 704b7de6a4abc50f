package org.metasched.classad.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.metasched.classad.index.OfferSet;

class PriorityFlowTest {

    @Test
    void findsTheLargestSetOfRootsAndOfThoseTheFirstInPriorityOrder() {
        for (long seed = 0; seed < 4000; seed++) {
            var network = randomNetwork(new SplittableRandom(seed));
            var flow = new PriorityFlow(network);

            int gangs = flow.run();

            List<Integer> served = served(flow, network);
            assertThat(served).as("seed %d", seed).hasSize(gangs).isEqualTo(bestByTrial(network));
            assertThatEveryUnitHasAPlace(flow, network, seed);
        }
    }

    @Test
    void takesRootsApartFromTheirFirstChoiceWhenALaterRootNeedsIt() {
        var both = OfferSet.all(2);
        var onlyFirst = OfferSet.none(2);
        onlyFirst.add(0);
        var network = new FlowNetwork(
                new int[] {0, 1}, List.of(both, onlyFirst), new int[] {0, 0}, List.of(new int[] {0}), new int[] {2});
        var flow = new PriorityFlow(network);

        int gangs = flow.run();

        assertThat(gangs).isEqualTo(2);
        assertThat(flow.offerOf(0)).isEqualTo(1);
        assertThat(flow.offerOf(1)).isZero();
    }

    private static FlowNetwork randomNetwork(SplittableRandom random) {
        int classes = random.nextInt(1, 5);
        int offers = random.nextInt(0, 7);
        int kinds = random.nextInt(1, 4);
        int bins = random.nextInt(1, 4);
        var candidates = new ArrayList<OfferSet>();
        for (int c = 0; c < classes; c++) {
            var set = OfferSet.none(offers);
            for (int offer = 0; offer < offers; offer++) {
                if (random.nextInt(5) < 2) {
                    set.add(offer);
                }
            }
            candidates.add(set);
        }
        int[] rootClass = random.ints(random.nextInt(1, 8), 0, classes).toArray();
        int[] kind = random.ints(offers, 0, kinds).toArray();
        var binsOf = new ArrayList<int[]>();
        for (int k = 0; k < kinds; k++) {
            binsOf.add(java.util.stream.IntStream.range(0, bins)
                    .filter(bin -> random.nextInt(3) > 0)
                    .toArray());
        }
        int[] capacity = random.ints(bins, 0, 4).toArray();
        return new FlowNetwork(rootClass, candidates, kind, binsOf, capacity);
    }

    private static List<Integer> served(PriorityFlow flow, FlowNetwork network) {
        var served = new ArrayList<Integer>();
        for (int root = 0; root < network.rootClass().length; root++) {
            if (flow.offerOf(root) >= 0) {
                served.add(root);
            }
        }
        return served;
    }

    private static void assertThatEveryUnitHasAPlace(PriorityFlow flow, FlowNetwork network, long seed) {
        int[] load = new int[network.capacity().length];
        int[] binOf = flow.binOf();
        for (int root : served(flow, network)) {
            int offer = flow.offerOf(root);
            assertThat(network.candidates().get(network.rootClass()[root]).contains(offer))
                    .as("seed %d", seed)
                    .isTrue();
            assertThat(network.bins().get(network.kind()[offer])).contains(binOf[root]);
            load[binOf[root]]++;
        }
        for (int bin = 0; bin < load.length; bin++) {
            assertThat(load[bin]).isLessThanOrEqualTo(network.capacity()[bin]);
        }
        assertThat(served(flow, network).stream().map(flow::offerOf)).doesNotHaveDuplicates();
    }

    /** All subsets of roots, the largest first and then in priority order, by trying every assignment. */
    private static List<Integer> bestByTrial(FlowNetwork network) {
        int roots = network.rootClass().length;
        List<Integer> best = List.of();
        for (int subset = 0; subset < 1 << roots; subset++) {
            var chosen = new ArrayList<Integer>();
            for (int root = 0; root < roots; root++) {
                if ((subset >> root & 1) != 0) {
                    chosen.add(root);
                }
            }
            if (isBetter(chosen, best)
                    && fits(
                            network,
                            chosen,
                            0,
                            new boolean[network.kind().length],
                            network.capacity().clone())) {
                best = chosen;
            }
        }
        return best;
    }

    private static boolean isBetter(List<Integer> chosen, List<Integer> best) {
        if (chosen.size() != best.size()) {
            return chosen.size() > best.size();
        }
        return Arrays.compare(
                        chosen.stream().mapToInt(i -> i).toArray(),
                        best.stream().mapToInt(i -> i).toArray())
                < 0;
    }

    private static boolean fits(FlowNetwork network, List<Integer> roots, int next, boolean[] taken, int[] room) {
        if (next == roots.size()) {
            return true;
        }
        OfferSet candidates = network.candidates().get(network.rootClass()[roots.get(next)]);
        for (int offer = candidates.next(0); offer >= 0; offer = candidates.next(offer + 1)) {
            if (!taken[offer]) {
                taken[offer] = true;
                for (int bin : network.bins().get(network.kind()[offer])) {
                    if (room[bin] > 0) {
                        room[bin]--;
                        if (fits(network, roots, next + 1, taken, room)) {
                            return true;
                        }
                        room[bin]++;
                    }
                }
                taken[offer] = false;
            }
        }
        return false;
    }
}
