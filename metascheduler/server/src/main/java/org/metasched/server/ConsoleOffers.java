package org.metasched.server;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.Need;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.TemplateKey;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferService;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.console.OfferApi;
import org.metasched.soap.OfferDocuments;
import org.metasched.trust.Authorizer;

/** Requests of the console as offers of the person who asks. Thread-safe. */
record ConsoleOffers(OfferService offers, OfferDocuments documents, Authorizer guard) implements OfferApi {

    private static final int MOST_PLANS = 3;

    @Override
    public OfferAdvice ask(SlotRequest wish, Authorizer.Call call) throws InterruptedException {
        guard.enter(call.during("POST /services/Plans"));
        return documents.plan(document(wish, call), call, MOST_PLANS, true);
    }

    @Override
    public OfferAdvice ask(List<AgreementRequest> alternatives, Authorizer.Call call) throws InterruptedException {
        guard.enter(call.during("POST /services/Plans"));
        return offers.plan(alternatives, MOST_PLANS);
    }

    @Override
    public CreationOutcome offer(SlotRequest wish, Optional<AgreementId> replaced, Authorizer.Call call)
            throws InterruptedException {
        return offer(document(wish, call), replaced, call);
    }

    @Override
    public CreationOutcome offer(String document, Optional<AgreementId> replaced, Authorizer.Call call)
            throws InterruptedException {
        return documents.decide(document, call, offer -> offers.renegotiate(offer, Optional.empty(), replaced));
    }

    @Override
    public Optional<String> document(AgreementRequest request, Authorizer.Call call) {
        return OfferWriter.wish("console-" + UUID.randomUUID(), call.subject().name(), request)
                .map(wish -> AgreementClient.text(OfferWriter.write(template(), wish)));
    }

    private TemplateKey template() {
        return offers.templates().get(0).key();
    }

    private String document(SlotRequest wish, Authorizer.Call call) {
        var parts = wish.parts().stream().map(ConsoleOffers::part).toList();
        return AgreementClient.text(OfferWriter.write(
                template(),
                new OfferWriter.Wish(
                        wish.id(), call.subject().name(), parts, wish.duration(), wish.earliest(), wish.deadline())));
    }

    private static OfferWriter.Part part(OfferApi.Part part) {
        return new OfferWriter.Part(
                Optional.of(part.site()).filter(s -> !s.isEmpty()),
                part.site().isEmpty()
                        ? Optional.of(part.requirements().isEmpty() ? "true" : part.requirements())
                        : Optional.empty(),
                new Need.Nodes(part.nodes()));
    }
}
