package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.metasched.classad.ClassAd;
import org.metasched.classad.index.EvaluationSite;
import org.metasched.classad.index.LabelLink;
import org.metasched.classad.index.MatchParty;

/** An ad in a partial gang, with the neighbours that its ports have so far. Not thread-safe. */
final class GangMember {

    /**
     * A port as a variable of the search. It has a link and an evaluation site for each neighbour and, while it is open, one more of each
     * for the next neighbour.
     */
    final class Variable {
        final Port port;
        private final List<LabelLink> links = new ArrayList<>(1);
        final List<EvaluationSite> sites = new ArrayList<>(1);
        private final List<GangMember> docked = new ArrayList<>(1);
        private boolean closed;

        private Variable(Port port) {
            this.port = port;
        }

        /** The member to which the port belongs. */
        GangMember member() {
            return GangMember.this;
        }

        /** Whether the port may still get a neighbour. */
        boolean isOpen() {
            return !closed;
        }

        /** Whether the port is open and has as many neighbours as it needs. */
        boolean mayClose() {
            return !closed && docked.size() >= port.least();
        }

        /** Whether this is the port by which the member itself is docked. */
        boolean isAnswer() {
            return port.index() == dock;
        }

        /** The last evaluation site, which is that of the next neighbour while the port is open. */
        EvaluationSite openSite() {
            return sites.get(sites.size() - 1);
        }

        private void addSite() {
            var link = new LabelLink(port.label());
            links.add(link);
            sites.add(new EvaluationSite(port.side(), link, labels.subList(0, port.index())));
        }

        private void dropSite() {
            links.remove(links.size() - 1);
            sites.remove(sites.size() - 1);
        }

        /** The entry of the pool that was docked last; -1 for none. */
        int lastEntry() {
            return docked.isEmpty() ? -1 : docked.get(docked.size() - 1).entry;
        }

        /** Docks a member at this port, which must be open; closes the port if it has its most neighbours then. */
        void dock(GangMember other) {
            EvaluationSite mine = openSite();
            EvaluationSite theirs = other.dockSite();
            mine.own().bind(theirs);
            theirs.own().bind(mine);
            docked.add(other);
            if (docked.size() == port.most()) {
                closed = true;
            } else {
                addSite();
            }
        }

        /** Undocks the last neighbour. */
        void undock() {
            if (closed) {
                closed = false;
            } else {
                dropSite();
            }
            docked.remove(docked.size() - 1);
            openSite().own().release();
        }

        /** Closes the port with the neighbours it has; false, without effect, if it needs more. */
        boolean close() {
            if (!mayClose()) {
                return false;
            }
            dropSite();
            closed = true;
            return true;
        }

        /** Reverses {@link #close}. */
        void reopen() {
            closed = false;
            addSite();
        }
    }

    /** A label that no name in an ad can equal. */
    private static final String NO_LABEL = "\0";

    private final PortedAd ad;
    final int number;
    private final int dock;
    private final int entry;
    private final List<EvaluationSite.Label> labels = new ArrayList<>();
    final List<Variable> variables = new ArrayList<>();

    /** The root of a gang. */
    GangMember(PortedAd root) {
        this(root, -1, -1, -1);
    }

    /**
     * An offer that docks by one of its ports.
     *
     * @param number the ad's number in the pool
     * @param dock the index of the port by which it docks
     * @param entry the number of that port in the pool
     */
    GangMember(PortedAd ad, int number, int dock, int entry) {
        this.ad = ad;
        this.number = number;
        this.dock = dock;
        this.entry = entry;
        for (Port port : ad.ports()) {
            var variable = new Variable(port);
            variables.add(variable);
            labels.add(new EvaluationSite.Label(port.label(), variable.links, port.isList()));
        }
        for (Variable variable : variables) {
            variable.addSite();
        }
        if (dock >= 0) {
            variables.get(dock).closed = true;
        }
    }

    /** The open ports of some members, in their order. */
    static Stream<Variable> open(List<GangMember> members) {
        return members.stream().flatMap(member -> member.variables.stream()).filter(Variable::isOpen);
    }

    /** The evaluation site of the port by which this member docks to the member above. */
    EvaluationSite dockSite() {
        return variables.get(dock).openSite();
    }

    /** An evaluation site for expressions outside the ports, such as GangRank, which see the labels of all ports. */
    EvaluationSite overview() {
        return new EvaluationSite(MatchParty.port(ad.ad(), ClassAd.EMPTY, NO_LABEL), new LabelLink(NO_LABEL), labels);
    }

    /** This member and all members below it, as they are now. */
    Gang.Member toGang() {
        var dockings = new ArrayList<Gang.Docking>(variables.size());
        for (Variable variable : variables) {
            if (!variable.isAnswer()) {
                List<Gang.Member> docked =
                        variable.docked.stream().map(GangMember::toGang).toList();
                dockings.add(new Gang.Docking(variable.port.label(), variable.port, docked));
            }
        }
        return new Gang.Member(ad, number, dock, dockings);
    }
}
