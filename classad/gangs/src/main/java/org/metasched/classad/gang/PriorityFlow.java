package org.metasched.classad.gang;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.metasched.classad.index.OfferSet;

/**
 * The search for the largest set of roots with at most two ports that can all have gangs, and of such sets the best in priority order. It
 * finds augmenting paths, one root after the other.
 *
 * <p>A path leads from a root to an offer of its first port, a <em>first</em>, and on to an offer of its second port, a <em>second</em>;
 * each offer is in at most one gang. The sets of roots that can be linked to the far end of such a network are the independent sets of a
 * gammoid, which is a matroid. Therefore, to add every root that still fits, in priority order, leads to a set that is both largest and
 * lexicographically best.
 *
 * <p>Neighbours are bit sets: a search takes n/64 words for each class of equal roots and each kind of equal offers that it visits. The
 * vertices that a failed search visited can never reach the far end again, and are not visited any more. Not thread-safe.
 */
final class PriorityFlow {

    /** No root or no offer. */
    static final int NONE = -1;

    /** The mark of a first that no root is to take any more, since another first takes its second. */
    private static final int GIVEN_UP = -2;

    /**
     * The part of the network that a search has not visited. Roots of one class are one vertex, as are firsts of one kind that seek
     * a second.
     */
    private record Unvisited(OfferSet firsts, OfferSet seconds, OfferSet classes, OfferSet kinds) {

        Unvisited(FlowNetwork network) {
            this(
                    OfferSet.all(network.kind().length),
                    OfferSet.all(network.kind().length),
                    OfferSet.all(network.candidates().size()),
                    OfferSet.all(network.supports().size()));
        }

        /** Makes this part equal to another one. */
        void become(Unvisited other) {
            firsts.become(other.firsts);
            seconds.become(other.seconds);
            classes.become(other.classes);
            kinds.become(other.kinds);
        }
    }

    private final FlowNetwork network;

    /** The first of each root. */
    private final int[] firstOf;

    /** The root of each first. */
    private final int[] rootOf;

    /** The second that is in the gang of each first. */
    private final int[] secondOf;

    /** The first that is in the gang of each second. */
    private final int[] holderOf;

    /** The seconds in no gang; their number never rises. */
    private final OfferSet free;

    /** The firsts in no gang, except some without a free second. */
    private final OfferSet direct;

    /** The root that takes each first if the search succeeds. */
    private final int[] takenBy;

    /** The first that takes each second if the search succeeds. */
    private final int[] wantedBy;

    /** The part of the network from which the far end may still be reached. */
    private final Unvisited alive;

    private final Unvisited unvisited;

    /** Roots that seek a first; in front of them, as {@code ~first}, firsts that seek a second, at which a path may end. */
    private final ArrayDeque<Integer> toVisit = new ArrayDeque<>();

    PriorityFlow(FlowNetwork network) {
        this.network = network;
        int offers = network.kind().length;
        firstOf = filled(network.rootClass().length);
        rootOf = filled(offers);
        secondOf = filled(offers);
        holderOf = filled(offers);
        takenBy = filled(offers);
        wantedBy = filled(offers);
        free = OfferSet.all(offers);
        direct = OfferSet.all(offers);
        alive = new Unvisited(network);
        unvisited = new Unvisited(network);
    }

    private static int[] filled(int length) {
        int[] result = new int[length];
        Arrays.fill(result, NONE);
        return result;
    }

    /** Searches for all roots; afterwards {@link #firstOf} and {@link #secondOf} tell the gangs. Returns the number of gangs. */
    int run() {
        int gangs = 0;
        for (int root = 0; root < firstOf.length; root++) {
            gangs += alive.classes.contains(network.rootClass()[root]) && augment(root) ? 1 : 0;
        }
        return gangs;
    }

    /** The offer of a root's first port, or -1. */
    int firstOf(int root) {
        return firstOf[root];
    }

    /** The offer of a root's second port; -1 if it has no gang, or one that needs no second offer. */
    int secondOf(int root) {
        return firstOf[root] == NONE ? NONE : secondOf[firstOf[root]];
    }

    /** Finds a path for a root and applies it; false if there is none. */
    private boolean augment(int root) {
        OfferSet candidates = network.candidatesOf(root);
        for (int first = candidates.firstCommon(direct, 0);
                first >= 0;
                first = candidates.firstCommon(direct, first + 1)) {
            if (mayEnd(first)) {
                takenBy[first] = root;
                applyPath(first);
                return true;
            }
            direct.remove(first);
        }
        unvisited.become(alive);
        toVisit.clear();
        seekFirst(root);
        while (!toVisit.isEmpty()) {
            int node = toVisit.remove();
            if (node >= 0) {
                visitRoot(node);
            } else if (visitFirst(~node)) {
                return true;
            }
        }
        alive.become(unvisited);
        return false;
    }

    /** Whether a path may end at a first: it needs no second, or one that is free. */
    private boolean mayEnd(int first) {
        OfferSet support = network.supportOf(first);
        return support == FlowNetwork.NOTHING_MORE || support.intersects(free);
    }

    /** Lets a root seek a first, unless one of its class has done so in this search. */
    private void seekFirst(int root) {
        int rootClass = network.rootClass()[root];
        if (unvisited.classes.contains(rootClass)) {
            unvisited.classes.remove(rootClass);
            toVisit.addLast(root);
        }
    }

    /** Lets a root take any first that was not visited: a path continues at the first, or at the root that has it. */
    private void visitRoot(int root) {
        OfferSet candidates = network.candidatesOf(root);
        for (int first = candidates.firstCommon(unvisited.firsts, 0);
                first >= 0;
                first = candidates.firstCommon(unvisited.firsts, first + 1)) {
            takenBy[first] = root;
            if (rootOf[first] == NONE) {
                toVisit.addFirst(~first);
            } else {
                seekFirst(rootOf[first]);
            }
        }
        unvisited.firsts.removeAll(candidates);
    }

    /** Lets a first take any second that was not visited. If one is free, applies the path that ends there and returns true. */
    private boolean visitFirst(int first) {
        int kind = network.kind()[first];
        if (!unvisited.kinds.contains(kind)) {
            return false;
        }
        if (mayEnd(first)) {
            applyPath(first);
            return true;
        }
        unvisited.kinds.remove(kind);
        OfferSet support = network.supportOf(first);
        for (int second = support.firstCommon(unvisited.seconds, 0);
                second >= 0;
                second = support.firstCommon(unvisited.seconds, second + 1)) {
            wantedBy[second] = first;
            int holder = holderOf[second];
            toVisit.addFirst(~holder);
            if (unvisited.firsts.contains(holder)) {
                unvisited.firsts.remove(holder);
                takenBy[holder] = GIVEN_UP;
                seekFirst(rootOf[holder]);
            }
        }
        unvisited.seconds.removeAll(support);
        return false;
    }

    /** Applies the path that ends at a first: gives it a free second, if it needs one, and passes replaced offers on along the path. */
    private void applyPath(int last) {
        OfferSet support = network.supportOf(last);
        int second = support == FlowNetwork.NOTHING_MORE ? passOn(last) : support.firstCommon(free, 0);
        if (support != FlowNetwork.NOTHING_MORE) {
            free.remove(second);
            wantedBy[second] = last;
        }
        while (second != NONE) {
            int first = wantedBy[second];
            int before = secondOf[first];
            secondOf[first] = second;
            holderOf[second] = first;
            second = before == NONE ? passOn(first) : before;
        }
    }

    /**
     * Gives a first to the root that takes it, the previous first of that root to the next root, and so on. Returns the second of a first
     * that no root takes, or none.
     */
    private int passOn(int taken) {
        int first = taken;
        while (takenBy[first] != GIVEN_UP) {
            int root = takenBy[first];
            int before = firstOf[root];
            rootOf[first] = root;
            firstOf[root] = first;
            direct.remove(first);
            if (before == NONE) {
                return NONE;
            }
            first = before;
        }
        int second = secondOf[first];
        rootOf[first] = NONE;
        secondOf[first] = NONE;
        direct.add(first);
        return second;
    }
}
