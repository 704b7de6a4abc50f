package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.classad.index.Bond;
import org.metasched.classad.index.Candidates;
import org.metasched.classad.index.Place;
import org.metasched.classad.index.Request;
import org.metasched.classad.index.Side;

/** An ad in a gang that is being put together: its ports with the bonds made so far. Not thread-safe. */
final class Member {

    /** A port and the places that wait for, or have, a neighbour. While it is open, its last place is the one that waits. */
    final class Slots {
        final Port port;
        private final List<Bond> bonds = new ArrayList<>(1);
        private final List<Place> places = new ArrayList<>(1);
        private final List<Member> docked = new ArrayList<>(1);
        private final List<Integer> entries = new ArrayList<>(1);
        private @Nullable Request lastAsked;
        private @Nullable Candidates lastAnswer;
        private boolean closed;

        private Slots(Port port) {
            this.port = port;
        }

        Member member() {
            return Member.this;
        }

        boolean isOpen() {
            return !closed;
        }

        int filled() {
            return docked.size();
        }

        boolean mayClose() {
            return !closed && docked.size() >= port.least();
        }

        /** Whether this is the port by which the member itself is docked. */
        boolean isAnswer() {
            return port.index() == dock;
        }

        List<Place> places() {
            return places;
        }

        /** The place that waits. */
        Place waiting() {
            return places.get(places.size() - 1);
        }

        private void addPlace() {
            var bond = new Bond(port.label());
            bonds.add(bond);
            places.add(new Place(port.side(), bond, labels.subList(0, port.index())));
        }

        private void dropPlace() {
            bonds.remove(bonds.size() - 1);
            places.remove(places.size() - 1);
        }

        /** The entry of the pool that docked last, -1 if none did. */
        int lastEntry() {
            return entries.isEmpty() ? -1 : entries.get(entries.size() - 1);
        }

        /** Docks a member by its docking place, which is an entry of the pool. */
        void dock(Member other, Place otherPlace, int entry) {
            Place mine = waiting();
            mine.own().bind(otherPlace);
            otherPlace.own().bind(mine);
            docked.add(other);
            entries.add(entry);
            if (docked.size() == port.most()) {
                closed = true;
            } else {
                addPlace();
            }
        }

        /** Takes the last docking back. */
        void undock() {
            if (closed) {
                closed = false;
            } else {
                dropPlace();
            }
            docked.remove(docked.size() - 1);
            entries.remove(entries.size() - 1);
            waiting().own().release();
        }

        /** Takes no more neighbours than there are. */
        void close() {
            dropPlace();
            closed = true;
        }

        void reopen() {
            closed = false;
            addPlace();
        }

        /** The answer to a request if it is the one this port asked last, else null. */
        @Nullable
        Candidates remembered(Request request) {
            return lastAsked != null && request.equals(lastAsked) ? lastAnswer : null;
        }

        /** Forgets what was asked, as for a new search. */
        void forget() {
            lastAsked = null;
            lastAnswer = null;
        }

        void remember(Request request, Candidates answer) {
            lastAsked = request;
            lastAnswer = answer;
        }

        private void answer() {
            closed = true;
        }
    }

    /** No name in an ad can be this one. */
    private static final String NO_LABEL = "\0";

    private final PortedAd ad;
    private final int number;
    private final int dock;
    private final List<Place.Label> labels = new ArrayList<>();
    private final List<Slots> slots = new ArrayList<>();

    /** A root (number and dock -1) or an offer that docks by one of its ports. */
    Member(PortedAd ad, int number, int dock) {
        this.ad = ad;
        this.number = number;
        this.dock = dock;
        for (Port port : ad.ports()) {
            var slot = new Slots(port);
            slots.add(slot);
            labels.add(new Place.Label(port.label(), slot.bonds, port.isList()));
        }
        for (Slots slot : slots) {
            slot.addPlace();
        }
        if (dock >= 0) {
            slots.get(dock).answer();
        }
    }

    PortedAd ad() {
        return ad;
    }

    int number() {
        return number;
    }

    List<Slots> slots() {
        return slots;
    }

    /** The place by which this member docks to the one above. */
    Place dockPlace() {
        return slots.get(dock).waiting();
    }

    /** A place beside the ports that sees all their labels. */
    Place overview() {
        return new Place(Side.port(ad.ad(), ClassAd.EMPTY, NO_LABEL), new Bond(NO_LABEL), labels);
    }

    /** This member and all below it, as they are now. */
    Gang.Member toGang() {
        var dockings = new ArrayList<Gang.Docking>(slots.size());
        for (Slots slot : slots) {
            if (!slot.isAnswer()) {
                var docked = new ArrayList<Gang.Member>(slot.docked.size());
                slot.docked.forEach(member -> docked.add(member.toGang()));
                dockings.add(new Gang.Docking(slot.port.label(), slot.port, docked));
            }
        }
        return new Gang.Member(ad, number, dock, dockings);
    }
}
