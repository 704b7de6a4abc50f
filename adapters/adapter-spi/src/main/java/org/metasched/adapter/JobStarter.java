package org.metasched.adapter;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Optional ability of a site: runs programs inside its reservations, as the user that the requester maps to. Cancelling the
 * reservation ends the job in it.
 */
public interface JobStarter {

    /**
     * Whether the site would run a program; starts nothing.
     *
     * @throws LocalSchedulerException.Refused when it would not, with the reason
     */
    void check(Program program, Optional<Requester> requester) throws LocalSchedulerException;

    /**
     * Hands a job to the scheduler, which holds it until its reservation begins. One reservation, one job: repeating it,
     * also after a crash of either side, starts no second one and puts the files in the place of the earlier ones.
     *
     * @throws LocalSchedulerException.Refused when the job will not run
     */
    JobStatus start(Job job) throws LocalSchedulerException;

    /** The state of each job that was started, in one look; the others are missing. An exit code stays known. */
    Map<Job.Name, JobStatus> jobs(Collection<Job.Name> names) throws LocalSchedulerException;
}
