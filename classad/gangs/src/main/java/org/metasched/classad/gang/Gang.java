package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;

/**
 * Ads introduced to each other: a tree under a root, with every port of every member satisfied. A gang is an
 * introduction, not an allocation: its members still have to be claimed.
 *
 * @param root the ad that asked
 */
public record Gang(Member root) {

    /**
     * One ad of a gang.
     *
     * @param ad the ad
     * @param offer its number in the pool, -1 for the root
     * @param dock the index of the port by which it is docked to the member above it, -1 for the root
     * @param dockings the members docked to its other ports, in the order of the ports
     */
    public record Member(PortedAd ad, int offer, int dock, List<Docking> dockings) {
        public Member {
            dockings = List.copyOf(dockings);
        }
    }

    /** A port, by its label, and the members docked to it: one, unless the port says how many it wants. */
    public record Docking(String label, Port port, List<Member> members) {
        public Docking {
            members = List.copyOf(members);
        }
    }

    /** All members, the root first, each before those docked to it. */
    public List<Member> members() {
        var all = new ArrayList<Member>();
        collect(root, all);
        return all;
    }

    private static void collect(Member member, List<Member> into) {
        into.add(member);
        for (Docking docking : member.dockings()) {
            docking.members().forEach(docked -> collect(docked, into));
        }
    }

    /** The pool's numbers of all members but the root. */
    public List<Integer> offers() {
        return members().stream().map(Member::offer).filter(offer -> offer >= 0).toList();
    }
}
