package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.Expr;

/** The members of a gang that a search docks one by one, and the best complete gang so far: the first, or by {@code GangRank}. */
final class BestGang {

    /** The most members of a gang without its root, as the search recurses once per member. */
    static final int MOST_MEMBERS = Port.MOST_NEIGHBOURS + 1;

    /** The most complete gangs that are compared for a root that ranks gangs. */
    private static final int MOST_COMPLETE_GANGS = 10_000;

    final List<GangMember> members = new ArrayList<>();
    final @Nullable Expr rank;
    private int complete;
    private Gang.@Nullable Member best;
    private double bestRank;

    BestGang(PortedAd root) {
        this.rank = root.gangRank();
        members.add(new GangMember(root));
    }

    /**
     * The first open port in the order of the text: those of the newest member from left to right, then those of the member before
     * it.
     */
    GangMember.@Nullable Variable firstOpen() {
        for (int i = members.size() - 1; i >= 0; i--) {
            for (GangMember.Variable variable : members.get(i).variables) {
                if (variable.isOpen()) {
                    return variable;
                }
            }
        }
        return null;
    }

    /** Keeps the members as a gang if they rank higher than the best so far; returns whether the search for others ends. */
    boolean keepIfBest() {
        GangMember root = members.get(0);
        double value =
                rank == null ? 0.0 : root.overview().conjunct(rank).value().rank();
        double now = Double.isNaN(value) ? 0.0 : value;
        if (best == null || now > bestRank) {
            best = root.toGang();
            bestRank = now;
        }
        return rank == null || ++complete >= MOST_COMPLETE_GANGS;
    }

    /** Whether the comparison of ranked gangs ended at its limit. */
    boolean isCutShort() {
        return complete >= MOST_COMPLETE_GANGS;
    }

    /** The best complete gang so far, if there is one. */
    Optional<Gang> gang() {
        return Optional.ofNullable(best).map(Gang::new);
    }
}
