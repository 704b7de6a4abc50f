package org.metasched.soap;

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
import org.metasched.agreement.AgreementRepository.Held;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.making.AgreementService;
import org.metasched.trust.Quotas.Use;

/**
 * What each initiator holds. Counted in the store when it is first asked and each second after, for what other servers do (as rarely as every ten
 * seconds where counting takes long); in between it follows the changes of this one. Thread-safe.
 */
final class Holdings implements AgreementListener {

    private static final Set<AgreementState> HELD =
            EnumSet.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING);
    private static final Set<AgreementState> UNDECIDED =
            EnumSet.of(AgreementState.PENDING, AgreementState.PENDING_AND_TERMINATING);
    private static final Duration SOONEST = Duration.ofSeconds(1);
    private static final Duration LATEST = Duration.ofSeconds(10);
    /** Of the time, counting takes at most one part in so many. */
    private static final int SHARE = 100;

    private final AgreementService agreements;
    private final Clock clock;
    private final Map<String, Use> held = new HashMap<>();
    private Instant recount = Instant.MIN;

    Holdings(AgreementService agreements, Clock clock) {
        this.agreements = agreements;
        this.clock = clock;
        agreements.onChange(this);
    }

    /** Pending offers and agreements that live, of all initiators whose names are so. */
    synchronized Use of(Predicate<String> initiators) {
        Instant now = clock.instant();
        if (!now.isBefore(recount)) {
            long begin = System.nanoTime();
            held.clear();
            agreements.held(HELD).forEach(h -> held.put(h.initiator(), new Use(h.agreements(), h.nodeHours())));
            long rest = SHARE * (System.nanoTime() - begin);
            recount = now.plusNanos(Math.max(SOONEST.toNanos(), Math.min(LATEST.toNanos(), rest)));
        }
        long undecided = agreements.held(UNDECIDED).stream()
                .filter(h -> initiators.test(h.initiator()))
                .mapToLong(Held::agreements)
                .sum();
        return held.entrySet().stream()
                .filter(e -> initiators.test(e.getKey()))
                .map(Map.Entry::getValue)
                .reduce(new Use(undecided, 0), Holdings::sum);
    }

    @Override
    public synchronized void changed(AgreementState before, Agreement after) {
        int change = (HELD.contains(after.state()) ? 1 : 0) - (HELD.contains(before) ? 1 : 0);
        if (change != 0) {
            held.merge(after.offer().key().initiator(), new Use(change, change * after.nodeHours()), Holdings::sum);
        }
    }

    private static Use sum(Use one, Use other) {
        return new Use(one.agreements() + other.agreements(), one.nodeHours() + other.nodeHours());
    }
}
