package org.metasched.adapter;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A program and the reservation it runs in.
 *
 * @param files texts of files by plain name; they lie in the job's directory before its first process starts. Without
 *     {@value #MACHINE_FILE} among them the job waits until one is added
 */
public record Job(Name name, Program program, Map<String, String> files) {

    /** The file with the nodes of all parts of the agreement, one a line. */
    public static final String MACHINE_FILE = "machinefile";

    /** The file whose appearance starts the processes that wait for all parts of the agreement. */
    public static final String GO_FILE = "go";

    /**
     * Identifies a job by its reservation, as each reservation has at most one.
     *
     * @param key request key of the reservation
     * @param reservation id of the reservation
     * @param requester the requester of the reservation; empty if it has none
     */
    public record Name(RequestKey key, ReservationId reservation, Optional<Requester> requester) {}

    public Job {
        files = Collections.unmodifiableMap(new TreeMap<>(files));
    }
}
