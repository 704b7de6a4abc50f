package org.metasched.soap;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementService;
import org.metasched.agreement.AgreementState;

/**
 * How many agreements each initiator has. Counts those that are stored when it is first asked, which takes as long as reading them;
 * from then on follows the changes. Thread-safe.
 */
final class Holdings implements AgreementListener {

    private static final Set<AgreementState> HELD =
            EnumSet.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING);
    private static final Set<AgreementState> UNDECIDED =
            EnumSet.of(AgreementState.PENDING, AgreementState.PENDING_AND_TERMINATING);

    private final AgreementService agreements;
    private final Map<String, Integer> held = new HashMap<>();
    private boolean isCounted;

    Holdings(AgreementService agreements) {
        this.agreements = agreements;
        agreements.onChange(this);
    }

    /** Pending offers and agreements that live. */
    synchronized long of(String initiator) {
        if (!isCounted) {
            agreements.inState(HELD, Integer.MAX_VALUE).forEach(a -> add(a, 1));
            isCounted = true;
        }
        long undecided = agreements.inState(UNDECIDED, Integer.MAX_VALUE).stream()
                .filter(a -> initiator(a).equals(initiator))
                .count();
        return undecided + held.getOrDefault(initiator, 0);
    }

    @Override
    public synchronized void changed(AgreementState before, Agreement after) {
        boolean was = HELD.contains(before);
        boolean is = HELD.contains(after.state());
        if (isCounted && was != is) {
            add(after, is ? 1 : -1);
        }
    }

    private void add(Agreement agreement, int change) {
        held.merge(initiator(agreement), change, (a, b) -> a + b == 0 ? null : a + b);
    }

    private static String initiator(Agreement agreement) {
        return agreement.offer().key().initiator();
    }
}
