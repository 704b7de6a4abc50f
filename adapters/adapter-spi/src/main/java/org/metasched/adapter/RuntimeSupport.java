package org.metasched.adapter;

import java.util.List;

/** Optional ability of a site: the run-time operations of the 2005 paper, {@code Bind} and {@code Publish}. */
public interface RuntimeSupport {

    /**
     * Tells the resource which compute nodes it now serves: a network learns the end points of its link when the job
     * starts. Repeating it with the same nodes is not an error.
     *
     * @param nodeAddresses host names or IP addresses
     */
    void bind(ReservationId id, List<String> nodeAddresses) throws LocalSchedulerException;

    /**
     * Hands a file of run-time information to the site, such as an MPI machine file; the file is there when the job starts.
     *
     * @param name a plain file name, no path
     * @param content at most 1 MiB of text
     */
    void publish(ReservationId id, String name, String content) throws LocalSchedulerException;
}
