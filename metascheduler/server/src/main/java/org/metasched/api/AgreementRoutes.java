package org.metasched.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.OfferService.Replacing;
import org.metasched.client.OfferWriter;
import org.metasched.overview.DocumentOffers;
import org.metasched.overview.ListPage;
import org.metasched.trust.Authorizer;

/** Routes of the REST API for agreements, templates and plans, on the services that SOAP calls too. Thread-safe. */
public record AgreementRoutes(OfferService offers, JsonOffers jsonOffers, Authorizer authorizer, Clock clock) {

    private static final String CREATE = "AgreementFactory/CreateAgreement";
    private static final String TERMINATE = "Agreement/Terminate";

    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get("/agreements", request -> Optional.of(list(request))),
                ApiRoute.of("POST", "/agreements", CREATE, request -> Optional.of(create(request))),
                ApiRoute.get("/agreements/{id}", request -> shown(request).map(a -> ApiAnswer.json(detail(a)))),
                ApiRoute.of("PATCH", "/agreements/{id}", CREATE, this::renegotiate),
                ApiRoute.of("DELETE", "/agreements/{id}", TERMINATE, this::terminate),
                ApiRoute.get(
                        "/agreements/{id}/history", request -> shown(request).map(this::history)),
                ApiRoute.get(
                        "/agreements/{id}/document",
                        "application/xml",
                        request -> shown(request)
                                .map(agreement -> ApiAnswer.text(
                                        "application/xml",
                                        agreement.offer().document().text()))),
                ApiRoute.get("/templates", jsonOffers::templates),
                ApiRoute.of("POST", "/plans", "POST /services/Plans", jsonOffers::plan));
    }

    private ApiAnswer create(ApiRequest request) throws InterruptedException {
        var body = new OfferBody(request.body());
        String initiator = request.call().subject().name();
        if (!request.prefersAsync()) {
            return made(201, jsonOffers.decide(request, body, initiator, offers::offer));
        }
        authorizer.enter(request.call().during("AgreementFactory/CreatePendingAgreement"));
        var created = jsonOffers.decide(request, body, initiator, offers::offerPending);
        boolean isDecided = created.agreement().state() != AgreementState.PENDING;
        return made(isDecided ? 201 : 202, created).with("Preference-Applied", "respond-async");
    }

    private static ApiAnswer made(int status, Created created) {
        var agreement = created.agreement();
        return ApiAnswer.json(status, detail(agreement)).tagged().with("Location", address(agreement.id()));
    }

    private static String address(AgreementId id) {
        return ApiServlet.BASE + "/agreements/" + id;
    }

    /** Replaces an agreement by a new one, in one transaction; if the new one cannot be made, the old one stays as it is. */
    private Optional<ApiAnswer> renegotiate(ApiRequest request) throws InterruptedException {
        var old = permitted(request);
        if (old.isEmpty()) {
            return Optional.empty();
        }
        String owner = old.get().offer().key().initiator();
        String initiator = owner.isEmpty() ? request.call().subject().name() : owner;
        var repeated = request.header(JsonOffers.KEY_HEADER).flatMap(key -> offers.find(new OfferKey(initiator, key)));
        if (repeated.isPresent()) {
            return Optional.of(repeated(request, repeated.get(), initiator));
        }
        var tag = request.header("If-Match")
                .orElseThrow(() -> new ProblemException(
                        428,
                        "PRECONDITION_REQUIRED",
                        "A change of the agreement " + old.get().id()
                                + " needs If-Match with the ETag of what was read."));
        checkUnchanged(tag, old.get());
        var body = OfferBody.merged(current(old.get()), request.body());
        var replaced = old.map(Agreement::id);
        var created = jsonOffers.decide(
                request,
                body,
                initiator,
                new Replacing<>(replaced, offer -> offers.renegotiate(offer, Optional.empty(), replaced)));
        return Optional.of(renegotiated(created));
    }

    private ApiAnswer renegotiated(Created created) {
        return made(200, created)
                .with("Content-Location", address(created.agreement().id()));
    }

    /** The answer to a repeated change: the agreement that its key made before, if it asks for the same again. */
    private ApiAnswer repeated(ApiRequest request, Agreement earlier, String initiator) {
        if (!jsonOffers.isRepeated(request, OfferBody.of(earlier.offer(), granted(earlier)), initiator)) {
            throw new ProblemException(
                    422,
                    "AGREEMENT_ID_TAKEN",
                    "The Idempotency-Key was used for another request before: the agreement " + earlier.id() + ".");
        }
        return renegotiated(new Created(earlier, true));
    }

    /** The request that an agreement grants, with the agreement's start as its earliest, for a change to be merged in. */
    private ObjectNode current(Agreement agreement) {
        var request = granted(agreement);
        if (agreement.offer().hasMoreTerms()
                || OfferWriter.content("", "", request).isEmpty()) {
            throw new IllegalArgumentException("The agreement " + agreement.id()
                    + " runs a program, has guarantees or an expiration time, or has parts of one stage that differ"
                    + " in length; it is renegotiated over SOAP only.");
        }
        var json = OfferBody.of(agreement.offer(), request);
        Instant now = clock.instant();
        var start = agreement.slot().map(slot -> slot.start());
        OfferBody.put(json, "earliest", start.or(request::earliest), now);
        OfferBody.put(json, "deadline", request.deadline(), now);
        return json;
    }

    /** The first alternative; once one is agreed on, that is it, as {@link Agreement} then keeps no other. */
    private static AgreementRequest granted(Agreement agreement) {
        return agreement.offer().alternatives().get(0);
    }

    private Optional<ApiAnswer> terminate(ApiRequest request) throws InterruptedException {
        var permitted = permitted(request);
        if (permitted.isEmpty()) {
            return Optional.empty();
        }
        request.header("If-Match").ifPresent(tag -> checkUnchanged(tag, permitted.get()));
        var outcome = offers.end(permitted.get().id(), "Terminated on request.");
        return outcome.fold(
                ending -> Optional.of(ended(ending.agreement())),
                hasEnded -> {
                    throw new ProblemException(
                            409,
                            "AGREEMENT_FINAL",
                            "The agreement " + request.id() + " has ended already: it is "
                                    + hasEnded.agreement().state().term() + ".");
                },
                unknown -> Optional.empty());
    }

    private static ApiAnswer ended(Agreement agreement) {
        boolean isFinal = agreement.state() == AgreementState.TERMINATED;
        return ApiAnswer.json(isFinal ? 200 : 202, detail(agreement)).tagged();
    }

    private static void checkUnchanged(String tag, Agreement agreement) {
        String now = ApiAnswer.json(detail(agreement)).tag();
        if (!ApiAnswer.hasTag(tag, now)) {
            throw new ProblemException(
                            412,
                            "PRECONDITION_FAILED",
                            "The agreement " + agreement.id() + " has changed since it was read; read it again.")
                    .with("ETag", now);
        }
    }

    /** The agreement of the request, if the caller may end it; another's is as unknown as a missing one. */
    private Optional<Agreement> permitted(ApiRequest request) {
        return offers.named(
                request.id(), a -> authorizer.permits(request.call().during(TERMINATE), DocumentOffers.resource(a)));
    }

    /** The agreement of the request, if the caller may see it. */
    private Optional<Agreement> shown(ApiRequest request) {
        return offers.named(request.id(), agreement -> request.isShown(authorizer, DocumentOffers.resource(agreement)));
    }

    /** The agreement with its request. */
    static ObjectNode detail(Agreement agreement) {
        var body = AgreementBody.of(agreement);
        body.set("request", OfferBody.of(agreement.offer(), granted(agreement)));
        return body;
    }

    /** A page of the agreements that the caller may see; those of others do not count, so that only the last page is not full. */
    private ApiAnswer list(ApiRequest request) {
        var query = request.query();
        Predicate<Agreement> wanted = query.agreements();
        var page = ListPage.of(
                query.text("after").map(AgreementId::new),
                query.limit(),
                Integer.MAX_VALUE,
                (last, most) -> offers.newest(query.states(), last, most),
                Agreement::id,
                agreement -> wanted.test(agreement) && request.isShown(authorizer, DocumentOffers.resource(agreement)));
        return ApiResources.page(
                request,
                "agreements",
                page.shown(),
                AgreementBody::of,
                page.next().map(AgreementId::value));
    }

    private ApiAnswer history(Agreement agreement) {
        var json = ApiAnswer.object().put("agreementId", agreement.id().value());
        var events = json.putArray("events");
        offers.history().history(agreement.id()).forEach(event -> AgreementBody.putEvent(events.addObject(), event));
        return ApiAnswer.json(json);
    }
}
