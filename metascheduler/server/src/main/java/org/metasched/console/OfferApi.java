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

/** Plans and makes offers as the person who is signed in. Owned here; the server answers it. Thread-safe. */
public interface OfferApi {

    /**
     * Nodes at one site.
     *
     * @param site or empty for any that satisfies the requirements
     * @param requirements a ClassAd expression, only without a site
     */
    record Part(String site, int nodes, String requirements) {}

    /** @param id of the offer: repeating it makes no second agreement */
    record SlotRequest(
            String id, List<Part> parts, Duration duration, Optional<Instant> earliest, Optional<Instant> deadline) {

        public SlotRequest {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Holds nothing.
     *
     * @throws IllegalArgumentException when it is no wish that could be offered, or too many ask
     */
    OfferAdvice ask(SlotRequest wish, Authorizer.Call call) throws InterruptedException;

    /** The same for what was asked for before, of whatever kind. */
    OfferAdvice ask(List<AgreementRequest> alternatives, Authorizer.Call call) throws InterruptedException;

    /** An offer of it as a document; nothing for a program, or for parts of one stage that differ in length. */
    Optional<String> document(AgreementRequest request, Authorizer.Call call);

    /** @throws IllegalArgumentException when the document cannot be offered */
    CreationOutcome offer(String document, Optional<AgreementId> replaced, Authorizer.Call call)
            throws InterruptedException;

    /**
     * @param replaced an agreement that ends when the new one is made; with the rights of the caller it was looked at before
     * @throws IllegalArgumentException when it cannot be offered
     */
    CreationOutcome offer(SlotRequest wish, Optional<AgreementId> replaced, Authorizer.Call call)
            throws InterruptedException;
}
