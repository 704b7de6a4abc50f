package org.metasched.adapter.policy;

import java.time.Duration;
import java.time.Instant;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.TimeSlot;

/**
 * What is asked of a site, as its rules see it.
 *
 * @param subject for whom it is asked, or an empty text
 * @param server by whom, or an empty text
 * @param need kind and amount
 * @param length how long
 */
record Asked(String subject, String server, Need need, Duration length) {

    static Asked of(ResourceRequest request) {
        String subject = request.requester().map(Requester::subject).orElse("");
        return new Asked(subject, request.server().orElse(""), request.need(), request.duration());
    }

    /** Nodes, or nothing for other kinds of resource: rules about nodes do not concern those. */
    int nodes() {
        return need.nodeCount();
    }

    Asked withNodes(int nodes) {
        return new Asked(subject, server, need.withAmount(nodes), length);
    }

    Asked withLength(Duration shorter) {
        return new Asked(subject, server, need, shorter);
    }

    TimeSlot from(Instant start) {
        return TimeSlot.of(start, length);
    }
}
