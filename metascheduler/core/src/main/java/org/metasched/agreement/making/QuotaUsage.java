package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementRepository.Held;
import org.metasched.agreement.AgreementState;

/**
 * Agreements and node-hours of each initiator. Counted in the store at the first question and then each second (every ten seconds at most
 * where counting takes long), because other servers change it; in between it follows the changes of this server. Thread-safe.
 */
final class QuotaUsage implements AgreementListener {

    private static final Set<AgreementState> HELD =
            EnumSet.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING);
    private static final Set<AgreementState> UNDECIDED =
            EnumSet.of(AgreementState.PENDING, AgreementState.PENDING_AND_TERMINATING);
    private static final Duration SOONEST = Duration.ofSeconds(1);
    private static final Duration LATEST = Duration.ofSeconds(10);
    /** Counting takes at most one part in so many of the time. */
    private static final int SHARE = 100;

    private final AgreementRepository agreements;
    private final Clock clock;
    private final Map<String, Held> held = new HashMap<>();
    private Instant recount = Instant.MIN;

    QuotaUsage(AgreementRepository agreements, Clock clock) {
        this.agreements = agreements;
        this.clock = clock;
    }

    /** Pending offers and living agreements of all initiators with such names. */
    synchronized Held of(Predicate<String> initiators) {
        Instant now = clock.instant();
        if (!now.isBefore(recount)) {
            long begin = System.nanoTime();
            held.clear();
            agreements.held(HELD).forEach(one -> held.put(one.initiator(), one));
            long rest = SHARE * (System.nanoTime() - begin);
            recount = now.plusNanos(Math.max(SOONEST.toNanos(), Math.min(LATEST.toNanos(), rest)));
        }
        long undecided = agreements.held(UNDECIDED).stream()
                .filter(one -> initiators.test(one.initiator()))
                .mapToLong(Held::agreements)
                .sum();
        return held.values().stream()
                .filter(one -> initiators.test(one.initiator()))
                .reduce(new Held("", undecided, 0), QuotaUsage::sum);
    }

    @Override
    public synchronized void changed(AgreementState before, Agreement after) {
        int change = (HELD.contains(after.state()) ? 1 : 0) - (HELD.contains(before) ? 1 : 0);
        if (change != 0) {
            String initiator = after.offer().key().initiator();
            held.merge(initiator, new Held(initiator, change, change * after.nodeHours()), QuotaUsage::sum);
        }
    }

    private static Held sum(Held one, Held other) {
        return new Held(one.initiator(), one.agreements() + other.agreements(), one.nodeHours() + other.nodeHours());
    }
}
