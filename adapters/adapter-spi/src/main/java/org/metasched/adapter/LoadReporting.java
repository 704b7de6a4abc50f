package org.metasched.adapter;

/** Optional ability of a site: live figures for its site ad. */
public interface LoadReporting {

    /**
     * The load at this moment, asked of the scheduler anew.
     *
     * @throws LocalSchedulerException when the scheduler gives no answer that can be understood
     */
    SiteLoad load() throws LocalSchedulerException;

    /**
     * @param totalNodes nodes that exist, down ones too
     * @param freeNodes nodes on which something could start now
     * @param runningJobs jobs that run
     * @param queuedJobs jobs that wait
     */
    record SiteLoad(int totalNodes, int freeNodes, int runningJobs, int queuedJobs) {}
}
