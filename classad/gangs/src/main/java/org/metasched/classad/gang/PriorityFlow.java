package org.metasched.classad.gang;

import java.util.ArrayDeque;
import java.util.Arrays;
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

    private static final int NONE = UnitFlow.NONE;

    private final FlowNetwork network;
    private final UnitFlow units;
    private final Visited dead;
    private final Visited seen;
    private final boolean[] seenBin;
    private final OfferSet scratch;
    private final WayBack way;

    /** The last search in which a root was asked to give its offer away: the first asker of a search is the way back. */
    private final int[] askedIn;

    private int search;

    private final ArrayDeque<Integer> rootsToVisit = new ArrayDeque<>();
    private final ArrayDeque<Integer> kindsToVisit = new ArrayDeque<>();

    PriorityFlow(FlowNetwork network) {
        this.network = network;
        units = new UnitFlow(network);
        dead = Visited.nothing(network);
        seen = Visited.nothing(network);
        seenBin = new boolean[network.capacity().length];
        scratch = OfferSet.none(network.kind().length);
        way = WayBack.in(network);
        askedIn = new int[network.rootClass().length];
    }

    /** Where searches have been: classes of roots and kinds, and the offers that are left. */
    private record Visited(boolean[] classes, boolean[] kinds, OfferSet left) {

        static Visited nothing(FlowNetwork network) {
            return new Visited(
                    new boolean[network.candidates().size()],
                    new boolean[network.bins().size()],
                    OfferSet.all(network.kind().length));
        }

        void become(Visited other) {
            System.arraycopy(other.classes, 0, classes, 0, classes.length);
            System.arraycopy(other.kinds, 0, kinds, 0, kinds.length);
            left.become(other.left, other.left);
        }
    }

    /**
     * How the parts of the network were reached.
     *
     * @param kindFromOffer for a kind that was reached by an untaken offer, that offer
     * @param kindFromKind for one that was reached by sharing a full bin with another kind, that kind
     * @param kindFromBin and that bin
     * @param rootLoses for a root the offer it would lose
     * @param wantedBy for an offer the root that wants it, or none if its kind gives the unit up
     * @param offerFoundBy for an offer the root that found it
     */
    private record WayBack(
            int[] kindFromOffer,
            int[] kindFromKind,
            int[] kindFromBin,
            int[] rootLoses,
            int[] wantedBy,
            int[] offerFoundBy) {

        static WayBack in(FlowNetwork network) {
            int kinds = network.bins().size();
            int offers = network.kind().length;
            return new WayBack(
                    UnitFlow.filled(kinds),
                    UnitFlow.filled(kinds),
                    UnitFlow.filled(kinds),
                    UnitFlow.filled(network.rootClass().length),
                    UnitFlow.filled(offers),
                    UnitFlow.filled(offers));
        }
    }

    /** Runs to the end; afterwards {@link #offerOf} and {@link #binOf} describe the gangs. Returns how many there are. */
    int run() {
        int gangs = 0;
        for (int root = 0; root < network.rootClass().length; root++) {
            if (!dead.classes[network.rootClass()[root]] && augment(root)) {
                gangs++;
            }
        }
        return gangs;
    }

    /** The offer of a root's first port, or -1. */
    int offerOf(int root) {
        return units.offerOf(root);
    }

    /** For each root its bin, or -1. */
    int[] binOf() {
        return units.binOf();
    }

    private boolean augment(int root) {
        int quick = units.direct(network.rootClass()[root]);
        if (quick >= 0) {
            int kind = network.kind()[quick];
            units.take(root, quick);
            units.fill(kind, units.roomIn(kind));
            return true;
        }
        startSearch();
        rootsToVisit.add(root);
        way.rootLoses[root] = NONE;
        askedIn[root] = search;
        while (!rootsToVisit.isEmpty() || !kindsToVisit.isEmpty()) {
            if (kindsToVisit.isEmpty()) {
                visitRoot(rootsToVisit.remove());
            } else if (visitKind(kindsToVisit.remove())) {
                return true;
            }
        }
        dead.become(seen);
        return false;
    }

    private void startSearch() {
        search++;
        seen.become(dead);
        Arrays.fill(seenBin, false);
        rootsToVisit.clear();
        kindsToVisit.clear();
    }

    private void visitRoot(int root) {
        int rootClass = network.rootClass()[root];
        if (seen.classes[rootClass]) {
            return;
        }
        seen.classes[rootClass] = true;
        scratch.become(network.candidates().get(rootClass), seen.left);
        seen.left.removeAll(scratch);
        for (int offer = scratch.next(0); offer >= 0; offer = scratch.next(offer + 1)) {
            way.offerFoundBy[offer] = root;
            if (units.ownerOf(offer) == NONE) {
                reachKind(network.kind()[offer], offer, NONE, NONE);
            } else {
                lose(units.ownerOf(offer), offer, root);
            }
        }
    }

    /** A root may have to give its offer to the root that wants it; without such a root its kind gives the unit behind it up. */
    private void lose(int root, int offer, int wanter) {
        if (askedIn[root] != search && !seen.classes[network.rootClass()[root]]) {
            askedIn[root] = search;
            way.rootLoses[root] = offer;
            way.wantedBy[offer] = wanter;
            rootsToVisit.add(root);
        }
    }

    private void reachKind(int kind, int offer, int fromKind, int fromBin) {
        if (!seen.kinds[kind]) {
            seen.kinds[kind] = true;
            way.kindFromOffer[kind] = offer;
            way.kindFromKind[kind] = fromKind;
            way.kindFromBin[kind] = fromBin;
            kindsToVisit.add(kind);
        }
    }

    private boolean visitKind(int kind) {
        int room = units.roomIn(kind);
        if (room >= 0) {
            apply(kind, room);
            return true;
        }
        for (int bin : network.bins().get(kind)) {
            if (!seenBin[bin]) {
                seenBin[bin] = true;
                for (int other : units.kindsOf(bin)) {
                    if (units.flows(other, bin)) {
                        reachKind(other, NONE, kind, bin);
                    }
                }
            }
        }
        // Any owner of an offer of this kind may hand its unit to this path and look for another offer.
        for (int offer : units.membersOf(kind)) {
            if (units.ownerOf(offer) != NONE) {
                lose(units.ownerOf(offer), offer, NONE);
            }
        }
        return false;
    }

    private void apply(int lastKind, int lastBin) {
        int kind = lastKind;
        units.fill(kind, lastBin);
        while (true) {
            if (way.kindFromOffer[kind] == NONE) {
                int other = way.kindFromKind[kind];
                units.shift(kind, other, way.kindFromBin[kind]);
                kind = other;
                continue;
            }
            int offer = way.kindFromOffer[kind];
            int root = way.offerFoundBy[offer];
            while (true) {
                int lost = way.rootLoses[root];
                units.take(root, offer);
                if (lost == NONE) {
                    return;
                }
                if (way.wantedBy[lost] == NONE) {
                    units.free(lost);
                    kind = network.kind()[lost];
                    break;
                }
                offer = lost;
                root = way.wantedBy[lost];
            }
        }
    }
}
