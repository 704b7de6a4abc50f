package org.metasched.adapter;

import java.util.List;

/** Optional ability of a site: live figures for its site ad. */
public interface LoadReporting {

    /**
     * The load of the site at this moment.
     *
     * @throws LocalSchedulerException when the scheduler gives no answer that can be understood
     */
    SiteLoad load() throws LocalSchedulerException;

    /**
     * Figures of a site at one moment.
     *
     * @param totalNodes nodes that exist, down ones too
     * @param freeNodes nodes on which something could start now
     * @param runningJobs jobs that run
     * @param queuedJobs jobs that wait, a job array counted once where the scheduler lists it once
     * @param remarks facts for the admin, a sentence each: records that cannot be read, reservations that lost nodes
     */
    record SiteLoad(int totalNodes, int freeNodes, int runningJobs, int queuedJobs, List<String> remarks) {

        /** Remarks beyond this number are left out. */
        public static final int MOST_REMARKS = 100;

        public SiteLoad {
            remarks = List.copyOf(remarks.subList(0, Math.min(MOST_REMARKS, remarks.size())));
        }

        public SiteLoad(int totalNodes, int freeNodes, int runningJobs, int queuedJobs) {
            this(totalNodes, freeNodes, runningJobs, queuedJobs, List.of());
        }
    }
}
