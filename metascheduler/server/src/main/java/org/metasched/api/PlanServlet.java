package org.metasched.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.OfferAdvice;
import org.metasched.agreement.making.OfferAdvice.Nearest;
import org.metasched.agreement.making.OfferAdvice.Way;
import org.metasched.overview.DocumentOffers;
import org.metasched.trust.Authorizer;

/** Servlet of {@code POST /services/Plans?most=5&nearest=true}: answers an offer in XML with its plans in JSON. Nothing is held. */
public final class PlanServlet extends HttpServlet {

    private final transient DocumentOffers documents;

    public PlanServlet(DocumentOffers documents) {
        this.documents = documents;
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request).write(request, response);
    }

    private ApiAnswer answer(HttpServletRequest request) throws IOException {
        if (!String.valueOf(request.getContentType()).startsWith("application/xml")) {
            return refusal(415, "An AgreementOffer as application/xml is expected.");
        }
        byte[] body = request.getInputStream().readNBytes(OfferDocument.LONGEST + 1);
        if (body.length > OfferDocument.LONGEST) {
            return refusal(413, "The offer must not be longer than " + OfferDocument.LONGEST + " bytes.");
        }
        try {
            var advice = documents.plan(
                    new String(body, StandardCharsets.UTF_8),
                    new Authorizer.Call(ApiServlet.caller(request), "", ""),
                    new QueryParameters(request::getParameter).number("most", 1, JsonOffers.MOST_PLANS),
                    Boolean.parseBoolean(request.getParameter("nearest")));
            return advice.code().filter(RefusalCode.BUSY::equals).isPresent()
                    ? refusal(503, advice.reason())
                    : ApiAnswer.json(json(advice));
        } catch (IllegalArgumentException e) {
            return refusal(400, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refusal(503, "The service is shutting down.");
        }
    }

    private static ApiAnswer refusal(int status, String reason) {
        return ApiAnswer.json(status, ApiAnswer.object().put("reason", reason));
    }

    private static ObjectNode json(OfferAdvice advice) {
        var json = ApiAnswer.object();
        json.put("granted", !advice.ways().isEmpty());
        advice.code().ifPresent(code -> json.put("code", code.name()));
        json.put("proven", advice.proven());
        if (!advice.reason().isEmpty()) {
            json.put("reason", advice.reason());
        }
        var plans = json.putArray("plans");
        advice.ways().forEach(way -> plans.add(json(way)));
        var nearest = json.putArray("nearest");
        advice.nearest().forEach(request -> nearest.add(json(request)));
        return json;
    }

    private static ObjectNode json(Way way) {
        var json = JsonOffers.summary(way);
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
        return ApiAnswer.object()
                .put("change", nearest.change())
                .put("words", nearest.words())
                .<ObjectNode>set("plan", json(nearest.way()))
                .set("request", json(nearest.request()));
    }

    /** A request with the length of each part: in an offer in XML, lengths may differ. */
    private static ObjectNode json(AgreementRequest request) {
        var json = OfferBody.of(request);
        if (!request.lags().isEmpty()) {
            json.put("workflow", true);
        }
        for (int i = 0; i < request.parts().size(); i++) {
            ((ObjectNode) json.path("parts").get(i))
                    .put("duration", request.parts().get(i).request().duration().toString());
        }
        return json;
    }
}
