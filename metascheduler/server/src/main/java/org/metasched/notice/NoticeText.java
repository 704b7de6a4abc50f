package org.metasched.notice;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Collectors;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.RefusedOffer;
import org.metasched.subscription.NoticeOccasion;

/**
 * The text of a notice, for programs and for people.
 *
 * @param id of the change: the same each time it is told
 * @param at when it happened
 * @param called what the initiator calls it
 * @param subject the agreement, or the id of a refused offer
 * @param data of the event
 * @param more lines for people
 */
record NoticeText(String id, Instant at, String called, String subject, ObjectNode data, String more) {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String TYPE = "org.metasched.agreement.";

    static NoticeText of(Agreement agreement) {
        String id = agreement.id().value();
        var data = MAPPER.createObjectNode()
                .put("agreementId", id)
                .put("state", agreement.state().term())
                .put("offerId", agreement.offer().key().id());
        agreement.offer().label().ifPresent(label -> data.put("label", label));
        agreement
                .slot()
                .ifPresent(slot -> data.put("start", slot.start().toString())
                        .put("end", slot.end().toString()));
        agreement.reason().ifPresent(why -> data.put("reason", why));
        var sites = data.putArray("sites");
        agreement
                .commitments()
                .forEach(part -> sites.addObject()
                        .put("site", part.site().value())
                        .put("reservationId", part.reservation().id().value())
                        .put("nodes", part.reservation().granted().amount())
                        .put("state", part.state().name())
                        .put("lostNodes", part.lostNodes().size()));
        String more = agreement
                        .slot()
                        .map(slot -> "From " + slot.start() + " to " + slot.end() + "\n")
                        .orElse("")
                + agreement.commitments().stream()
                        .map(part -> "At " + part.site() + ": "
                                + part.reservation().granted().words() + ", reservation "
                                + part.reservation().id() + ", " + part.state()
                                + (part.isDegraded() ? ", without " + part.lostNodes() : "") + "\n")
                        .collect(Collectors.joining())
                + agreement.reason().map(why -> why + "\n").orElse("");
        return new NoticeText(
                id + "." + agreement.version(),
                agreement.changed(),
                agreement.offer().label().orElse(id),
                id,
                data,
                more);
    }

    static NoticeText of(RefusedOffer offer) {
        String key = offer.key().initiator() + "\n" + offer.key().id() + "\n" + offer.at();
        var data = MAPPER.createObjectNode()
                .put("offerId", offer.key().id())
                .put("code", offer.code().name())
                .put("reason", offer.reason());
        return new NoticeText(
                UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString(),
                offer.at(),
                offer.key().id(),
                offer.key().id(),
                data,
                offer.code() + ": " + offer.reason() + "\n");
    }

    /** The identity of a notice that the slot is soon, whatever else changes. */
    String soon() {
        return subject + "." + Instant.parse(data.path("start").asText()).getEpochSecond();
    }

    /** CloudEvents 1.0, as one line. */
    String event(NoticeOccasion occasion, String message) {
        var event = MAPPER.createObjectNode()
                .put("specversion", "1.0")
                .put("id", message)
                .put("source", "/api/v1/agreements")
                .put("type", TYPE + occasion.word())
                .put("subject", subject)
                .put("time", at.toString())
                .put("datacontenttype", "application/json");
        event.set("data", data);
        return event.toString();
    }

    /** The subject in the first line. */
    String mail(NoticeOccasion occasion) {
        String first = "Agreement " + called.replaceAll("\\p{Cntrl}", " ") + " " + occasion.words();
        return first + "\n" + first + ".\n\n" + more + "Id: " + subject + "\n";
    }
}
