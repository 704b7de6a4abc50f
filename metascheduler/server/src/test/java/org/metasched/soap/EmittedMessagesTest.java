package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.OfferKey;

/** That {@link EmittedMessages} sees what is sent, and finds what is wrong with it. */
class EmittedMessagesTest {

    @BeforeAll
    static void published() {
        assumeTrue(PublishedSchemas.areHere(), PublishedSchemas.notHere());
    }

    @Test
    void findsAnAnswerThatThePublishedSchemasDoNotKnow() throws Exception {
        var responder = new WsagServer();
        try {
            var good = responder.grid.offer("good", 2, "fzj");
            var wrong = new AgreementOffer(
                    new OfferKey("CN=alice", "wrong"),
                    "",
                    good.template(),
                    good.alternatives(),
                    List.of(),
                    Optional.empty(),
                    new OfferDocument("<w:AgreementOffer xmlns:w='http://schemas.ggf.org/graap/2007/03/ws-agreement'>"
                            + "<w:Context/><w:Terms/></w:AgreementOffer>"),
                    Optional.empty());
            String id = responder
                    .agreements
                    .create(wrong)
                    .fold(made -> made.agreement().id().value(), String::valueOf);
            int before = EmittedMessages.seen();

            var answer = responder.post(
                    "Agreement/" + id,
                    "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body><r:GetResourcePropertyDocument"
                            + " xmlns:r='http://docs.oasis-open.org/wsrf/rp-2'/></s:Body></s:Envelope>");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            responder.server.close();
            assertThat(EmittedMessages.seen()).isEqualTo(before + 1);
            assertThatThrownBy(EmittedMessages::assertAllValid).hasMessageContaining("ServiceProvider");
        } finally {
            responder.close();
        }
    }

    @Test
    void findsMutants() throws Exception {
        String made;
        String fault;
        try (var responder = new WsagServer()) {
            String offer = WsagServer.golden("create-agreement.soap12.xml");
            made = responder.post("AgreementFactory", offer).body();
            fault = responder
                    .post("AgreementFactory", offer.replace("meta-job-17", "x").replace(">fzj<", ">nowhere<"))
                    .body();
        }

        assertThat(PublishedSchemas.complaints(made)).isEmpty();
        assertThat(PublishedSchemas.complaints(made.replaceAll("(wsa:|:)Address>", "$1Place>")))
                .isNotEmpty();
        assertThat(PublishedSchemas.complaints(made.replaceAll("<RelatesTo|</RelatesTo", "$0d")))
                .as("a header")
                .isNotEmpty();
        assertThat(PublishedSchemas.complaints(fault)).isEmpty();
        assertThat(PublishedSchemas.complaints(fault.replace("Timestamp", "Time")))
                .as("the detail of a fault")
                .isNotEmpty();
        assertThat(PublishedSchemas.complaints(fault.replaceAll("dialect=\"[^\"]*\"", "")))
                .isNotEmpty();
        assertThat(PublishedSchemas.complaints(fault.replaceFirst("(?s)<soap:Reason>.*</soap:Reason>", "")))
                .as("the fault itself")
                .isNotEmpty();
    }
}
