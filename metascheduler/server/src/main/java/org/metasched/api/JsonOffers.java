package org.metasched.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferAdvice.Way;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.OfferService.Decision;
import org.metasched.overview.DocumentOffers;

/** Turns requests in JSON into offer documents, and decides or plans those. Thread-safe. */
public final class JsonOffers {

    /** The most plans that a request may ask for. */
    static final int MOST_PLANS = 100;

    private static final String KEY_FORM = "[\\x21-\\x7e]{1,255}";

    static final String KEY_HEADER = "Idempotency-Key";

    /** Requests that this server is deciding, by initiator and key. Their repetitions are refused here; at another server they wait. */
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    private final OfferService offers;
    private final DocumentOffers documents;

    public JsonOffers(OfferService offers, DocumentOffers documents) {
        this.offers = offers;
        this.documents = documents;
    }

    /**
     * The agreement that a request makes, or made when it was sent before.
     *
     * @throws ProblemException when the request is refused, or under way already
     */
    Created decide(ApiRequest request, OfferBody body, String initiator, Decision<CreationOutcome> decision)
            throws InterruptedException {
        var key = request.header(KEY_HEADER).map(name -> initiator + "\n" + name);
        if (key.isPresent() && !underWay.add(key.get())) {
            throw new ProblemException(
                            409,
                            "IN_FLIGHT",
                            "A request with this Idempotency-Key is under way; ask again for its answer.")
                    .with("Retry-After", "1");
        }
        try {
            return decided(request, body, initiator, decision);
        } finally {
            key.ifPresent(underWay::remove);
        }
    }

    private Created decided(ApiRequest request, OfferBody body, String initiator, Decision<CreationOutcome> decision)
            throws InterruptedException {
        String document = document(request, body, initiator);
        return documents
                .decide(document, request.call(), decision)
                .<Created, InterruptedException>fold(created -> created, refused -> {
                    var suggestions = suggestions(request, body, document, refused);
                    throw ApiProblems.refused(refused.code(), refused.reason(), suggestions);
                });
    }

    private List<ObjectNode> suggestions(ApiRequest request, OfferBody body, String document, Refused refused)
            throws InterruptedException {
        boolean isHelpful = refused.code() != RefusalCode.BUSY && refused.code() != RefusalCode.AGREEMENT_ID_TAKEN;
        return isHelpful ? suggestions(body, documents.plan(document, request.call(), 1, true)) : List.of();
    }

    private static List<ObjectNode> suggestions(OfferBody body, OfferAdvice advice) {
        return advice.nearest().stream()
                .filter(nearest -> !body.isFromTemplate())
                .map(nearest -> body.like(nearest.request(), nearest.change() + ": " + nearest.words()))
                .toList();
    }

    /** Whether a change asks again for the request that its key made before. */
    boolean isRepeated(ApiRequest request, ObjectNode made, String initiator) {
        return document(request, OfferBody.merged(made, request.body()), initiator)
                .equals(document(request, new OfferBody(made), initiator));
    }

    private String document(ApiRequest request, OfferBody body, String initiator) {
        String id = request.header(KEY_HEADER).orElseGet(() -> "rest-" + UUID.randomUUID());
        if (!id.matches(KEY_FORM)) {
            throw new ProblemException(
                    400, "QUERY_INVALID", "The Idempotency-Key must have 1 to 255 visible characters of ASCII.");
        }
        return body.document(offers.templates().get(0).key(), () -> documents.templates(request.call()), id, initiator);
    }

    Optional<ApiAnswer> templates(ApiRequest request) {
        return TemplateBody.answer(documents.templates(request.call()));
    }

    /** Plans a request and holds nothing. */
    Optional<ApiAnswer> plan(ApiRequest request) throws InterruptedException {
        var body = new OfferBody(request.body());
        int most = request.query().number("most", 3, MOST_PLANS);
        String document = document(request, body, request.call().subject().name());
        var advice = documents.plan(document, request.call(), most, true);
        if (advice.code().filter(RefusalCode.BUSY::equals).isPresent()) {
            throw ApiProblems.busy(advice.reason());
        }
        var json = ApiAnswer.object();
        json.put("granted", !advice.ways().isEmpty());
        json.put("proven", advice.proven());
        advice.code().ifPresent(code -> json.put("code", code.name()));
        ArrayNode reasons = json.putArray("reasons");
        advice.reason().lines().filter(line -> !line.isBlank()).forEach(reasons::add);
        ArrayNode plans = json.putArray("plans");
        advice.ways().forEach(way -> plans.add(plan(body, way)));
        json.putArray("suggestions").addAll(suggestions(body, advice));
        return Optional.of(ApiAnswer.json(json));
    }

    /** Slot, rank and cost of a plan. */
    static ObjectNode summary(Way way) {
        return ApiAnswer.object()
                .put("start", way.start().toString())
                .put("end", way.end().toString())
                .put("rank", way.rank())
                .put("cost", way.cost());
    }

    private static ObjectNode plan(OfferBody body, Way way) {
        var json = summary(way);
        var parts = json.putArray("parts");
        for (var piece : way.pieces()) {
            var part = parts.addObject().put("site", piece.site().value());
            OfferBody.putNeed(part, piece.need())
                    .put("start", piece.start().toString())
                    .put("end", piece.end().toString());
        }
        json.set("request", request(body, way));
        return json;
    }

    /** The request that asks for just this plan; the sites of stages stay open. */
    private static ObjectNode request(OfferBody body, Way way) {
        AgreementRequest planned = way.request();
        var json = body.like(planned, "").put("earliest", way.start().toString());
        // Stages may differ in length, which parts alone cannot say.
        if (!json.has("stages") && !body.isFromTemplate()) {
            var parts = json.putArray("parts");
            way.pieces()
                    .forEach(piece -> OfferBody.putNeed(
                            parts.addObject().put("site", piece.site().value()), piece.need()));
            json.remove("prefer");
        }
        return json;
    }
}
