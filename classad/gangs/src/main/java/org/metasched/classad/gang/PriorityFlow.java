package org.metasched.classad.gang;

import java.util.ArrayDeque;
import java.util.BitSet;
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
    /** Where the numbers of the nodes of each sort begin; those of the roots are 0 and up. */
    private final int firstOffer;

    private final int firstKind;
    private final int firstBin;
    /** By which node a search came to a node. */
    private final int[] from;
    /**
     * Vertices that failed searches, and this one, visited: classes of roots in place of roots, and offers by what is left of
     * them.
     */
    private final BitSet dead = new BitSet();

    private final BitSet seen = new BitSet();
    private final OfferSet alive;
    private final OfferSet left;
    private final OfferSet scratch;
    private final ArrayDeque<Integer> toVisit = new ArrayDeque<>();

    PriorityFlow(FlowNetwork network) {
        this.network = network;
        units = new UnitFlow(network);
        int offers = network.kind().length;
        firstOffer = network.rootClass().length;
        firstKind = firstOffer + offers;
        firstBin = firstKind + network.bins().size();
        from = new int[firstBin + network.capacity().length];
        alive = OfferSet.all(offers);
        left = OfferSet.all(offers);
        scratch = OfferSet.none(offers);
    }

    /** Runs to the end; afterwards {@link #offerOf} and {@link #binOf} describe the gangs. Returns how many there are. */
    int run() {
        int gangs = 0;
        for (int root = 0; root < firstOffer; root++) {
            if (!dead.get(mark(root)) && augment(root)) {
                gangs++;
            }
        }
        return gangs;
    }

    /** The offer of a root's first port, or -1. */
    int offerOf(int root) {
        return units.offerOf[root];
    }

    /** For each root its bin, or -1. */
    int[] binOf() {
        return units.binOf();
    }

    /** Roots of one class are one place to be: what one of them can reach, all can. */
    private int mark(int node) {
        return node < firstOffer ? from.length + network.rootClass()[node] : node;
    }

    private boolean augment(int root) {
        int quick = units.direct(network.rootClass()[root]);
        if (quick >= 0) {
            int kind = network.kind()[quick];
            units.take(root, quick);
            units.fill(kind, units.roomIn(kind));
            return true;
        }
        seen.clear();
        seen.or(dead);
        left.become(alive, alive);
        toVisit.clear();
        reach(root, NONE);
        while (!toVisit.isEmpty()) {
            int node = toVisit.remove();
            if (node < firstOffer) {
                visitRoot(node);
            } else if (visitKind(node)) {
                return true;
            }
        }
        dead.or(seen);
        alive.become(left, left);
        return false;
    }

    /** Kinds are visited before roots: a path may end there. */
    private void reach(int node, int by) {
        if (!seen.get(mark(node))) {
            seen.set(mark(node));
            from[node] = by;
            if (node < firstOffer) {
                toVisit.addLast(node);
            } else {
                toVisit.addFirst(node);
            }
        }
    }

    private void visitRoot(int root) {
        scratch.become(network.candidates().get(network.rootClass()[root]), left);
        left.removeAll(scratch);
        for (int offer = scratch.next(0); offer >= 0; offer = scratch.next(offer + 1)) {
            int owner = units.owner[offer];
            from[firstOffer + offer] = root;
            reach(owner == NONE ? firstKind + network.kind()[offer] : owner, firstOffer + offer);
        }
    }

    /** Goes on from a kind; true if one of its bins has room, and the unit is there. */
    private boolean visitKind(int node) {
        int kind = node - firstKind;
        int room = units.roomIn(kind);
        if (room >= 0) {
            units.fill(kind, room);
            apply(node);
            return true;
        }
        for (int bin : network.bins().get(kind)) {
            if (!seen.get(firstBin + bin)) {
                seen.set(firstBin + bin);
                from[firstBin + bin] = node;
                for (int other : units.kindsOf[bin]) {
                    if (units.flows(other, bin)) {
                        reach(firstKind + other, firstBin + bin);
                    }
                }
            }
        }
        // Any owner of an offer of this kind may hand its unit to this path and look for another offer.
        for (int offer : units.membersOf[kind]) {
            if (units.owner[offer] != NONE && left.contains(offer)) {
                left.remove(offer);
                from[firstOffer + offer] = node;
                reach(units.owner[offer], firstOffer + offer);
            }
        }
        return false;
    }

    /** Moves units along the path that led to a kind. */
    private void apply(int end) {
        for (int node = end; node != NONE; node = from[node]) {
            int by = from[node];
            if (node >= firstBin) {
                units.move(by - firstKind, node - firstBin, 1);
            } else if (node >= firstKind && by >= firstBin) {
                units.move(node - firstKind, by - firstBin, -1);
            } else if (node >= firstOffer && node < firstKind) {
                if (by < firstOffer) {
                    units.take(by, node - firstOffer);
                } else {
                    units.free(node - firstOffer);
                }
            }
        }
    }
}
