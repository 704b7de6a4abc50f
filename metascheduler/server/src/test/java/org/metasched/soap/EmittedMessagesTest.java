package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.SchemaFactory;
import org.apache.cxf.Bus;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.RequestedPart;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;

/** That {@link EmittedMessages} sees what is sent, and finds what is wrong with it. */
@Tag("full")
class EmittedMessagesTest {

    private static final ResourceRequest NODES = ResourceRequest.nodes(2, Duration.ofHours(1));

    @BeforeAll
    static void published() {
        assumeTrue(PublishedSchemas.areHere(), PublishedSchemas.notHere());
    }

    @Test
    void findsAnAnswerThatThePublishedSchemasDoNotKnow() throws Exception {
        var responder = new WsagServer();
        try {
            var wrong = created(responder, List.of(RequestedPart.at("fzj", NODES)), "<w:Context/><w:Terms/>");
            int before = EmittedMessages.seen();

            var answer = document(responder, wrong);

            assertThat(answer.body()).contains("AgreementProperties");
            responder.server.close();
            assertThat(EmittedMessages.seen()).isEqualTo(before + 1);
            assertThatThrownBy(EmittedMessages::assertAllValid).hasMessageContaining("ServiceProvider");
        } finally {
            responder.close();
        }
    }

    @Test
    void aTermThatSeveralSitesServeIsValidToo() throws Exception {
        try (var responder = new WsagServer()) {
            var part = new RequestedPart("BOTH", "JOB", Optional.of(new SiteId("fzj")), NODES, Optional.empty());
            String id = created(
                    responder,
                    List.of(part),
                    "<w:Context><w:ServiceProvider>AgreementResponder</w:ServiceProvider></w:Context><w:Terms><w:All>"
                            + "<w:ServiceDescriptionTerm w:Name='BOTH' w:ServiceName='JOB'><j:Resources xmlns:j='"
                            + XmlNames.JSDL + "'/></w:ServiceDescriptionTerm></w:All></w:Terms>");
            var one = responder.grid.memory.find(new AgreementId(id)).orElseThrow();
            var piece = one.commitments().get(0);
            var two = one.withParts(List.of(piece, piece), responder.grid.clock.instant());
            responder.grid.memory.save(two);

            var answer = document(responder, id);

            assertThat(answer.body())
                    .containsPattern("(?s)ServiceTermState.*:Pieces.*Reservation.*Reservation.*:Pieces");
        }
    }

    private static String created(WsagServer responder, List<RequestedPart> parts, String content) throws Exception {
        var plain = responder.grid.offer("plain", parts);
        var offer = new AgreementOffer(
                plain.key(),
                "",
                plain.template(),
                plain.alternatives(),
                List.of(),
                Optional.empty(),
                new OfferDocument(
                        "<w:AgreementOffer xmlns:w='" + XmlNames.WSAG + "'>" + content + "</w:AgreementOffer>"),
                Optional.empty(),
                Optional.empty());
        return responder
                .agreements
                .offer(offer)
                .fold(made -> made.agreement().id().value(), String::valueOf);
    }

    private static HttpResponse<String> document(WsagServer responder, String id) throws Exception {
        var answer = responder.post(
                "Agreement/" + id,
                "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body><r:GetResourcePropertyDocument"
                        + " xmlns:r='" + XmlNames.PROPERTIES + "'/></s:Body></s:Envelope>");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    @ParameterizedTest
    @ValueSource(strings = {"AgreementFactory", "Agreement", "NegotiationFactory", "Negotiation"})
    void theWsdlThatIsServedIsValid(String service) throws Exception {
        var schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(Bus.class.getResource("/schemas/wsdl/wsdl.xsd"));
        try (var responder = new WsagServer()) {
            var wsdl = XmlTrees.parse("wsdl", responder.get("/services/" + service + "?wsdl"));

            schema.newValidator().validate(new DOMSource(wsdl));

            wsdl.getElementsByTagNameNS("*", "portType").item(0).setTextContent("mutant");
            assertThatThrownBy(() -> schema.newValidator().validate(new DOMSource(wsdl)))
                    .hasMessageContaining("portType");
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
