package org.metasched.classad.gang;

import java.util.Arrays;
import org.metasched.classad.index.OfferSet;

/**
 * The units that flow in a {@link FlowNetwork} at a moment: which root has which offer, and how many units go from each
 * kind of offers to each of its bins. Not thread-safe.
 */
final class UnitFlow {

    static final int NONE = -1;

    private final FlowNetwork network;
    private final int[] owner;
    private final int[] offerOf;
    private final int[] load;
    /** For each kind, how much of its flow goes to each of its bins, in the order of {@link FlowNetwork#bins}. */
    private final int[][] flow;

    private final int[][] membersOfKind;
    private final int[][] kindsOfBin;

    /** Untaken offers whose kind has a bin with room: a path of length one ends there. */
    private final OfferSet direct;

    UnitFlow(FlowNetwork network) {
        this.network = network;
        int offers = network.kind().length;
        int kinds = network.bins().size();
        owner = filled(offers);
        offerOf = filled(network.rootClass().length);
        load = new int[network.capacity().length];
        flow = new int[kinds][];
        Arrays.setAll(flow, kind -> new int[network.bins().get(kind).length]);
        membersOfKind = membersByKind(network);
        kindsOfBin = kindsByBin(network);
        direct = OfferSet.none(offers);
        for (int kind = 0; kind < kinds; kind++) {
            if (roomIn(kind) >= 0) {
                Arrays.stream(membersOfKind[kind]).forEach(direct::add);
            }
        }
    }

    private static int[][] membersByKind(FlowNetwork network) {
        int[][] members = new int[network.bins().size()][];
        int[] count = new int[members.length];
        for (int kind : network.kind()) {
            if (kind >= 0) {
                count[kind]++;
            }
        }
        Arrays.setAll(members, kind -> new int[count[kind]]);
        for (int offer = network.kind().length - 1; offer >= 0; offer--) {
            int kind = network.kind()[offer];
            if (kind >= 0) {
                members[kind][--count[kind]] = offer;
            }
        }
        return members;
    }

    private static int[][] kindsByBin(FlowNetwork network) {
        int[] count = new int[network.capacity().length];
        network.bins().forEach(bins -> Arrays.stream(bins).forEach(bin -> count[bin]++));
        int[][] kindsOf = new int[count.length][];
        Arrays.setAll(kindsOf, bin -> new int[count[bin]]);
        for (int kind = network.bins().size() - 1; kind >= 0; kind--) {
            for (int bin : network.bins().get(kind)) {
                kindsOf[bin][--count[bin]] = kind;
            }
        }
        return kindsOf;
    }

    /** The root that has an offer, or none. */
    int ownerOf(int offer) {
        return owner[offer];
    }

    /** The offer of a root's first port, or none. */
    int offerOf(int root) {
        return offerOf[root];
    }

    int[] membersOf(int kind) {
        return membersOfKind[kind];
    }

    int[] kindsOf(int bin) {
        return kindsOfBin[bin];
    }

    boolean flows(int kind, int bin) {
        return flow[kind][placeOf(kind, bin)] > 0;
    }

    /** An untaken offer of a class of roots from which a unit flows on at once, or none. */
    int direct(int rootClass) {
        return network.candidates().get(rootClass).firstCommon(direct, 0);
    }

    /** For each root its bin, or -1: units of one kind are interchangeable, so any split of a kind's flow over its owners is right. */
    int[] binOf() {
        int[] result = filled(offerOf.length);
        int[][] rest = Arrays.stream(flow).map(int[]::clone).toArray(int[][]::new);
        for (int root = 0; root < result.length; root++) {
            if (offerOf[root] >= 0) {
                int kind = network.kind()[offerOf[root]];
                int place = 0;
                while (rest[kind][place] == 0) {
                    place++;
                }
                rest[kind][place]--;
                result[root] = network.bins().get(kind)[place];
            }
        }
        return result;
    }

    void take(int root, int offer) {
        owner[offer] = root;
        offerOf[root] = offer;
        direct.remove(offer);
    }

    void free(int offer) {
        owner[offer] = NONE;
        if (roomIn(network.kind()[offer]) >= 0) {
            direct.add(offer);
        }
    }

    void fill(int kind, int place) {
        int bin = network.bins().get(kind)[place];
        flow[kind][place]++;
        load[bin]++;
        if (load[bin] == network.capacity()[bin]) {
            for (int touched : kindsOfBin[bin]) {
                if (roomIn(touched) < 0) {
                    for (int offer : membersOfKind[touched]) {
                        direct.remove(offer);
                    }
                }
            }
        }
    }

    /** Leaves the place of one unit in a bin to a unit of another kind. */
    void shift(int from, int to, int bin) {
        flow[from][placeOf(from, bin)]--;
        flow[to][placeOf(to, bin)]++;
    }

    /** The first of a kind's bins that has room, as a place in its list; or -1. */
    int roomIn(int kind) {
        int[] bins = network.bins().get(kind);
        for (int place = 0; place < bins.length; place++) {
            if (load[bins[place]] < network.capacity()[bins[place]]) {
                return place;
            }
        }
        return -1;
    }

    private int placeOf(int kind, int bin) {
        return Arrays.binarySearch(network.bins().get(kind), bin);
    }

    static int[] filled(int length) {
        int[] result = new int[length];
        Arrays.fill(result, NONE);
        return result;
    }
}
