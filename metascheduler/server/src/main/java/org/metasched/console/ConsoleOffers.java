package org.metasched.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.TemplateKey;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.OfferService.Replacing;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.overview.DocumentOffers;
import org.metasched.trust.Authorizer;
import org.w3c.dom.Document;

/** Requests of the console, planned and offered for the person who is signed in. Thread-safe. */
public record ConsoleOffers(OfferService offers, DocumentOffers documents, Authorizer guard) {

    private static final int MOST_PLANS = 3;

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
     * @throws IllegalArgumentException when the request cannot be offered
     */
    OfferAdvice plan(SlotRequest wish, Authorizer.Call call) throws InterruptedException {
        guard.enter(call.during("POST /services/Plans"));
        return documents.plan(AgreementClient.text(written(wish, call.subject().name())), call, MOST_PLANS, true);
    }

    /** Plans the alternatives of an earlier offer, of whatever kind; holds nothing. */
    OfferAdvice plan(List<AgreementRequest> alternatives, Authorizer.Call call) throws InterruptedException {
        guard.enter(call.during("POST /services/Plans"));
        return offers.plan(alternatives, MOST_PLANS);
    }

    /**
     * Offers a request.
     *
     * @param replaced agreement that ends when the new one is made, which has the same initiator, label, users, project and policy; the
     *     caller has checked that the person may end the old one
     * @throws IllegalArgumentException when the request cannot be offered
     */
    CreationOutcome offer(SlotRequest wish, Optional<Agreement> replaced, Authorizer.Call call)
            throws InterruptedException {
        String owner = replaced.map(old -> old.offer().key().initiator()).orElse("");
        var document = written(wish, owner.isEmpty() ? call.subject().name() : owner);
        replaced.map(Agreement::offer).ifPresent(old -> {
            var who = old.requester();
            var users = who.map(Requester::users).orElse(List.of());
            OfferWriter.share(document, old.label(), users, who.flatMap(Requester::project));
            old.onDegraded().ifPresent(policy -> OfferWriter.onDegraded(document, policy));
        });
        return offer(AgreementClient.text(document), replaced, call);
    }

    /** @throws IllegalArgumentException when the document cannot be offered */
    CreationOutcome offer(String document, Optional<Agreement> replaced, Authorizer.Call call)
            throws InterruptedException {
        var old = replaced.map(Agreement::id);
        return documents.decide(
                document, call, new Replacing<>(old, offer -> offers.renegotiate(offer, Optional.empty(), old)));
    }

    /** A request as an offer document; empty for a program, or for parts of one stage that differ in length. */
    Optional<String> document(AgreementRequest request, String initiator) {
        return OfferWriter.content("console-" + UUID.randomUUID(), initiator, request)
                .map(content -> AgreementClient.text(OfferWriter.write(template(), content)));
    }

    /** The template of offers that name none. */
    private TemplateKey template() {
        return offers.templates().get(0).key();
    }

    private Document written(SlotRequest wish, String initiator) {
        var parts = wish.parts().stream().map(ConsoleOffers::part).toList();
        var content = new OfferContent(wish.id(), initiator, parts, wish.duration(), wish.earliest(), wish.deadline());
        return OfferWriter.write(template(), content);
    }

    private static OfferWriter.Part part(Part part) {
        return new OfferWriter.Part(
                Optional.of(part.site()).filter(s -> !s.isEmpty()),
                part.site().isEmpty()
                        ? Optional.of(part.requirements().isEmpty() ? "true" : part.requirements())
                        : Optional.empty(),
                new Need.Nodes(part.nodes()));
    }
}
