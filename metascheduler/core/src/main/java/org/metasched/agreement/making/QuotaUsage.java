package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRepository;
import org.metasched.agreement.AgreementRepository.Held;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;

/**
 * Agreements and node hours of each initiator. A question counts them in the store, as other servers make agreements too, unless the last
 * count is less than a second old (up to ten seconds if counting takes long). Between counts, this server's changes are added. A change that
 * was stored while a count ran counts to the subject's disadvantage until the next: a new agreement perhaps twice, an ended one perhaps
 * still, so that no quota is exceeded. Thread-safe.
 */
final class QuotaUsage implements AgreementListener {

    private static final Set<AgreementState> HELD =
            EnumSet.of(AgreementState.OBSERVED, AgreementState.OBSERVED_AND_TERMINATING);
    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    /** The pause before the next count is this many times as long as the count took, between the shortest and the longest. */
    private static final int PAUSE_FACTOR = 100;

    private final AgreementRepository agreements;
    private final Clock clock;
    private final Map<String, Held> held = new HashMap<>();
    /** Additions to holdings by offers that are under way. */
    private final Map<AgreementOffer, Held> underWay = new IdentityHashMap<>();

    private Instant nextCount = Instant.MIN;
    private Instant counted = Instant.MIN;

    QuotaUsage(AgreementRepository agreements, Clock clock) {
        this.agreements = agreements;
        this.clock = clock;
    }

    /**
     * Number of offers under way or pending and living agreements, and their node hours, of initiators that pass the test.
     *
     * @param replaced a living agreement that is not counted
     */
    synchronized Held of(Predicate<String> initiators, Optional<Agreement> replaced) {
        Instant now = clock.instant();
        if (!now.isBefore(nextCount)) {
            long begin = System.nanoTime();
            held.clear();
            agreements.held(HELD).forEach(holding -> held.put(holding.initiator(), holding));
            counted = clock.instant();
            long pause = PAUSE_FACTOR * (System.nanoTime() - begin);
            nextCount = now.plusNanos(Math.max(SHORTEST_PAUSE.toNanos(), Math.min(LONGEST_PAUSE.toNanos(), pause)));
        }
        var all = new ArrayList<>(agreements.held(AgreementState.UNDECIDED));
        all.addAll(held.values());
        all.addAll(underWay.values());
        replaced.ifPresent(agreement -> all.add(holding(agreement, -1)));
        return all.stream()
                .filter(holding -> initiators.test(holding.initiator()))
                .reduce(new Held("", 0, 0), QuotaUsage::sum);
    }

    /**
     * The alternatives of an offer that do not exceed a quota. Until {@link #end} or its agreement, the largest of them counts.
     *
     * @param no called with the reason against each other alternative
     */
    synchronized List<AgreementRequest> begin(
            AgreementOffer offer, OfferQuota quota, Optional<Agreement> replaced, Consumer<String> no) {
        var allowed = new ArrayList<AgreementRequest>();
        double before = replaced.map(Agreement::nodeHours).orElse(0.0);
        double more = 0;
        for (var alternative : offer.alternatives()) {
            double nodeHours = alternative.nodeHours();
            var objection = quota.exceeded(nodeHours, who -> of(who, replaced));
            objection.ifPresentOrElse(no, () -> allowed.add(alternative));
            more = Math.max(more, objection.isPresent() ? 0 : nodeHours - before);
        }
        if (!allowed.isEmpty()) {
            underWay.put(offer, new Held(offer.key().initiator(), replaced.isPresent() ? 0 : 1, more));
        }
        return allowed;
    }

    /** Ends the count of an offer under way. */
    synchronized void end(AgreementOffer offer) {
        underWay.remove(offer);
    }

    @Override
    public synchronized void changed(AgreementState before, Agreement after) {
        int change = (HELD.contains(after.state()) ? 1 : 0) - (HELD.contains(before) ? 1 : 0);
        underWay.keySet().removeIf(offer -> offer.key().equals(after.offer().key()));
        if (change > 0 || change < 0 && !after.changed().isBefore(counted)) {
            held.merge(after.offer().key().initiator(), holding(after, change), QuotaUsage::sum);
        }
    }

    private static Held holding(Agreement agreement, int times) {
        return new Held(agreement.offer().key().initiator(), times, times * agreement.nodeHours());
    }

    private static Held sum(Held a, Held b) {
        return new Held(a.initiator(), a.agreements() + b.agreements(), a.nodeHours() + b.nodeHours());
    }
}
