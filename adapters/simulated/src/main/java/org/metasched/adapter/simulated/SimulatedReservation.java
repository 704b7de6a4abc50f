package org.metasched.adapter.simulated;

import java.time.Instant;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.TimeSlot;

/** One reservation at a simulated site. Not thread-safe: the scheduler's lock guards it. */
final class SimulatedReservation {

    final ReservationId id;
    final RequestKey key;
    Need need;
    TimeSlot slot;
    /** The nodes that it holds; broken ones are replaced while others are free. Empty for other kinds of need. */
    BitSet nodes;

    boolean cancelled;

    /** The node addresses that were bound last. */
    List<String> bound = List.of();
    /** Contents of published files, by name. */
    final Map<String, String> published = new LinkedHashMap<>();

    SimulatedReservation(ReservationId id, RequestKey key, Need need, TimeSlot slot, BitSet nodes) {
        this.id = id;
        this.key = key;
        this.need = need;
        this.slot = slot;
        this.nodes = nodes;
    }

    ReservationState stateAt(Instant now) {
        if (cancelled) {
            return ReservationState.CANCELLED;
        } else if (now.isBefore(slot.start())) {
            return ReservationState.RESERVED;
        }
        return now.isBefore(slot.end()) ? ReservationState.ACTIVE : ReservationState.FINISHED;
    }
}
