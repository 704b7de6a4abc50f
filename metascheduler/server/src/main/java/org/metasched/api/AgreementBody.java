package org.metasched.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.SiteCommitment;

/** The JSON of an agreement, with the keys that the command line prints too. */
final class AgreementBody {

    private AgreementBody() {}

    /** The agreement without its request; {@code start} and {@code end} are null while it has no slot. */
    static ObjectNode of(Agreement agreement) {
        var body = ApiAnswer.object();
        body.put("agreementId", agreement.id().value());
        body.put("state", agreement.state().term());
        body.put("start", agreement.slot().map(slot -> slot.start().toString()).orElse(null));
        body.put("end", agreement.slot().map(slot -> slot.end().toString()).orElse(null));
        var sites = body.putArray("sites");
        agreement.commitments().forEach(part -> sites.add(site(part)));
        body.put("rounds", agreement.effort().rounds());
        body.put("calls", agreement.effort().calls());
        agreement.reason().ifPresent(reason -> body.put("reason", reason));
        body.put("initiator", agreement.offer().key().initiator());
        body.put("offerId", agreement.offer().key().id());
        OfferBody.putLabelAndUsers(body, agreement.offer());
        body.put("created", agreement.created().toString());
        body.put("changed", agreement.changed().toString());
        return body;
    }

    /** Adds the request of an offer, part by part. */
    static void addParts(ArrayNode parts, AgreementRequest request) {
        for (var part : request.parts()) {
            var body = parts.addObject();
            part.site().ifPresent(site -> body.put("site", site.value()));
            part.requirements().ifPresent(requirements -> body.put("requirements", requirements));
            body.put("need", part.request().need().words());
            body.put("duration", part.request().duration().toString());
        }
    }

    static void putEvent(ObjectNode body, AgreementEvent event) {
        body.put("at", event.at().toString());
        body.put("kind", event.kind().name());
        body.put("what", event.what());
    }

    private static ObjectNode site(SiteCommitment part) {
        var reservation = part.reservation();
        var body = ApiAnswer.object();
        body.put("site", part.site().value());
        body.put("reservationId", reservation.id().value());
        body.put("nodes", reservation.granted().amount());
        body.put("start", reservation.slot().start().toString());
        body.put("end", reservation.slot().end().toString());
        body.put("state", part.state().name());
        var names = body.putArray("nodeNames");
        reservation.nodeNames().forEach(names::add);
        part.run()
                .ifPresent(run -> body.putObject("job")
                        .put("state", run.status().state().name())
                        .put("id", run.status().id())
                        .put("exitCode", run.status().exitCode().orElse(null))
                        .put("output", run.status().output())
                        .put("detail", run.status().detail()));
        return body;
    }
}
