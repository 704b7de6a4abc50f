package org.metasched.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.metasched.adapter.Need;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.TemplateKey;
import org.metasched.agreement.making.Advice;
import org.metasched.agreement.making.Advice.Nearest;
import org.metasched.agreement.making.Advice.Way;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.choice.Preference;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.console.OfferApi;
import org.metasched.soap.AgreementFactoryEndpoint;
import org.metasched.trust.Guard;
import org.metasched.trust.Subject;

/**
 * Answers {@code POST /services/Plans?most=5&nearest=true} with an offer in XML: what would come of it, as JSON. Nothing is held. A few at a
 * time, as each may ask every site many times.
 */
final class Plans extends HttpServlet implements OfferApi {

    private static final long serialVersionUID = 1L;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int MOST_AT_ONCE = 4;
    private static final int MOST_PLANS = 100;

    private static final int SHOWN = 3;

    private final transient AgreementFactoryEndpoint factory;
    private final transient Supplier<List<AgreementTemplate>> templates;
    private final transient Guard guard;
    private final transient Semaphore free = new Semaphore(MOST_AT_ONCE);

    Plans(AgreementFactoryEndpoint factory, Supplier<List<AgreementTemplate>> templates, Guard guard) {
        this.factory = factory;
        this.templates = templates;
        this.guard = guard;
    }

    @Override
    public Advice ask(SlotRequest wish, Guard.Call call) throws InterruptedException {
        return ask(call, () -> factory.advise(document(wish, call), call.subject(), SHOWN, true));
    }

    @Override
    public Advice ask(List<AgreementRequest> alternatives, Guard.Call call) throws InterruptedException {
        return ask(call, () -> factory.advise(alternatives, template(), SHOWN));
    }

    private interface Question {
        Advice ask() throws InterruptedException;
    }

    private Advice ask(Guard.Call call, Question question) throws InterruptedException {
        guard.enter(call.during("POST /services/Plans"));
        if (!free.tryAcquire()) {
            throw new IllegalArgumentException("Others are asking; ask again later.");
        }
        try {
            return question.ask();
        } finally {
            free.release();
        }
    }

    @Override
    public CreationOutcome offer(SlotRequest wish, Optional<AgreementId> replaced, Guard.Call call)
            throws InterruptedException {
        return offer(document(wish, call), replaced, call);
    }

    @Override
    public CreationOutcome offer(String document, Optional<AgreementId> replaced, Guard.Call call)
            throws InterruptedException {
        return factory.offer(document, replaced, call);
    }

    @Override
    public Optional<String> document(AgreementRequest request, Guard.Call call) {
        return OfferWriter.wish("console-" + UUID.randomUUID(), call.subject().name(), request)
                .map(wish -> AgreementClient.text(OfferWriter.write(template(), wish)));
    }

    private TemplateKey template() {
        return templates.get().get(0).key();
    }

    private String document(SlotRequest wish, Guard.Call call) {
        var parts = wish.parts().stream().map(Plans::part).toList();
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

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        var subject = request.getAttribute(Subject.ATTRIBUTE) instanceof Subject known ? known : Subject.ANONYMOUS;
        if (!String.valueOf(request.getContentType()).startsWith("application/xml")) {
            no(
                    response,
                    HttpServletResponse.SC_UNSUPPORTED_MEDIA_TYPE,
                    "An AgreementOffer as application/xml is expected.");
            return;
        }
        byte[] body = request.getInputStream().readNBytes(OfferDocument.LONGEST + 1);
        if (body.length > OfferDocument.LONGEST) {
            no(
                    response,
                    HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
                    "The offer must not be longer than " + OfferDocument.LONGEST + " bytes.");
            return;
        }
        if (!free.tryAcquire()) {
            no(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "Others are asking; ask again later.");
            return;
        }
        try {
            var advice = factory.advise(
                    new String(body, StandardCharsets.UTF_8),
                    subject,
                    most(request.getParameter("most")),
                    Boolean.parseBoolean(request.getParameter("nearest")));
            answer(response, HttpServletResponse.SC_OK, json(advice));
        } catch (IllegalArgumentException e) {
            no(response, HttpServletResponse.SC_BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            no(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "The service is shutting down.");
        } finally {
            free.release();
        }
    }

    private static int most(String text) {
        if (text == null) {
            return 1;
        }
        if (!text.matches("\\d{1,3}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST_PLANS) {
            throw new IllegalArgumentException("The number of plans (" + text.replaceAll("\\p{Cntrl}", "?")
                    + ") must be from 1 to " + MOST_PLANS + ".");
        }
        return Integer.parseInt(text);
    }

    private static void no(HttpServletResponse response, int status, String reason) throws IOException {
        answer(response, status, MAPPER.createObjectNode().put("reason", reason));
    }

    private static void answer(HttpServletResponse response, int status, ObjectNode body) throws IOException {
        response.setStatus(status);
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        MAPPER.writeValue(response.getOutputStream(), body);
    }

    private static ObjectNode json(Advice advice) {
        var json = MAPPER.createObjectNode();
        json.put("granted", !advice.ways().isEmpty());
        advice.code().ifPresent(code -> json.put("code", code.name()));
        json.put("proven", advice.proven());
        if (!advice.reason().isEmpty()) {
            json.put("reason", advice.reason());
        }
        var plans = json.putArray("plans");
        advice.ways().forEach(way -> plans.add(json(way)));
        var nearest = json.putArray("nearest");
        advice.nearest().forEach(one -> nearest.add(json(one)));
        return json;
    }

    private static ObjectNode json(Way way) {
        var json = MAPPER.createObjectNode();
        json.put("start", way.start().toString());
        json.put("end", way.end().toString());
        json.put("rank", way.rank());
        json.put("cost", way.cost());
        var sites = json.putArray("sites");
        for (var piece : way.pieces()) {
            sites.addObject()
                    .put("term", piece.part().term())
                    .put("site", piece.site().value())
                    .put("need", piece.need().words())
                    .put("stage", piece.part().service())
                    .put("start", piece.start().toString())
                    .put("end", piece.end().toString());
        }
        return json;
    }

    private static ObjectNode json(Nearest nearest) {
        var json = MAPPER.createObjectNode();
        json.put("change", nearest.change());
        json.put("words", nearest.words());
        json.set("plan", json(nearest.way()));
        json.set("request", json(nearest.request()));
        return json;
    }

    private static ObjectNode json(AgreementRequest request) {
        var json = MAPPER.createObjectNode();
        request.earliest().ifPresent(earliest -> json.put("earliest", earliest.toString()));
        request.deadline().ifPresent(deadline -> json.put("deadline", deadline.toString()));
        if (request.preference() != Preference.START) {
            json.put("prefer", request.preference().word());
        }
        if (!request.lags().isEmpty()) {
            json.put("workflow", true);
        }
        var parts = json.putArray("parts");
        request.parts().forEach(part -> parts.add(json(part)));
        return json;
    }

    private static ObjectNode json(RequestedPart part) {
        var json = MAPPER.createObjectNode();
        part.site().ifPresent(site -> json.put("site", site.value()));
        part.requirements().ifPresent(requirements -> json.put("requirements", requirements));
        json.put("duration", part.request().duration().toString());
        json.put("stage", part.service());
        part.split()
                .ifPresent(split -> json.putObject("split")
                        .put("leastPiece", split.leastPiece())
                        .put("mostPieces", split.mostPieces())
                        .put("multipleOf", split.multipleOf())
                        .put("overhead", split.overhead()));
        var need = part.request().need();
        return need.fold(
                nodes -> {
                    json.put("nodes", nodes.count()).put("cores", nodes.coresPerNode());
                    nodes.properties().forEach(json.putArray("properties")::add);
                    return json;
                },
                bandwidth -> json.put("bandwidth", bandwidth.megabitsPerSecond()),
                licences -> json.put("feature", licences.feature()).put("licences", licences.count()));
    }
}
