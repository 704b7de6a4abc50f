package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.metasched.classad.index.OfferSet;

/** The kinds of the offers of a network's first port, by their support at the other port, and the bins of that port's offers. Not thread-safe. */
final class OfferKinds {

    /** The support of the one kind of offers that complete a gang. */
    private static final OfferSet NOTHING_MORE = OfferSet.none(0);

    private final Map<OfferSet, Integer> kindOf = new HashMap<>();
    private final Map<OfferSet, Integer> kindOfSet = new IdentityHashMap<>();
    private final List<OfferSet> supportOfKind = new ArrayList<>();
    /** The offers of each bin of the network. */
    final List<OfferSet> bins = new ArrayList<>();

    private final int[] kind;
    private boolean mixed;

    OfferKinds(int entries) {
        kind = new int[entries];
        Arrays.fill(kind, -1);
    }

    /** Notes that an offer completes a gang. */
    void addComplete(int entry) {
        add(NOTHING_MORE, entry);
    }

    /** Notes the support of an offer. */
    void add(OfferSet support, int entry) {
        int number = kindOf(support);
        if (kind[entry] < 0) {
            kind[entry] = number;
        } else if (kind[entry] != number) {
            kind[entry] = merged(kind[entry], number);
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

    /** The kind of an offer whose support differs between roots: the union of both makes the network a relaxation. */
    private int merged(int one, int other) {
        mixed = true;
        OfferSet a = supportOfKind.get(one);
        OfferSet b = supportOfKind.get(other);
        if (a == NOTHING_MORE || b == NOTHING_MORE) {
            return kindOf(NOTHING_MORE);
        }
        OfferSet both = a.copy();
        both.addAll(b);
        return kindOf(both);
    }

    /** The network of roots of these classes. */
    FlowNetwork network(int[] classOfRoot, List<OfferSet> candidates) {
        List<int[]> binsOfKind = sortIntoBins();
        int[] capacity = bins.stream()
                .mapToInt(bin -> bin == NOTHING_MORE ? Integer.MAX_VALUE : bin.count())
                .toArray();
        return new FlowNetwork(classOfRoot, candidates, kind, binsOfKind, capacity);
    }

    /** Whether no offer has several supports, or stands on both sides. */
    boolean areExact() {
        return !mixed && !standsOnBothSides();
    }

    private boolean standsOnBothSides() {
        for (OfferSet support : supportOfKind) {
            for (int entry = support.next(0); entry >= 0; entry = support.next(entry + 1)) {
                if (kind[entry] >= 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Offers of the second port in the supports of the same kinds go to one bin; returns the bins of each kind. */
    private List<int[]> sortIntoBins() {
        if (kindOf.containsKey(NOTHING_MORE)) {
            bins.add(NOTHING_MORE);
        }
        var binOfClass = new HashMap<Integer, OfferSet>();
        int[] classOfEntry = classesByKinds();
        for (int entry = 0; entry < classOfEntry.length; entry++) {
            if (classOfEntry[entry] > 0) {
                binOfClass
                        .computeIfAbsent(classOfEntry[entry], unseen -> {
                            bins.add(OfferSet.none(kind.length));
                            return bins.get(bins.size() - 1);
                        })
                        .add(entry);
            }
        }
        return supportOfKind.stream()
                .map(support -> support == NOTHING_MORE ? new int[] {0} : binsWithin(support))
                .toList();
    }

    /** For each entry a number that it shares with the entries in the supports of the same kinds; 0 if it is in none. */
    private int[] classesByKinds() {
        int[] classOfEntry = new int[kind.length];
        int classes = 0;
        for (OfferSet support : supportOfKind) {
            var moved = new HashMap<Integer, Integer>();
            for (int entry = support.next(0); entry >= 0; entry = support.next(entry + 1)) {
                Integer to = moved.get(classOfEntry[entry]);
                if (to == null) {
                    to = ++classes;
                    moved.put(classOfEntry[entry], to);
                }
                classOfEntry[entry] = to;
            }
        }
        return classOfEntry;
    }

    private int[] binsWithin(OfferSet support) {
        return IntStream.range(0, bins.size())
                .filter(bin -> bins.get(bin) != NOTHING_MORE && bins.get(bin).intersects(support))
                .toArray();
    }
}
