package org.metasched.adapter.booking;

import java.time.Instant;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.Need;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.Settings;
import org.metasched.adapter.TimeSlot;

/**
 * Base of schedulers that change a reservation in place. An exit code proves nothing: the changed reservation is read back, and a
 * change that differs from the request is reversed.
 */
public abstract class ChangingScheduler extends BookingScheduler implements ReservationChange {

    protected ChangingScheduler(CommandLineSite site, BookingRules rules, Settings settings) {
        super(site, rules, settings);
    }

    /**
     * Refuses what the scheduler would not do, or only in part.
     *
     * @throws Refused before anything is changed
     */
    protected abstract void checkChange(Reservation held, Need.Nodes need, TimeSlot slot)
            throws LocalSchedulerException;

    /** Asks the scheduler to change what differs from what is held. Returns at its yes. */
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
        if (!after.holdsAs(before)) {
            // Changes it back.
            var unused = updateAndRead(after, before.granted().asNodes().orElse(need), before.slot());
        }
        throw new Refused("Site " + site() + " changed reservation " + id + " to " + after.granted() + " where " + need
                + " was asked; it has been changed back.");
    }

    private Reservation updateAndRead(Reservation held, Need.Nodes need, TimeSlot slot) throws LocalSchedulerException {
        try {
            update(held, need, slot);
        } finally {
            at().shared().forget();
        }
        return heldUnder(held.id());
    }

    private Reservation heldUnder(ReservationId id) throws LocalSchedulerException {
        return lookUp(id)
                .filter(SchedulerReservation::isHeld)
                .orElseThrow(() -> new UnknownReservation(site(), id))
                .status()
                .reservation();
    }

    /** Whether a reservation is what is asked for. */
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
