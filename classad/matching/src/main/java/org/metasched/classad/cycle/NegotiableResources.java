package org.metasched.classad.cycle;

import java.util.Optional;

/**
 * The slots of a pool, and the requests that wait for them. They decide which slot suits which request; {@link FairShare} decides how
 * much each submitter may take.
 */
interface NegotiableResources {

    /** The way in which a slot is obtained. */
    enum Kind {
        /** The slot is not claimed. */
        IDLE,
        /** The slot ranks the new customer higher than its present one. */
        RANK_PREEMPTION,
        /** The pool's rule takes the slot from its present customer, usually as its submitter has the worse priority. */
        PRIORITY_PREEMPTION
    }

    /**
     * A slot that was matched to a request.
     *
     * @param weight weight of the slot
     * @param from the submitter that loses it, if it is pre-empted
     */
    record MatchedSlot(double weight, Kind kind, Optional<String> from) {}

    /** The rule that tells whether a submitter may have a slot. */
    interface Admission {
        /** Whether the submitter may have a slot of this weight, obtained in this way. */
        boolean admits(double weight, Kind kind);
    }

    /** One submitter's turn: its requests in order, from the first that still waits. */
    interface SubmitterTurn {
        /** Matches the next request for which there is an admissible slot; empty if there is none. */
        Optional<MatchedSlot> next(Admission admission);
    }

    /** Weight of all slots, claimed ones too. */
    double weight();

    /** Weight of the lightest slot. */
    double leastWeight();

    /** Whether no slot is left. */
    boolean isEmpty();

    /** The number of slots for which the submitter's requests wait now. */
    int waiting(String submitter);

    /** Begins the turn of a submitter. */
    SubmitterTurn turn(String submitter);
}
