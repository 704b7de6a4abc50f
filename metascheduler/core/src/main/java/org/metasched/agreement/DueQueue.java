package org.metasched.agreement;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** When each living agreement is looked at next, durably; the processes that share a store share the work. Thread-safe. */
public interface DueQueue {

    /**
     * Agreements that are due.
     *
     * @param calm those of which the whole need not be read, unless the look finds a change
     * @param whole the others
     */
    record Due(List<StatusDigest> calm, List<Agreement> whole) {

        public boolean isEmpty() {
            return calm.isEmpty() && whole.isEmpty();
        }
    }

    /**
     * Takes living agreements that are to be looked at now, those that wait longest. Each is given to one process, and to the next at {@code again},
     * unless {@link #schedule} says another time. One whose state changes is to be looked at at once.
     */
    Due take(Instant now, Instant again, int limit);

    /** The agreements of these ids that live, in any order. */
    List<Agreement> living(Collection<AgreementId> ids);

    /** When agreements that were taken until {@code again} are to be looked at next; those that have changed meanwhile are passed over. */
    void schedule(Map<AgreementId, Instant> due, Instant again);
}
