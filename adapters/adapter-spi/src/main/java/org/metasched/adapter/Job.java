package org.metasched.adapter;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A program and the reservation it runs in.
 *
 * @param files text files that lie in the job's directory before its first process starts, by their plain names; the job
 *     waits for a {@value #MACHINE_FILE} that is not among them
 */
public record Job(Name name, Program program, Map<String, String> files) {

    /** The file with the nodes of all parts of the agreement, one a line. */
    public static final String MACHINE_FILE = "machinefile";

    /** The file after which processes that wait for all parts go on. */
    public static final String GO_FILE = "go";

    /**
     * Name of a job: there is one job for each reservation.
     *
     * @param key of its reservation
     * @param requester as which the reservation was made
     */
    public record Name(RequestKey key, ReservationId reservation, Optional<Requester> requester) {}

    public Job {
        files = Collections.unmodifiableMap(new TreeMap<>(files));
    }
}
