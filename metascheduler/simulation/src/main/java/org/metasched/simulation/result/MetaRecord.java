package org.metasched.simulation.result;

import java.util.List;
import java.util.Optional;
import org.metasched.simulation.stream.MetaJob;

/**
 * A meta-job and its outcome.
 *
 * @param cause the site that made it fail; an empty text if it was granted
 * @param start second of the run at which its parts are to begin, in a workflow the first part; empty if it was not granted
 * @param rounds rounds of questions, all attempts together; with trial and error, the starts that were tried
 * @param calls messages to sites
 * @param attempts attempts to make all reservations
 * @param held nodes that were held for it, until they were given back
 */
public record MetaRecord(
        MetaJob job,
        Outcome outcome,
        String cause,
        Optional<Long> start,
        int rounds,
        int calls,
        int attempts,
        List<Held> held) {

    /** Outcome of the negotiation; those after the first two have the names of {@link org.metasched.negotiation.NegotiationOutcome.Why}. */
    public enum Outcome {
        GRANTED,
        NO_COMMON_SLOT,
        OUTRUN,
        BUDGET_SPENT,
        SITE_REFUSES,
        SITE_UNAVAILABLE,
        SITE_UNREADABLE,
        SITE_MISCONFIGURED
    }

    /**
     * Nodes that one site held.
     *
     * @param site index into the scenario's sites
     * @param from second of the run at which the nodes were first held; all times are seconds of the run
     * @param usedFrom time at which the job's part began there
     * @param until time at which they were given back
     * @param reservedUntil the end of the reservation as it was made
     */
    public record Held(int site, int nodes, long from, long usedFrom, long until, long reservedUntil) {

        long nodeSeconds() {
            return nodes * Math.max(0, until - from);
        }
    }

    public MetaRecord {
        held = List.copyOf(held);
    }

    public boolean granted() {
        return outcome == Outcome.GRANTED;
    }

    /** Node seconds of its reservations, until they were given back. */
    long heldNodeSeconds() {
        return held.stream().mapToLong(Held::nodeSeconds).sum();
    }

    /** Node seconds of its reservations as they were made. */
    long reservedNodeSeconds() {
        return held.stream()
                .mapToLong(h -> h.nodes() * (h.reservedUntil() - h.from()))
                .sum();
    }

    /** Node seconds that the job used. */
    long usedNodeSeconds() {
        return held.stream()
                .mapToLong(h -> h.nodes() * Math.min(job.run().toSeconds(), Math.max(0, h.until() - h.usedFrom())))
                .sum();
    }
}
