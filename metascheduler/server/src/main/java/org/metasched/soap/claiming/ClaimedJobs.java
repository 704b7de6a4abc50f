package org.metasched.soap.claiming;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.leases.Lease;
import org.metasched.trust.Authorizer;

/** The jobs that claims start when they are activated, at sites that run programs. Thread-safe. */
public interface ClaimedJobs {

    /**
     * The job of a claim.
     *
     * @param words an executable and its arguments
     * @param perNode processes on each node
     * @param duration longest run time
     */
    record Job(List<String> words, int nodes, int perNode, Duration duration) {

        public Job {
            words = List.copyOf(words);
            if (words.isEmpty() || nodes < 1 || perNode < 1 || (long) nodes * perNode > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("A job must have an executable, and nodes (" + nodes
                        + ") and processes on each (" + perNode + ") of at least 1, not more than "
                        + Integer.MAX_VALUE + " processes together.");
            }
        }
    }

    /**
     * Starts the job of a claim, once, however often it is asked to.
     *
     * @param site site of the claim's resource, which may have another name than {@code claim.site()}, the resource
     * @param call the claimant that activates it
     * @return the reason why the job does not run; empty if it runs or has run
     */
    Optional<String> start(Lease claim, String site, Job job, Authorizer.Call call);

    /** Ends the job of a claim, if it has one. If that fails now, it is tried again later. */
    void end(UUID claim);
}
