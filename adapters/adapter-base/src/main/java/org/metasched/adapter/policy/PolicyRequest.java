package org.metasched.adapter.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SubjectName;
import org.metasched.adapter.TimeSlot;

/**
 * A request as the rules of a site see it.
 *
 * @param subject subject of the requester, or an empty text
 * @param users subjects of the further users
 * @param project the account that is charged, or an empty text
 * @param server name of the metascheduler that asks, or an empty text
 * @param need kind and amount
 * @param length duration of the slot
 */
record PolicyRequest(String subject, List<String> users, String project, String server, Need need, Duration length) {

    static PolicyRequest of(ResourceRequest request) {
        var requester = request.requester();
        return new PolicyRequest(
                SubjectName.canonical(requester.map(Requester::subject).orElse("")),
                requester.map(Requester::users).orElse(List.of()).stream()
                        .map(SubjectName::canonical)
                        .toList(),
                requester.flatMap(Requester::project).orElse(""),
                SubjectName.canonical(request.server().orElse("")),
                request.need(),
                request.duration());
    }

    /** Number of nodes; 0 for other kinds of resource, which rules about nodes do not concern. */
    int nodes() {
        return need.nodeCount();
    }

    /** The same request for another number of nodes; for requests of nodes only. */
    PolicyRequest withNodes(int nodes) {
        return new PolicyRequest(subject, users, project, server, need.withAmount(nodes), length);
    }

    PolicyRequest withLength(Duration other) {
        return new PolicyRequest(subject, users, project, server, need, other);
    }

    TimeSlot slotFrom(Instant start) {
        return TimeSlot.of(start, length);
    }

    /**
     * The grant of this request, not given up.
     *
     * @param id reservation id at the scheduler, or an empty text before the reservation is made
     */
    GrantedUsage.Grant granted(RequestKey key, String id, int nodes, TimeSlot slot) {
        return new GrantedUsage.Grant(key.value(), id, subject, server, project, nodes, slot, false);
    }
}
