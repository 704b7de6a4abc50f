package org.metasched.adapter;

import java.util.Optional;

/**
 * Status of a job at the moment of a query.
 *
 * @param id the scheduler's own name for the job, or empty before it has one
 * @param exitCode exit code of an ended job; 128 plus the signal if a signal ended it
 * @param output path of its output at the site; empty if it is not known
 * @param detail text for people, or empty
 */
public record JobStatus(State state, String id, Optional<Integer> exitCode, String output, String detail) {

    /** State of a job. */
    public enum State {
        /** The job is not handed to the site yet. */
        NEW,
        /** The site has the job, and holds it until the slot of its reservation begins. */
        WAITING,
        RUNNING,
        /** The job ended by itself, with an exit code. */
        ENDED,
        /** The site ended the job, and no exit code is known. */
        LOST,
        /** The site does not accept the job. */
        REFUSED;

        /** Whether the state will not change any more. */
        public boolean isFinal() {
            return this == ENDED || this == LOST || this == REFUSED;
        }
    }

    /** The status of a job that is not handed to the site yet. */
    public static final JobStatus NEW = new JobStatus(State.NEW, "", Optional.empty(), "", "");

    /** The same status in another state; {@code why} is the new detail. */
    public JobStatus in(State next, String why) {
        return new JobStatus(next, id, exitCode, output, why);
    }
}
