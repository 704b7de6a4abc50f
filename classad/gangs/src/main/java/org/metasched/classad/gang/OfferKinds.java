package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.metasched.classad.index.OfferSet;

/**
 * Sorts the offers at the first port of a {@link FlowNetwork} into kinds: offers of one kind have the same support, the set of offers that
 * remain for the second port. Not thread-safe.
 */
final class OfferKinds {

    private final Map<OfferSet, Integer> kindOf = new HashMap<>();
    /** Sets already looked up, by identity: many offers share one set, and hashing its contents costs a pass over the pool. */
    private final Map<OfferSet, Integer> kindOfInstance = new IdentityHashMap<>();

    private final List<OfferSet> supportOfKind = new ArrayList<>();
    private final int[] kind;
    private boolean mixed;

    OfferKinds(int offers) {
        kind = new int[offers];
        Arrays.fill(kind, -1);
    }

    /** Adds a support of an offer, which may differ from an earlier one for another root. */
    void add(OfferSet support, int offer) {
        int number = kindOf(support);
        if (kind[offer] < 0) {
            kind[offer] = number;
        } else if (kind[offer] != number) {
            kind[offer] = merge(kind[offer], number);
        }
    }

    private int kindOf(OfferSet support) {
        return kindOfInstance.computeIfAbsent(
                support,
                same -> kindOf.computeIfAbsent(same, equal -> {
                    supportOfKind.add(equal);
                    return supportOfKind.size() - 1;
                }));
    }

    /** The kind of an offer whose support differs between roots: the union of both makes the network a relaxation. */
    private int merge(int kind1, int kind2) {
        mixed = true;
        OfferSet a = supportOfKind.get(kind1);
        OfferSet b = supportOfKind.get(kind2);
        boolean isComplete = a == FlowNetwork.NOTHING_MORE || b == FlowNetwork.NOTHING_MORE;
        return kindOf(isComplete ? FlowNetwork.NOTHING_MORE : OfferSet.union(a, b));
    }

    /** The network of roots of these classes. */
    FlowNetwork network(int[] classOfRoot, List<OfferSet> candidates) {
        return new FlowNetwork(classOfRoot, candidates, kind, supportOfKind);
    }

    /** Whether each offer has one support, and none is both at the first port and in a support. */
    boolean areExact() {
        var firsts = OfferSet.none(kind.length);
        IntStream.range(0, kind.length).filter(offer -> kind[offer] >= 0).forEach(firsts::add);
        return !mixed && supportOfKind.stream().noneMatch(support -> support.intersects(firsts));
    }
}
