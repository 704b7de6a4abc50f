package org.metasched.agreement;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Durable queue of living agreements by the time of their next look; the processes that share a store share the work. Thread-safe. */
public interface DueQueue {

    /**
     * Agreements whose look is due.
     *
     * @param calm digests of agreements that need not be read as a whole unless the look finds a change
     * @param whole the other agreements
     */
    record Due(List<StatusDigest> calm, List<Agreement> whole) {

        public boolean isEmpty() {
            return calm.isEmpty() && whole.isEmpty();
        }
    }

    /**
     * Takes living agreements whose look is due, those first that wait longest. Each goes to one process, and is due again at {@code again}
     * unless {@link #schedule} sets another time. A change of state makes an agreement due at once.
     */
    Due take(Instant now, Instant again, int limit);

    /** The agreements of these ids that live, in any order. */
    List<Agreement> living(Collection<AgreementId> ids);

    /** Sets the next looks of agreements that were taken until {@code again}; agreements that have changed meanwhile are ignored. */
    void schedule(Map<AgreementId, Instant> due, Instant again);
}
