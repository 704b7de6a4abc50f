package org.metasched.classad.cycle;

import java.util.Optional;

/**
 * Subject of a negotiation: the slots of a pool, and the requests that wait for them. It knows which slot suits which request; the
 * negotiation knows how much each submitter may take.
 */
interface NegotiableResources {

    /** How a slot is come by. */
    enum Kind {
        IDLE,
        /** The slot likes the new customer better than its present one. */
        RANK_PREEMPTION,
        /** The present customer's submitter has the worse priority. */
        PRIORITY_PREEMPTION
    }

    /**
     * A match.
     *
     * @param weight of the slot
     * @param from the submitter that loses it, if it is pre-empted
     */
    record Sale(double weight, Kind kind, Optional<String> from) {}

    /** Whether the submitter may have a slot of that weight. */
    interface Admission {
        boolean admits(double weight, Kind kind);
    }

    /** One submitter's turn: its requests in order, from the first that still waits. */
    interface Talk {
        /** Matches the next request that finds an admissible slot; nothing if there is none. */
        Optional<Sale> next(Admission admission);
    }

    /** Weight of all slots, claimed ones too. */
    double weight();

    /** Weight of the lightest slot. */
    double leastWeight();

    /** Whether all slots are gone. */
    boolean isEmpty();

    /** How many slots the submitter's requests wait for at this moment. */
    int idle(String submitter);

    Talk talk(String submitter);
}
