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
            assertThatEveryRootHasItsOwnOffers(flow, network, seed);
        }
    }

    @Test
    void takesRootsApartFromTheirFirstChoiceWhenALaterRootNeedsIt() {
        var both = OfferSet.all(2);
        var onlyFirst = OfferSet.none(2);
        onlyFirst.add(0);
        var network =
                new FlowNetwork(new int[] {0, 1}, List.of(both, onlyFirst), new int[] {0, 0}, List.of(OfferSet.all(2)));
        var flow = new PriorityFlow(network);

        int gangs = flow.run();

        assertThat(gangs).isEqualTo(2);
        assertThat(flow.firstOf(0)).isEqualTo(1);
        assertThat(flow.firstOf(1)).isZero();
    }

    private static FlowNetwork randomNetwork(SplittableRandom random) {
        int classes = random.nextInt(1, 5);
        int offers = random.nextInt(0, 7);
        int kinds = random.nextInt(1, 5);
        var candidates = new ArrayList<OfferSet>();
        for (int c = 0; c < classes; c++) {
            candidates.add(randomSet(random, offers, 2));
        }
        int[] rootClass = random.ints(random.nextInt(1, 8), 0, classes).toArray();
        int[] kind = random.ints(offers, 0, kinds).toArray();
        var supports = new ArrayList<OfferSet>();
        for (int k = 0; k < kinds; k++) {
            supports.add(random.nextInt(6) == 0 ? FlowNetwork.NOTHING_MORE : randomSet(random, offers, 1));
        }
        return new FlowNetwork(rootClass, candidates, kind, supports);
    }

    private static OfferSet randomSet(SplittableRandom random, int offers, int outOfFive) {
        var set = OfferSet.none(offers);
        for (int offer = 0; offer < offers; offer++) {
            if (random.nextInt(5) < outOfFive) {
                set.add(offer);
            }
        }
        return set;
    }

    private static List<Integer> served(PriorityFlow flow, FlowNetwork network) {
        var served = new ArrayList<Integer>();
        for (int root = 0; root < network.rootClass().length; root++) {
            if (flow.firstOf(root) >= 0) {
                served.add(root);
            }
        }
        return served;
    }

    private static void assertThatEveryRootHasItsOwnOffers(PriorityFlow flow, FlowNetwork network, long seed) {
        var seconds = new ArrayList<Integer>();
        for (int root : served(flow, network)) {
            int first = flow.firstOf(root);
            assertThat(network.candidatesOf(root).contains(first))
                    .as("seed %d", seed)
                    .isTrue();
            if (network.supportOf(first) == FlowNetwork.NOTHING_MORE) {
                assertThat(flow.secondOf(root)).as("seed %d", seed).isEqualTo(PriorityFlow.NONE);
            } else {
                assertThat(network.supportOf(first).contains(flow.secondOf(root)))
                        .as("seed %d", seed)
                        .isTrue();
                seconds.add(flow.secondOf(root));
            }
        }
        assertThat(seconds).as("seed %d", seed).doesNotHaveDuplicates();
        assertThat(served(flow, network).stream().map(flow::firstOf)).doesNotHaveDuplicates();
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
            int offers = network.kind().length;
            if (isBetter(chosen, best) && fits(network, chosen, 0, OfferSet.all(offers), OfferSet.all(offers))) {
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

    private static boolean fits(FlowNetwork network, List<Integer> roots, int next, OfferSet firsts, OfferSet seconds) {
        if (next == roots.size()) {
            return true;
        }
        OfferSet candidates = network.candidatesOf(roots.get(next)).copy();
        candidates.retainAll(firsts);
        for (int first = candidates.next(0); first >= 0; first = candidates.next(first + 1)) {
            firsts.remove(first);
            if (fitsWith(network.supportOf(first), network, roots, next, firsts, seconds)) {
                return true;
            }
            firsts.add(first);
        }
        return false;
    }

    private static boolean fitsWith(
            OfferSet support, FlowNetwork network, List<Integer> roots, int next, OfferSet firsts, OfferSet seconds) {
        if (support == FlowNetwork.NOTHING_MORE) {
            return fits(network, roots, next + 1, firsts, seconds);
        }
        for (int second = support.firstCommon(seconds, 0);
                second >= 0;
                second = support.firstCommon(seconds, second + 1)) {
            seconds.remove(second);
            if (fits(network, roots, next + 1, firsts, seconds)) {
                return true;
            }
            seconds.add(second);
        }
        return false;
    }
}
