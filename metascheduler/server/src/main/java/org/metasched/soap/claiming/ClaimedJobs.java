package org.metasched.soap.claiming;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.leases.Lease;
import org.metasched.trust.Authorizer;

/** The jobs of activated claims, at sites that start programs. Thread-safe. */
public interface ClaimedJobs {

    /**
     * The program of a claim.
     *
     * @param words an executable and its arguments
     * @param perNode processes on each node
     * @param duration longest run time
     */
    record Job(List<String> words, int nodes, int perNode, Duration duration) {

        public Job {
            words = List.copyOf(words);
            if (words.isEmpty() || nodes < 1 || perNode < 1) {
                throw new IllegalArgumentException("A job must have an executable, and nodes (" + nodes
                        + ") and processes on each (" + perNode + ") of at least 1.");
            }
        }
    }

    /**
     * Starts the job of a claim, once, however often it is asked to.
     *
     * @param site name of the site
     * @return the reason why the job does not run
     */
    Optional<String> start(Lease claim, String site, Job job, Authorizer.Call call);

    /** Ends the job of a claim, if it has one. What is left undone is done later. */
    void end(UUID claim);
}
