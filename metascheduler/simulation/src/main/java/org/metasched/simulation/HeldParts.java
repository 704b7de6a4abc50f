package org.metasched.simulation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.metasched.adapter.Need;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.SiteReservation;
import org.metasched.simulation.result.MetaRecord.Held;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.simulation.stream.MetaJob;

/** The reservations of meta-jobs that were granted and are not over. For one thread. */
final class HeldParts {

    private final Scenario scenario;
    private final int[] held;
    private final Map<SiteId, Integer> indexOf = new HashMap<>();
    private final PriorityQueue<End> ends =
            new PriorityQueue<>(Comparator.comparing(End::at).thenComparingLong(End::number));
    private long lastNumber;

    /** The end of a part of a meta-job. */
    record End(Instant at, long number, SiteReservation reservation) {}

    HeldParts(Scenario scenario) {
        this.scenario = scenario;
        this.held = new int[scenario.sites().size()];
        scenario.sites().forEach(site -> indexOf.put(site.id(), indexOf.size()));
    }

    /** Number of parts that a site holds. */
    int at(SiteId site) {
        return held[index(site)];
    }

    private int index(SiteId site) {
        return indexOf.getOrDefault(site, -1);
    }

    /** Removes and returns the earliest end up to an instant; empty if there is none. */
    Optional<End> nextEnd(Instant latest) {
        return Optional.ofNullable(ends.peek())
                .filter(end -> !end.at().isAfter(latest))
                .map(end -> ends.remove());
    }

    /** Subtracts a part, which holds nothing any more, from the number of its site. */
    void release(End end) {
        held[index(end.reservation().site())]--;
    }

    /** Adds the parts of a granted meta-job; returns the nodes that its parts hold, with the times. */
    List<Held> hold(MetaJob job, CoAllocated granted) {
        var nodes = new ArrayList<Held>();
        for (int i = 0; i < granted.reservations().size(); i++) {
            var reservation = granted.reservations().get(i);
            var slot = reservation.reservation().slot();
            var begin = granted.start().plus(job.parts().get(i).offset());
            var until = TimeSlot.earlier(begin.plus(job.run()), slot.end());
            ends.add(new End(until, ++lastNumber, reservation));
            int site = index(reservation.site());
            held[site]++;
            if (job.parts().get(i).request().need() instanceof Need.Nodes wanted) {
                nodes.add(new Held(
                        site,
                        wanted.count(),
                        scenario.second(slot.start()),
                        scenario.second(begin),
                        scenario.second(until),
                        scenario.second(slot.end())));
            }
        }
        return nodes;
    }
}
