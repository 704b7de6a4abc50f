package org.metasched.classad.gang;

import java.util.Arrays;
import java.util.List;
import org.metasched.classad.index.OfferSet;

/**
 * The units that flow in a {@link FlowNetwork} at a moment: which root has which offer, and how many units go from each
 * kind of offers to each of its bins. Not thread-safe.
 */
final class UnitFlow {

    static final int NONE = -1;

    private final FlowNetwork network;
    /** For each offer the root that has it, and for each root the offer of its first port; or none. */
    final int[] owner;

    final int[] offerOf;
    final int[][] membersOf;
    final int[][] kindsOf;
    private final int[] load;
    /** For each kind, how much of its flow goes to each of its bins, in the order of {@link FlowNetwork#bins}. */
    private final int[][] flow;
    /** Untaken offers whose kind has a bin with room: a path of length one ends there. */
    private final OfferSet direct;

    UnitFlow(FlowNetwork network) {
        this.network = network;
        owner = filled(network.kind().length);
        offerOf = filled(network.rootClass().length);
        load = new int[network.capacity().length];
        flow = network.bins().stream().map(bins -> new int[bins.length]).toArray(int[][]::new);
        membersOf = holding(
                Arrays.stream(network.kind())
                        .mapToObj(kind -> kind < 0 ? new int[0] : new int[] {kind})
                        .toList(),
                flow.length);
        kindsOf = holding(network.bins(), load.length);
        direct = OfferSet.none(owner.length);
        for (int kind = 0; kind < flow.length; kind++) {
            if (roomIn(kind) >= 0) {
                Arrays.stream(membersOf[kind]).forEach(direct::add);
            }
        }
    }

    /** For each of so many numbers the places of the lists that hold it, ascending. */
    private static int[][] holding(List<int[]> lists, int numbers) {
        int[] count = new int[numbers];
        lists.forEach(list -> Arrays.stream(list).forEach(number -> count[number]++));
        int[][] places = Arrays.stream(count).mapToObj(int[]::new).toArray(int[][]::new);
        for (int place = lists.size() - 1; place >= 0; place--) {
            for (int number : lists.get(place)) {
                places[number][--count[number]] = place;
            }
        }
        return places;
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

    /** Adds a unit to a bin with room. */
    void fill(int kind, int bin) {
        move(kind, bin, 1);
        if (++load[bin] == network.capacity()[bin]) {
            for (int touched : kindsOf[bin]) {
                if (roomIn(touched) < 0) {
                    Arrays.stream(membersOf[touched]).forEach(direct::remove);
                }
            }
        }
    }

    /** Counts units that a kind has more in a bin, whose load is as before. */
    void move(int kind, int bin, int more) {
        flow[kind][placeOf(kind, bin)] += more;
    }

    /** The first of a kind's bins that has room, or -1. */
    int roomIn(int kind) {
        for (int bin : network.bins().get(kind)) {
            if (load[bin] < network.capacity()[bin]) {
                return bin;
            }
        }
        return NONE;
    }

    private int placeOf(int kind, int bin) {
        return Arrays.binarySearch(network.bins().get(kind), bin);
    }

    private static int[] filled(int length) {
        int[] result = new int[length];
        Arrays.fill(result, NONE);
        return result;
    }
}
