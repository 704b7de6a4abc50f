package org.metasched.adapter;

/** Optional ability of a site: live figures for its site ad. */
public interface LoadReporting {

    SiteLoad load() throws LocalSchedulerException;

    /**
     * @param totalNodes nodes that exist, down ones too
     * @param freeNodes nodes on which something could start now
     * @param runningJobs jobs that run
     * @param queuedJobs jobs that wait
     */
    record SiteLoad(int totalNodes, int freeNodes, int runningJobs, int queuedJobs) {}
}
