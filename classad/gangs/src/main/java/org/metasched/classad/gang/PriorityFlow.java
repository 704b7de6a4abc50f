package org.metasched.classad.gang;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import org.metasched.classad.index.OfferSet;

/**
 * The largest set of roots that can be ganged at the same time, and of those sets the one that is best in priority order:
 * augmenting paths, one root after the other.
 *
 * <p>A unit flows from a root to an offer of its first port (each taken once), on to the <em>kind</em> of that offer, and from
 * there to a <em>bin</em> of offers of its second port, which holds as many units as the bin has offers. The sets of roots
 * that can be linked to the far end in such a network are the independent sets of a gammoid, that is, of a matroid; so
 * keeping every root that still fits, in priority order, ends with a set that is largest and lexicographically best at once.
 *
 * <p>Neighbours of a root are bits; a search costs n/64 words for each class of equal roots that it visits. What a failed
 * search visited cannot reach the far end ever again and is not visited any more. Not thread-safe.
 */
final class PriorityFlow {

    /**
     * The network.
     *
     * @param rootClass for each root, in priority order, its class
     * @param candidates for each class of roots the offers that its first port takes
     * @param kind for each offer its kind, or -1 if no root takes it
     * @param bins for each kind the bins its offers may go to, ascending
     * @param capacity for each bin how many units it holds
     */
    record Network(int[] rootClass, List<OfferSet> candidates, int[] kind, List<int[]> bins, int[] capacity) {}

    private static final int NONE = -1;

    private final Network network;
    private final int kinds;
    private final int[] owner;
    private final int[] offerOf;
    private final int[] load;
    /** For each kind, how much of its flow goes to each of its bins, in the order of {@link Network#bins}. */
    private final int[][] flow;

    private final int[][] membersOfKind;
    private final int[][] kindsOfBin;

    /** Untaken offers whose kind has a bin with room: a path of length one ends there. */
    private final OfferSet direct;

    private final boolean[] deadClass;
    private final boolean[] deadKind;
    private final boolean[] seenClass;
    private final boolean[] seenKind;
    private final boolean[] seenBin;
    private final OfferSet unseen;
    private final OfferSet deadOffers;
    private final OfferSet scratch;

    /** How a kind was reached: by an untaken offer, or by sharing a full bin with another kind. */
    private final int[] kindFromOffer;

    private final int[] kindFromKind;
    private final int[] kindFromBin;
    /** For a root the offer it would lose; for an offer the root that wants it, or none if its kind gives the unit up. */
    private final int[] rootLoses;

    private final int[] wantedBy;
    private final int[] offerFoundBy;

    /** The last search in which a root was asked to give its offer away: the first asker of a search is the way back. */
    private final int[] askedIn;

    private int search;

    private final ArrayDeque<Integer> rootsToVisit = new ArrayDeque<>();
    private final ArrayDeque<Integer> kindsToVisit = new ArrayDeque<>();

    PriorityFlow(Network network) {
        this.network = network;
        int roots = network.rootClass().length;
        int offers = network.kind().length;
        kinds = network.bins().size();
        owner = filled(offers);
        offerOf = filled(roots);
        load = new int[network.capacity().length];
        flow = new int[kinds][];
        for (int kind = 0; kind < kinds; kind++) {
            flow[kind] = new int[network.bins().get(kind).length];
        }
        membersOfKind = membersByKind(network);
        kindsOfBin = kindsByBin(network);
        direct = OfferSet.none(offers);
        deadClass = new boolean[network.candidates().size()];
        deadKind = new boolean[kinds];
        seenClass = new boolean[deadClass.length];
        seenKind = new boolean[kinds];
        seenBin = new boolean[load.length];
        unseen = OfferSet.none(offers);
        deadOffers = OfferSet.none(offers);
        scratch = OfferSet.none(offers);
        kindFromOffer = filled(kinds);
        kindFromKind = filled(kinds);
        kindFromBin = filled(kinds);
        rootLoses = filled(roots);
        wantedBy = filled(offers);
        offerFoundBy = filled(offers);
        askedIn = new int[roots];
        for (int kind = 0; kind < kinds; kind++) {
            if (roomIn(kind) >= 0) {
                for (int offer : membersOfKind[kind]) {
                    direct.add(offer);
                }
            }
        }
    }

    private static int[][] membersByKind(Network network) {
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

    private static int[][] kindsByBin(Network network) {
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

    /** Runs to the end; afterwards {@link #offerOf} and {@link #binOf} describe the gangs. Returns how many there are. */
    int run() {
        int gangs = 0;
        for (int root = 0; root < offerOf.length; root++) {
            if (!deadClass[network.rootClass()[root]] && augment(root)) {
                gangs++;
            }
        }
        return gangs;
    }

    /** The offer of a root's first port, or -1. */
    int offerOf(int root) {
        return offerOf[root];
    }

    /** For each root its bin, or -1: units of one kind are interchangeable, so any split of a kind's flow over its owners is right. */
    int[] binOf() {
        int[] result = filled(offerOf.length);
        int[][] rest = new int[kinds][];
        for (int k = 0; k < kinds; k++) {
            rest[k] = flow[k].clone();
        }
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

    private boolean augment(int root) {
        int quick = network.candidates().get(network.rootClass()[root]).firstCommon(direct, 0);
        if (quick >= 0) {
            int kind = network.kind()[quick];
            take(root, quick);
            fill(kind, roomIn(kind));
            return true;
        }
        startSearch();
        rootsToVisit.add(root);
        rootLoses[root] = NONE;
        askedIn[root] = search;
        while (!rootsToVisit.isEmpty() || !kindsToVisit.isEmpty()) {
            if (kindsToVisit.isEmpty()) {
                visitRoot(rootsToVisit.remove());
            } else if (visitKind(kindsToVisit.remove())) {
                return true;
            }
        }
        System.arraycopy(seenClass, 0, deadClass, 0, seenClass.length);
        System.arraycopy(seenKind, 0, deadKind, 0, seenKind.length);
        deadOffers.addAll();
        deadOffers.removeAll(unseen);
        return false;
    }

    private void startSearch() {
        search++;
        System.arraycopy(deadClass, 0, seenClass, 0, seenClass.length);
        System.arraycopy(deadKind, 0, seenKind, 0, seenKind.length);
        Arrays.fill(seenBin, false);
        unseen.addAll();
        unseen.removeAll(deadOffers);
        rootsToVisit.clear();
        kindsToVisit.clear();
    }

    private void visitRoot(int root) {
        int rootClass = network.rootClass()[root];
        if (seenClass[rootClass]) {
            return;
        }
        seenClass[rootClass] = true;
        scratch.become(network.candidates().get(rootClass), unseen);
        unseen.removeAll(scratch);
        for (int offer = scratch.next(0); offer >= 0; offer = scratch.next(offer + 1)) {
            offerFoundBy[offer] = root;
            if (owner[offer] == NONE) {
                reachKind(network.kind()[offer], offer, NONE, NONE);
            } else {
                lose(owner[offer], offer, root);
            }
        }
    }

    /** A root may have to give its offer to the root that wants it; without such a root its kind gives the unit behind it up. */
    private void lose(int root, int offer, int wanter) {
        if (askedIn[root] != search && !seenClass[network.rootClass()[root]]) {
            askedIn[root] = search;
            rootLoses[root] = offer;
            wantedBy[offer] = wanter;
            rootsToVisit.add(root);
        }
    }

    private void reachKind(int kind, int offer, int fromKind, int fromBin) {
        if (!seenKind[kind]) {
            seenKind[kind] = true;
            kindFromOffer[kind] = offer;
            kindFromKind[kind] = fromKind;
            kindFromBin[kind] = fromBin;
            kindsToVisit.add(kind);
        }
    }

    private boolean visitKind(int kind) {
        int room = roomIn(kind);
        if (room >= 0) {
            apply(kind, room);
            return true;
        }
        for (int bin : network.bins().get(kind)) {
            if (!seenBin[bin]) {
                seenBin[bin] = true;
                for (int other : kindsOfBin[bin]) {
                    if (flow[other][placeOf(other, bin)] > 0) {
                        reachKind(other, NONE, kind, bin);
                    }
                }
            }
        }
        // Any owner of an offer of this kind may hand its unit to this path and look for another offer.
        for (int offer : membersOfKind[kind]) {
            if (owner[offer] != NONE) {
                lose(owner[offer], offer, NONE);
            }
        }
        return false;
    }

    private void apply(int lastKind, int lastBin) {
        int kind = lastKind;
        fill(kind, lastBin);
        while (true) {
            if (kindFromOffer[kind] == NONE) {
                int bin = kindFromBin[kind];
                flow[kind][placeOf(kind, bin)]--;
                kind = kindFromKind[kind];
                flow[kind][placeOf(kind, bin)]++;
                continue;
            }
            int offer = kindFromOffer[kind];
            int root = offerFoundBy[offer];
            while (true) {
                int lost = rootLoses[root];
                take(root, offer);
                if (lost == NONE) {
                    return;
                }
                if (wantedBy[lost] == NONE) {
                    free(lost);
                    kind = network.kind()[lost];
                    break;
                }
                offer = lost;
                root = wantedBy[lost];
            }
        }
    }

    private void take(int root, int offer) {
        owner[offer] = root;
        offerOf[root] = offer;
        direct.remove(offer);
    }

    private void free(int offer) {
        owner[offer] = NONE;
        if (roomIn(network.kind()[offer]) >= 0) {
            direct.add(offer);
        }
    }

    private void fill(int kind, int place) {
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

    /** The first of a kind's bins that has room, as a place in its list; or -1. */
    private int roomIn(int kind) {
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

    private static int[] filled(int length) {
        int[] result = new int[length];
        Arrays.fill(result, NONE);
        return result;
    }
}
