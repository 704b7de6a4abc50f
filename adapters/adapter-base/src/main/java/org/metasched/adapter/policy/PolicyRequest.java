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
record PolicyRequest(String subject, String server, Need need, Duration length) {

    static PolicyRequest of(ResourceRequest request) {
        String subject = request.requester().map(Requester::subject).orElse("");
        return new PolicyRequest(subject, request.server().orElse(""), request.need(), request.duration());
    }

    /** Nodes, or nothing for other kinds of resource: rules about nodes do not concern those. */
    int nodes() {
        return need.nodeCount();
    }

    PolicyRequest withNodes(int nodes) {
        return new PolicyRequest(subject, server, need.withAmount(nodes), length);
    }

    PolicyRequest withLength(Duration shorter) {
        return new PolicyRequest(subject, server, need, shorter);
    }

    TimeSlot from(Instant start) {
        return TimeSlot.of(start, length);
    }
}
