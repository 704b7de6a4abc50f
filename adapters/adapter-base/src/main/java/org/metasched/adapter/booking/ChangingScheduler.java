package org.metasched.adapter.booking;

import java.time.Instant;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.Need;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.Settings;
import org.metasched.adapter.TimeSlot;

/**
 * Base of schedulers that change a reservation in place. Exit codes are not trusted, so the changed reservation is read back; a change that
 * differs from the request is reversed.
 */
public abstract class ChangingScheduler extends BookingScheduler implements ReservationChange {

    protected ChangingScheduler(CommandLineSite site, BookingRules rules, Settings settings) {
        super(site, rules, settings);
    }

    /**
     * Refuses a change that the scheduler would not make, or only in part.
     *
     * @throws Refused before anything is changed
     */
    protected abstract void checkChange(Reservation held, Need.Nodes need, TimeSlot slot)
            throws LocalSchedulerException;

    /** Asks the scheduler to change the values that differ from the held ones. Returns when the scheduler accepts. */
    protected abstract void update(Reservation held, Need.Nodes need, TimeSlot slot) throws LocalSchedulerException;

    @Override
    public final Reservation change(ReservationId id, ResourceRequest request, Instant start)
            throws LocalSchedulerException {
        Need.Nodes need = nodesOf(request);
        TimeSlot slot = previewWindow().covering(start, request.duration());
        Reservation before = heldUnder(id);
        if (holds(before, need, slot)) {
            return before;
        }
        checkChange(before, need, slot);
        Reservation after = updateAndRead(before, need, slot);
        if (holds(after, need, slot)) {
            return after;
        }
        String message = "Site " + site() + " changed reservation " + id + " to "
                + wordsOf(after.granted(), after.slot()) + " where " + wordsOf(need, slot) + " was asked; it ";
        if (!isChangedBack(after, before)) {
            throw new Unreachable(message + "could not be changed back.");
        }
        throw new Refused(message + "has been changed back.");
    }

    private boolean isChangedBack(Reservation after, Reservation before) throws LocalSchedulerException {
        if (after.holdsAs(before)) {
            return true;
        }
        try {
            Need.Nodes need = before.granted().asNodes().orElseThrow();
            return updateAndRead(after, need, before.slot()).holdsAs(before);
        } catch (Refused | Misconfigured notDone) {
            return false;
        }
    }

    private Reservation updateAndRead(Reservation held, Need.Nodes need, TimeSlot slot) throws LocalSchedulerException {
        try {
            update(held, need, slot);
        } finally {
            shared().forget();
        }
        try {
            return heldUnder(held.id());
        } catch (Refused | Misconfigured unseen) {
            throw maybeHeld(held.id() + ", changed", unseen);
        }
    }

    private Reservation heldUnder(ReservationId id) throws LocalSchedulerException {
        return lookUp(id)
                .filter(SchedulerReservation::isHeld)
                .orElseThrow(() -> new UnknownReservation(site(), id))
                .status()
                .reservation();
    }

    /** Whether a reservation holds the nodes and exactly the slot that were asked for; more cores or properties than asked are fine. */
    static boolean holds(Reservation held, Need.Nodes need, TimeSlot slot) {
        return held.slot().equals(slot)
                && held.granted()
                        .asNodes()
                        .filter(nodes -> nodes.count() == need.count()
                                && nodes.coresPerNode() >= need.coresPerNode()
                                && nodes.properties().containsAll(need.properties()))
                        .isPresent();
    }
}
