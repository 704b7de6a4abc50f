package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.metasched.classad.index.OfferSet;

/** Collects the kinds of a pool's entries at a network's first port, by their support at the other port. Not thread-safe. */
final class OfferKinds {

    private final Map<OfferSet, Integer> kindOf = new HashMap<>();
    private final Map<OfferSet, Integer> kindOfSet = new IdentityHashMap<>();
    private final List<OfferSet> supportOfKind = new ArrayList<>();
    private final int[] kind;
    private boolean mixed;

    OfferKinds(int entries) {
        kind = new int[entries];
        Arrays.fill(kind, -1);
    }

    /** Notes a support of an entry of the pool. */
    void add(OfferSet support, int entry) {
        int number = kindOf(support);
        if (kind[entry] < 0) {
            kind[entry] = number;
        } else if (kind[entry] != number) {
            kind[entry] = merge(kind[entry], number);
        }
    }

    private int kindOf(OfferSet support) {
        return kindOfSet.computeIfAbsent(
                support,
                same -> kindOf.computeIfAbsent(same, equal -> {
                    supportOfKind.add(equal);
                    return supportOfKind.size() - 1;
                }));
    }

    /** The kind of an entry whose support differs between roots: the union of both makes the network a relaxation. */
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

    /** Whether each entry has one support, and none is both at the first port and in a support. */
    boolean areExact() {
        var firsts = OfferSet.none(kind.length);
        IntStream.range(0, kind.length).filter(entry -> kind[entry] >= 0).forEach(firsts::add);
        return !mixed && supportOfKind.stream().noneMatch(support -> support.intersects(firsts));
    }
}
