package org.metasched.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.trust.Authorizer;

/** Plans and makes offers as the person who is signed in. {@code server} implements it. Thread-safe. */
public interface OfferApi {

    /**
     * Nodes at one site.
     *
     * @param site name of the site; empty for any that satisfies the requirements
     * @param requirements ClassAd expression; only without a site
     */
    record Part(String site, int nodes, String requirements) {}

    /** @param id name of the offer: repeating it makes no second agreement */
    record SlotRequest(
            String id, List<Part> parts, Duration duration, Optional<Instant> earliest, Optional<Instant> deadline) {

        public SlotRequest {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Plans a request; holds nothing.
     *
     * @throws IllegalArgumentException when the request cannot be offered, or too many callers ask
     */
    OfferAdvice ask(SlotRequest wish, Authorizer.Call call) throws InterruptedException;

    /** Plans the alternatives of an earlier offer, of whatever kind; holds nothing. */
    OfferAdvice ask(List<AgreementRequest> alternatives, Authorizer.Call call) throws InterruptedException;

    /** A request as an offer document; nothing for a program, or for parts of one stage that differ in length. */
    Optional<String> document(AgreementRequest request, Authorizer.Call call);

    /** @throws IllegalArgumentException when the document cannot be offered */
    CreationOutcome offer(String document, Optional<AgreementId> replaced, Authorizer.Call call)
            throws InterruptedException;

    /**
     * @param replaced agreement that ends when the new one is made, and that the person may end, as the caller has checked
     * @throws IllegalArgumentException when the request cannot be offered
     */
    CreationOutcome offer(SlotRequest wish, Optional<AgreementId> replaced, Authorizer.Call call)
            throws InterruptedException;
}
