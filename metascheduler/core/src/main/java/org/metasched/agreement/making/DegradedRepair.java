package org.metasched.agreement.making;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.metasched.adapter.RequestKey;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.SiteCommitment;
import org.metasched.agreement.StaleAgreementException;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces reservations that lost nodes before the slot by whole ones. The new ones are made beside the old ones. One transaction
 * exchanges them in agreement and journal; then the old ones are given back. So after a crash the agreement has the old ones or the
 * new ones, never some of each. Thread-safe.
 */
public final class DegradedRepair {

    private static final Logger LOG = LoggerFactory.getLogger(DegradedRepair.class);
    private static final Duration RETRY_INTERVAL = Duration.ofMinutes(5);

    private final MakingContext context;
    private final OfferNegotiator negotiator;
    /** The last attempt for each agreement. */
    private final Map<AgreementId, Instant> tried = new ConcurrentHashMap<>();

    DegradedRepair(MakingContext context, OfferNegotiator negotiator) {
        this.context = context;
        this.negotiator = negotiator;
    }

    /**
     * Tries to replace the reservations of an agreement in the background; ignored within five minutes of the last attempt.
     *
     * @param mayRenegotiate whether all parts may be negotiated again, if their sites have no room
     */
    public void begin(Agreement degraded, boolean mayRenegotiate) {
        Instant now = context.now();
        tried.values().removeIf(last -> !last.plus(RETRY_INTERVAL).isAfter(now));
        if (tried.putIfAbsent(degraded.id(), now) != null) {
            return;
        }
        if (!context.underWay().tryBegin()) {
            tried.remove(degraded.id());
            return;
        }
        context.inBackground(() -> {
            try {
                repair(degraded, mayRenegotiate);
            } catch (RuntimeException e) {
                LOG.warn("Agreement {} stays as it is: {}", degraded.id(), e.getMessage());
            }
        });
    }

    /**
     * Replaces the reservations that lost nodes.
     *
     * @param mayRenegotiate whether all parts may be negotiated again, if their sites have no room
     * @return whether they were replaced
     */
    boolean repair(Agreement degraded, boolean mayRenegotiate) throws InterruptedException {
        var lost = degraded.commitments().stream()
                .filter(SiteCommitment::isDegraded)
                .toList();
        var replaced = negotiator
                .reserveLike(degraded, lost)
                .<Optional<List<SiteCommitment>>, RuntimeException>fold(
                        allocated -> {
                            var parts = new ArrayList<>(degraded.commitments());
                            for (int i = 0; i < lost.size(); i++) {
                                var old = lost.get(i);
                                parts.set(
                                        parts.indexOf(old),
                                        old.movedTo(allocated.reservations().get(i)));
                            }
                            return Optional.of(parts);
                        },
                        none -> Optional.empty(),
                        abandoned -> Optional.empty());
        if (replaced.isEmpty() && mayRenegotiate) {
            replaced = negotiator
                    .reserveAll(degraded)
                    .<Optional<List<SiteCommitment>>, InterruptedException>fold(
                            allocated -> unlessMoved(allocated, degraded), declined -> Optional.empty());
        }
        if (replaced.isEmpty()) {
            LOG.warn("Agreement {} lost nodes, and no others were reserved in their place", degraded.id());
        }
        return replaced.isPresent() && exchange(degraded, replaced.get());
    }

    /** The new reservations; empty after giving them back if they begin later than was agreed. */
    private Optional<List<SiteCommitment>> unlessMoved(Allocated allocated, Agreement degraded)
            throws InterruptedException {
        Instant start = allocated.slot().start();
        if (degraded.slot().filter(agreed -> agreed.start().equals(start)).isPresent()) {
            return Optional.of(allocated.commitments());
        }
        giveBack(allocated.commitments().stream()
                .map(part -> part.reservation().key())
                .toList());
        return Optional.empty();
    }

    private void giveBack(Collection<RequestKey> keys) throws InterruptedException {
        context.sweeper().abandon(keys);
        context.sweeper().release(keys);
    }

    private boolean exchange(Agreement old, List<SiteCommitment> parts) throws InterruptedException {
        var next = old.withParts(parts, context.now());
        var newKeys = without(next.keys(), old.keys());
        var oldKeys = without(old.keys(), next.keys());
        try {
            // Once the slot has begun, the old reservations may be in use.
            if (old.hasBegun(context.now())) {
                throw new StaleAgreementException(old.id(), old.version());
            }
            var journal = context.books().journal();
            context.changes().save(old, next, () -> {
                journal.keep(next.reservations().stream()
                        .filter(r -> newKeys.contains(r.reservation().key()))
                        .toList());
                journal.orphan(oldKeys, context.now());
            });
        } catch (RuntimeException e) {
            if (e instanceof StaleAgreementException || !isStored(next, e)) {
                tried.remove(old.id());
                giveBack(newKeys);
                LOG.info("Agreement {} changed while it was repaired: {}", old.id(), e.getMessage());
                return false;
            }
        }
        context.sweeper().release(oldKeys);
        return true;
    }

    /** Whether the store has the new reservations although the save failed: then only the answer to it was lost. */
    private boolean isStored(Agreement next, RuntimeException problem) {
        try {
            return context.books()
                    .agreements()
                    .find(next.id())
                    .filter(stored -> stored.keys().equals(next.keys()))
                    .isPresent();
        } catch (RuntimeException e) {
            problem.addSuppressed(e);
            return false;
        }
    }

    private static Set<RequestKey> without(List<RequestKey> keys, List<RequestKey> others) {
        var rest = new HashSet<>(keys);
        others.forEach(rest::remove);
        return rest;
    }
}
