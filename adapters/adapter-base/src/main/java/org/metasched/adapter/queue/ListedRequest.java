package org.metasched.adapter.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One line of a queue listing: a job or a reservation. Schedulers that have only a queue do not distinguish them.
 *
 * @param start begin, past or planned; a waiting request may have none
 * @param length time limit; empty for an unlimited request
 * @param nodes number of nodes
 * @param hosts names of the nodes, if they are listed
 */
record ListedRequest(
        String id,
        String name,
        Stage stage,
        String stateWord,
        Optional<Instant> start,
        Optional<Duration> length,
        int nodes,
        List<String> hosts) {

    enum Stage {
        /** The request is in the queue without a start. */
        WAITING,
        /** The request has a start that the scheduler keeps. */
        PLANNED,
        RUNNING,
        FINISHED,
        CANCELLED
    }

    ListedRequest {
        hosts = List.copyOf(hosts);
    }
}
