package org.metasched.classad.cycle;

import java.util.Optional;

/**
 * Subject of a negotiation: the slots of a pool, and the requests that wait for them. It decides which slot suits which request; the
 * negotiation decides how much each submitter may take.
 */
interface NegotiableResources {

    /** The way in which a slot is obtained. */
    enum Kind {
        IDLE,
        /** The slot ranks the new customer higher than its present one. */
        RANK_PREEMPTION,
        /** The present customer's submitter has the worse priority. */
        PRIORITY_PREEMPTION
    }

    /**
     * A match.
     *
     * @param weight weight of the slot
     * @param from the submitter that loses it, if it is pre-empted
     */
    record Sale(double weight, Kind kind, Optional<String> from) {}

    /** Whether the submitter may have a slot of that weight. */
    interface Admission {
        boolean admits(double weight, Kind kind);
    }

    /** One submitter's turn: its requests in order, from the first that still waits. */
    interface Talk {
        /** Matches the next request for which there is an admissible slot; empty if there is none. */
        Optional<Sale> next(Admission admission);
    }

    /** Weight of all slots, claimed ones too. */
    double weight();

    /** Weight of the lightest slot. */
    double leastWeight();

    /** Whether no slot is left. */
    boolean isEmpty();

    /** Number of slots for which the submitter's requests wait now. */
    int idle(String submitter);

    Talk talk(String submitter);
}
