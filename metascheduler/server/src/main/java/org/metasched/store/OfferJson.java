package org.metasched.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.Compensation;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.TemplateKey;
import org.metasched.choice.Preference;
import org.metasched.negotiation.Lag;
import org.metasched.negotiation.Split;

/** The understood part of an offer as JSON. */
final class OfferJson {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private OfferJson() {}

    static ObjectNode write(AgreementOffer offer) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("initiator", offer.key().initiator());
        json.put("id", offer.key().id());
        json.put("name", offer.name());
        json.put("templateName", offer.template().name());
        json.put("templateId", offer.template().id());
        offer.expiration().ifPresent(e -> json.put("expiration", e.toString()));
        offer.onDegraded().ifPresent(policy -> json.put("onDegraded", policy.word()));
        var alternatives = json.putArray("alternatives");
        offer.alternatives().forEach(a -> alternatives.add(write(a)));
        var guarantees = json.putArray("guarantees");
        for (var guarantee : offer.guarantees()) {
            var entry = guarantees.addObject().put("name", guarantee.name());
            guarantee.services().forEach(entry.putArray("services")::add);
            guarantee.condition().ifPresent(c -> entry.put("condition", c));
            guarantee.objective().ifPresent(o -> entry.put("objective", o));
            if (!guarantee.compensations().isEmpty()) {
                var compensations = entry.putArray("compensations");
                guarantee.compensations().forEach(c -> compensations.add(write(c)));
            }
        }
        return json;
    }

    static AgreementOffer read(JsonNode json, OfferDocument document, Optional<OfferDocument> acceptance) {
        return new AgreementOffer(
                new OfferKey(json.get("initiator").asText(), json.get("id").asText()),
                json.get("name").asText(),
                new TemplateKey(
                        json.get("templateName").asText(),
                        json.get("templateId").asText()),
                AgreementJson.list(json.get("alternatives"), OfferJson::readRequest),
                AgreementJson.list(json.get("guarantees"), OfferJson::readGuarantee),
                instant(json, "expiration"),
                document,
                acceptance,
                text(json, "onDegraded").flatMap(OnDegraded::of));
    }

    private static ObjectNode write(Compensation compensation) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("kind", compensation.kind().name())
                .put("count", compensation.count())
                .put("unit", compensation.unit())
                .put("value", compensation.value());
        compensation.every().ifPresent(every -> json.put("every", every.toString()));
        return json;
    }

    private static GuaranteeTerm readGuarantee(JsonNode json) {
        return new GuaranteeTerm(
                json.get("name").asText(),
                AgreementJson.list(json.get("services"), JsonNode::asText),
                text(json, "condition"),
                text(json, "objective"),
                json.has("compensations")
                        ? AgreementJson.list(
                                json.get("compensations"),
                                c -> new Compensation(
                                        Compensation.Kind.valueOf(c.get("kind").asText()),
                                        text(c, "every").map(Duration::parse),
                                        c.get("count").asInt(),
                                        c.get("unit").asText(),
                                        c.get("value").asText()))
                        : List.of());
    }

    static ObjectNode write(AgreementRequest request) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        request.earliest().ifPresent(e -> json.put("earliest", e.toString()));
        request.deadline().ifPresent(d -> json.put("deadline", d.toString()));
        json.put("prefer", request.preference().word());
        var parts = json.putArray("parts");
        for (var part : request.parts()) {
            var entry = parts.addObject()
                    .put("term", part.term())
                    .put("service", part.service())
                    .put("duration", part.request().duration().toString());
            part.site().ifPresent(s -> entry.put("site", s.value()));
            part.requirements().ifPresent(r -> entry.put("requirements", r));
            part.split()
                    .ifPresent(s -> entry.putArray("split")
                            .add(s.leastPiece())
                            .add(s.mostPieces())
                            .add(s.multipleOf())
                            .add(s.overhead()));
            part.request().requester().ifPresent(r -> entry.put("requester", r.subject()));
            entry.set("need", write(part.request().need()));
            part.program().ifPresent(program -> entry.set("program", ProgramJson.write(program)));
        }
        var lags = json.putArray("lags");
        for (var lag : request.lags()) {
            var entry = lags.addObject()
                    .put("from", lag.from())
                    .put("to", lag.to())
                    .put("afterEnd", lag.afterEnd())
                    .put("least", lag.least().toString());
            lag.most().ifPresent(most -> entry.put("most", most.toString()));
        }
        return json;
    }

    static String write(List<AgreementRequest> alternatives) {
        var json = JsonNodeFactory.instance.arrayNode();
        alternatives.forEach(request -> json.add(write(request)));
        return json.toString();
    }

    /** Before all alternatives were kept, the first one was. */
    static List<AgreementRequest> readRequests(String text) {
        try {
            var json = MAPPER.readTree(text);
            return json.isArray() ? AgreementJson.list(json, OfferJson::readRequest) : List.of(readRequest(json));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A request in the database is no JSON: " + e.getMessage(), e);
        }
    }

    private static AgreementRequest readRequest(JsonNode json) {
        return new AgreementRequest(
                AgreementJson.list(json.get("parts"), OfferJson::readPart),
                instant(json, "earliest"),
                instant(json, "deadline"),
                text(json, "prefer").flatMap(Preference::of).orElse(Preference.START),
                json.has("lags")
                        ? AgreementJson.list(json.get("lags"), OfferJson::readLag)
                        : offsets(json.get("parts")));
    }

    private static Lag readLag(JsonNode json) {
        return new Lag(
                json.get("from").asText(),
                json.get("to").asText(),
                json.get("afterEnd").asBoolean(),
                Duration.parse(json.get("least").asText()),
                text(json, "most").map(Duration::parse));
    }

    /** Before there were lags, each part had its offset from the common start. */
    private static List<Lag> offsets(JsonNode parts) {
        Map<String, Duration> offsets = new LinkedHashMap<>();
        parts.forEach(part -> offsets.put(
                part.get("service").asText(), Duration.parse(part.path("offset").asText("PT0S"))));
        String first = parts.path(0).path("service").asText();
        return Set.copyOf(offsets.values()).size() < 2
                ? List.of()
                : offsets.entrySet().stream()
                        .filter(other -> !other.getKey().equals(first))
                        .map(other -> Lag.fixed(
                                first, other.getKey(), other.getValue().minus(offsets.get(first))))
                        .toList();
    }

    private static RequestedPart readPart(JsonNode json) {
        var request = new ResourceRequest(
                readNeed(json.get("need")),
                Duration.parse(json.get("duration").asText()),
                text(json, "requester").map(Requester::new));
        return new RequestedPart(
                json.get("term").asText(),
                json.get("service").asText(),
                text(json, "site").map(SiteId::new),
                request,
                text(json, "requirements"),
                Optional.ofNullable(json.get("program")).map(ProgramJson::read),
                Optional.ofNullable(json.get("split"))
                        .map(s -> new Split(
                                s.path(0).asInt(),
                                s.path(1).asInt(),
                                s.path(2).asInt(),
                                s.path(3).asInt())));
    }

    static ObjectNode write(Need need) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        return need.fold(
                nodes -> {
                    json.put("nodes", nodes.count()).put("cores", nodes.coresPerNode());
                    nodes.properties().forEach(json.putArray("properties")::add);
                    return json;
                },
                bandwidth -> json.put("megabitsPerSecond", bandwidth.megabitsPerSecond()),
                licences -> json.put("licences", licences.count()).put("feature", licences.feature()));
    }

    static Need readNeed(JsonNode json) {
        if (json.has("nodes")) {
            var properties = new TreeSet<>(AgreementJson.list(json.get("properties"), JsonNode::asText));
            return new Need.Nodes(json.get("nodes").asInt(), json.get("cores").asInt(), properties);
        } else if (json.has("megabitsPerSecond")) {
            return new Need.Bandwidth(json.get("megabitsPerSecond").asInt());
        } else if (json.has("licences")) {
            return new Need.Licences(
                    json.get("feature").asText(), json.get("licences").asInt());
        }
        throw new IllegalStateException("The need " + json + " in the database is of no known kind.");
    }

    private static Optional<String> text(JsonNode json, String key) {
        return Optional.ofNullable(json.get(key)).map(JsonNode::asText);
    }

    private static Optional<Instant> instant(JsonNode json, String key) {
        return text(json, key).map(Instant::parse);
    }
}
