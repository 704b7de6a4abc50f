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
 * @param id identity of the change, the same in each notice of it
 * @param at time of the change; for a slot that begins soon, of the agreement's last change
 * @param title "Agreement" or "Offer" with the name that its initiator gave it
 * @param subject id of the agreement or of the refused offer
 * @param data the event's data, for programs
 * @param more lines for people, each with its end
 */
record NoticeText(String id, Instant at, String title, String subject, ObjectNode data, String more) {

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
        agreement.reason().ifPresent(reason -> data.put("reason", reason));
        var sites = data.putArray("sites");
        agreement.commitments().forEach(part -> {
            var site = sites.addObject()
                    .put("site", part.site().value())
                    .put("reservationId", part.reservation().id().value())
                    .put("state", part.state().name())
                    .put("lostNodes", part.lostNodes().size());
            var granted = part.reservation().granted();
            granted.fold(
                    nodes -> site.put("nodes", nodes.count()),
                    bandwidth -> site.put("amount", granted.amount()).put("unit", "Mbit/s"),
                    licences -> site.put("amount", granted.amount()).put("unit", "licences"));
        });
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
                + agreement.reason().map(reason -> reason + "\n").orElse("");
        return new NoticeText(
                id + "." + agreement.version(),
                agreement.changed(),
                "Agreement " + agreement.offer().label().orElse(id),
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
                "Offer " + offer.key().id(),
                offer.key().id(),
                data,
                offer.code() + ": " + offer.reason() + "\n");
    }

    /** The identity of a notice that the slot of an agreement begins soon. It depends on the agreement and its start alone. */
    String soon() {
        return subject + "." + Instant.parse(data.path("start").asText()).getEpochSecond();
    }

    /** An event of CloudEvents 1.0, as one line. */
    String event(NoticeOccasion occasion, String messageId) {
        var event = MAPPER.createObjectNode()
                .put("specversion", "1.0")
                .put("id", messageId)
                .put("source", "/api/v1/agreements")
                .put("type", TYPE + occasion.word())
                .put("subject", subject)
                .put("time", at.toString())
                .put("datacontenttype", "application/json");
        event.set("data", data);
        return event.toString();
    }

    /** A mail: its first line is the subject, the others are its text. */
    String mail(NoticeOccasion occasion) {
        String subjectLine = title.replaceAll("\\p{Cntrl}", " ") + " " + occasion.words();
        return subjectLine + "\n" + subjectLine + ".\n\n" + more + "Id: " + subject + "\n";
    }
}
