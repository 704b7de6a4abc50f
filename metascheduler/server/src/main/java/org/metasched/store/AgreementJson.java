package org.metasched.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.Assessment;
import org.metasched.agreement.Commitment;
import org.metasched.agreement.GuaranteeState;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.making.NegotiationBook.Hold;
import org.metasched.negotiation.NegotiationEffort;

/**
 * An agreement as JSON, all but its documents and its version. Written by hand: the form is a contract with rows that exist,
 * not a mirror of our classes. {@code form} counts its changes; a reader takes every form up to its own.
 */
final class AgreementJson {

    private static final int FORM = 1;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private AgreementJson() {}

    static String write(Agreement agreement) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("form", FORM);
        json.put("id", agreement.id().value());
        json.put("state", agreement.state().name());
        json.put("created", agreement.created().toString());
        json.put("changed", agreement.changed().toString());
        agreement.reason().ifPresent(r -> json.put("reason", r));
        agreement.slot().ifPresent(s -> json.set("slot", slot(s)));
        json.set("offer", OfferJson.write(agreement.offer()));
        ArrayNode commitments = json.putArray("commitments");
        agreement.commitments().forEach(c -> commitments.add(commitment(c)));
        ObjectNode guarantees = json.putObject("guarantees");
        agreement.guarantees().forEach((name, state) -> guarantees.put(name, state.name()));
        if (!agreement.assessments().isEmpty()) {
            ArrayNode assessments = json.putArray("assessments");
            agreement.assessments().forEach(a -> assessments.add(assessment(a)));
        }
        json.set("effort", effort(agreement.effort()));
        return json.toString();
    }

    static Agreement read(String text, OfferDocument document, Optional<OfferDocument> acceptance) {
        var json = parsed(text, "An agreement");
        AgreementOffer offer = OfferJson.read(json.get("offer"), document, acceptance);
        Map<String, GuaranteeState> guarantees = new LinkedHashMap<>();
        json.get("guarantees")
                .fields()
                .forEachRemaining(e -> guarantees.put(
                        e.getKey(), GuaranteeState.valueOf(e.getValue().asText())));
        return new Agreement(
                new AgreementId(json.get("id").asText()),
                offer,
                AgreementState.valueOf(json.get("state").asText()),
                Optional.ofNullable(json.get("slot")).map(AgreementJson::slot),
                list(json.get("commitments"), AgreementJson::commitment),
                guarantees,
                json.has("assessments") ? list(json.get("assessments"), AgreementJson::assessment) : List.of(),
                effort(json.get("effort")),
                Optional.ofNullable(json.get("reason")).map(JsonNode::asText),
                Instant.parse(json.get("created").asText()),
                Instant.parse(json.get("changed").asText()),
                0);
    }

    private static JsonNode parsed(String text, String what) {
        JsonNode json;
        try {
            json = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(what + " in the database is not JSON: " + e.getMessage(), e);
        }
        if (json.path("form").asInt() > FORM) {
            throw new IllegalStateException(what + " " + json.path("id").asText("")
                    + " in the database was written by a newer version (form "
                    + json.path("form").asInt() + "; this one reads up to " + FORM + ").");
        }
        return json;
    }

    static String write(Hold hold) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("form", FORM);
        json.set("slot", slot(hold.slot()));
        var commitments = json.putArray("commitments");
        hold.commitments().forEach(c -> commitments.add(commitment(c)));
        json.set("effort", effort(hold.effort()));
        return json.toString();
    }

    static Hold readHold(String text, Instant until) {
        var json = parsed(text, "A hold");
        return new Hold(
                slot(json.get("slot")),
                list(json.get("commitments"), AgreementJson::commitment),
                effort(json.get("effort")),
                until);
    }

    private static ObjectNode effort(NegotiationEffort effort) {
        return MAPPER.createObjectNode()
                .put("rounds", effort.rounds())
                .put("calls", effort.calls())
                .put("attempts", effort.attempts())
                .put("took", effort.took().toString());
    }

    private static NegotiationEffort effort(JsonNode json) {
        return new NegotiationEffort(
                json.get("rounds").asInt(),
                json.get("calls").asInt(),
                json.get("attempts").asInt(),
                Duration.parse(json.get("took").asText()));
    }

    private static ObjectNode assessment(Assessment assessment) {
        return MAPPER.createObjectNode()
                .put("interval", assessment.interval())
                .put("worst", assessment.worst().name())
                .put("worth", assessment.worth())
                .put("times", assessment.times())
                .put("total", assessment.total());
    }

    private static Assessment assessment(JsonNode json) {
        return new Assessment(
                json.get("interval").asLong(),
                GuaranteeState.valueOf(json.get("worst").asText()),
                json.get("worth").asDouble(),
                json.get("times").asInt(),
                json.get("total").asDouble());
    }

    private static ObjectNode commitment(Commitment commitment) {
        var reservation = commitment.reservation();
        ObjectNode json = MAPPER.createObjectNode();
        json.put("term", commitment.term());
        json.put("service", commitment.service());
        json.put("site", commitment.site().value());
        json.put("state", commitment.state().name());
        json.put("reservation", reservation.id().value());
        json.put("key", reservation.key().value());
        json.set("slot", slot(reservation.slot()));
        json.set("granted", OfferJson.write(reservation.granted()));
        reservation.nodeNames().forEach(json.putArray("nodes")::add);
        commitment.lostNodes().forEach(json.putArray("lost")::add);
        commitment.run().ifPresent(run -> json.set("run", ProgramJson.write(run)));
        return json;
    }

    private static Commitment commitment(JsonNode json) {
        var reservation = new Reservation(
                new ReservationId(json.get("reservation").asText()),
                new RequestKey(json.get("key").asText()),
                slot(json.get("slot")),
                OfferJson.readNeed(json.get("granted")),
                list(json.get("nodes"), JsonNode::asText));
        return new Commitment(
                json.get("term").asText(),
                json.get("service").asText(),
                new SiteId(json.get("site").asText()),
                reservation,
                ReservationState.valueOf(json.get("state").asText()),
                list(json.get("lost"), JsonNode::asText),
                Optional.ofNullable(json.get("run")).map(ProgramJson::readRun));
    }

    private static ArrayNode slot(TimeSlot slot) {
        return MAPPER.createArrayNode()
                .add(slot.start().toString())
                .add(slot.end().toString());
    }

    private static TimeSlot slot(JsonNode json) {
        return new TimeSlot(
                Instant.parse(json.get(0).asText()), Instant.parse(json.get(1).asText()));
    }

    static <T> List<T> list(JsonNode array, Function<JsonNode, T> reader) {
        var list = new ArrayList<T>();
        array.forEach(item -> list.add(reader.apply(item)));
        return list;
    }
}
