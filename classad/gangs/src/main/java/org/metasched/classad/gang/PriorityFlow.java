package org.metasched.classad.gang;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.metasched.classad.index.OfferSet;

/**
 * Finds the largest set of roots, with at most two ports, that can be ganged together, and of these sets the best in priority order,
 * by augmenting paths, one root after the other.
 *
 * <p>A path leads from a root to an offer of its first port and on to one of its second port, each in one gang at most. The sets of
 * roots that can be linked to the far end in such a network are the independent sets of a gammoid, that is, of a matroid; so keeping
 * every root that still fits, in priority order, ends with a set that is largest and lexicographically best at once.
 *
 * <p>Neighbours are bits; a search costs n/64 words for each class of equal roots and each kind of equal offers that it visits. What
 * a failed search visited cannot reach the far end ever again and is not visited any more. Not thread-safe.
 */
final class PriorityFlow {

    static final int NONE = -1;
    /** Mark in place of the root that is to take an offer: no root has it any more, another offer takes its second. */
    private static final int GIVEN_UP = -2;

    /** The part of the network that a search has not visited; roots of one class are one vertex, and so are offers of one kind that seek a second. */
    private record Unvisited(OfferSet firsts, OfferSet seconds, OfferSet classes, OfferSet kinds) {

        Unvisited(FlowNetwork network) {
            this(
                    OfferSet.all(network.kind().length),
                    OfferSet.all(network.kind().length),
                    OfferSet.all(network.candidates().size()),
                    OfferSet.all(network.supports().size()));
        }

        void become(Unvisited other) {
            firsts.become(other.firsts);
            seconds.become(other.seconds);
            classes.become(other.classes);
            kinds.become(other.kinds);
        }
    }

    private final FlowNetwork network;
    /** By root: its offer at the first port. */
    private final int[] firstOf;
    /** By first offer: its root. */
    private final int[] rootOf;
    /** By first offer: its offer at the second port. */
    private final int[] secondOf;
    /** By second offer: its first. */
    private final int[] holderOf;
    /** Offers of the second port in no gang yet: they only become fewer. */
    private final OfferSet free;
    /** First offers in no gang, except some without a free second. */
    private final OfferSet direct;
    /** If the search succeeds, by first offer: the root that takes it. */
    private final int[] takenBy;
    /** If the search succeeds, by second offer: the first that takes it. */
    private final int[] wantedBy;
    /** The part of the network from which the far end may still be reached. */
    private final Unvisited alive;

    private final Unvisited unvisited;
    /** Roots that seek a first; before them, as {@code ~first}, firsts that seek a second: a path may end there. */
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

    /** Runs to the end; afterwards {@link #firstOf} and {@link #secondOf} describe the gangs. Returns their number. */
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

    /** Whether a path ends at an offer of the first port. */
    private boolean mayEnd(int first) {
        OfferSet support = network.supportOf(first);
        return support == FlowNetwork.NOTHING_MORE || support.intersects(free);
    }

    private void seekFirst(int root) {
        int rootClass = network.rootClass()[root];
        if (unvisited.classes.contains(rootClass)) {
            unvisited.classes.remove(rootClass);
            toVisit.addLast(root);
        }
    }

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

    /** Continues from an offer that seeks another second. If a free one exists the offer gets it, and the result is true. */
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

    /** Applies a path to its last offer at the first port: gives it a free second, if it needs one, and passes replaced offers on. */
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

    /** Gives a first offer to the root that takes it, that root's old one to the next, and so on; returns the second offer of a gang given up, or none. */
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
