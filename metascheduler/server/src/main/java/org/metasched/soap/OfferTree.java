package org.metasched.soap;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRequest;

/**
 * One negotiation: every offer and counter offer, each an answer to an earlier one or to the template. Thread-safe.
 *
 * @param owner who initiated it
 * @param renegotiated the agreement that a new one is to replace
 * @param offers in their order
 */
record OfferTree(
        String id,
        String owner,
        String context,
        Optional<AgreementId> renegotiated,
        Instant until,
        Map<Integer, Node> offers,
        AtomicInteger count,
        AtomicLong length) {

    private static final int MOST_OFFERS = 256;
    /** Characters of all offers together: they stay in memory for hours. */
    private static final int LONGEST = 256 * 1024;

    /**
     * One offer.
     *
     * @param asked what a counter offer of ours that stands asks for; empty for any other
     */
    record Node(String id, String document, boolean rejected, List<AgreementRequest> asked) {}

    OfferTree(String id, String owner, String context, Optional<AgreementId> renegotiated, Instant until) {
        this(
                id,
                owner,
                context,
                renegotiated,
                until,
                new ConcurrentSkipListMap<>(),
                new AtomicInteger(),
                new AtomicLong());
    }

    Optional<Node> find(String offer) {
        return offers.values().stream().filter(n -> n.id.equals(offer)).findFirst();
    }

    void add(Node node) {
        length.addAndGet(node.document.length());
        offers.put(count.incrementAndGet(), node);
    }

    boolean isFull() {
        return offers.size() >= MOST_OFFERS || length.get() > LONGEST;
    }
}
