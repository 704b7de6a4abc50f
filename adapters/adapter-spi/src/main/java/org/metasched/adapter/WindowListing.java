package org.metasched.adapter;

/** Optional ability of a site: to list every feasible start at once, so that a common slot is found in one round. */
public interface WindowListing {

    /**
     * All feasible starts of the request with {@code within.start() <= start <= within.end()}. The list agrees with
     * {@link LocalScheduler#earliestStart}: for an unchanged plan its first start at or after an instant is the answer to
     * that question (rule W1). A site may cut the list at its look-ahead.
     */
    FreeWindows freeWindows(ResourceRequest request, TimeSlot within) throws LocalSchedulerException;
}
