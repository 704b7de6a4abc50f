package org.metasched.adapter.jobs;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Reservation;

/** The operations on jobs that each scheduler implements by its own commands. */
public interface JobQueue {

    /**
     * One job to hand over.
     *
     * @param name name of the job in the scheduler's lists
     * @param user local user of the job; empty for the adapter's account
     * @param project the account that is charged; empty for the user's default account
     * @param become words that run a command as that user
     * @param reservation reservation of the job
     * @param folder the job's directory, an absolute path without characters that are special to a shell
     * @param command the program for the first node and its arguments, without special characters too
     */
    record Submission(
            String name,
            Optional<String> user,
            Optional<String> project,
            List<String> become,
            Reservation reservation,
            String folder,
            List<String> command) {}

    /**
     * Hands a job over, to wait for its reservation.
     *
     * @return the scheduler's own name for it
     */
    String submit(Submission job) throws LocalSchedulerException;

    /**
     * Words that start a process on another node of the job, with {@code {node}} among them; used if the site's settings have none. Empty if
     * all processes start on the first node.
     */
    default List<String> launch() {
        return List.of();
    }

    /** The jobs of these names that wait or run: the scheduler's own id of each, by name. */
    Map<String, String> living(Collection<String> names) throws LocalSchedulerException;
}
