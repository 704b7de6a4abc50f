package org.metasched.agreement;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Durable queue of living agreements by the time of their next poll; the processes that share a store share the work. Thread-safe. */
public interface DueQueue {

    /**
     * Agreements whose poll is due.
     *
     * @param digests digests of agreements that need not be read as a whole unless the poll finds a change
     * @param agreements the other agreements
     */
    record Due(List<StatusDigest> digests, List<Agreement> agreements) {

        public boolean isEmpty() {
            return digests.isEmpty() && agreements.isEmpty();
        }
    }

    /**
     * Takes living agreements whose poll is due, those that wait longest first. Each goes to one process. A change of state makes an
     * agreement due at once.
     *
     * @param again time at which they are due again, unless {@link #schedule} sets another
     */
    Due take(Instant now, Instant again, int limit);

    /** The agreements of these ids that live, in any order. */
    List<Agreement> living(Collection<AgreementId> ids);

    /**
     * Sets the times of the next polls. Agreements that have changed since they were taken are ignored.
     *
     * @param again the time with which they were {@linkplain #take taken}
     */
    void schedule(Map<AgreementId, Instant> due, Instant again);
}
