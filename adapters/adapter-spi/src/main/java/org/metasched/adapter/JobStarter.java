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
     * Refuses a program that the site would not run; starts nothing.
     *
     * @throws LocalSchedulerException.Refused with the reason
     */
    void check(Program program, Optional<Requester> requester) throws LocalSchedulerException;

    /**
     * Hands a job to the scheduler, which holds it until its reservation begins. One reservation, one job: a repeated call, also after a
     * crash of either side, starts no second job and replaces the earlier files.
     *
     * @throws LocalSchedulerException.Refused when the job will not run
     */
    JobStatus start(Job job) throws LocalSchedulerException;

    /**
     * The status of each named job that was started, in one query; the others are missing. The exit code of an ended job stays available.
     */
    Map<Job.Name, JobStatus> jobs(Collection<Job.Name> names) throws LocalSchedulerException;
}
