package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.client.xml.XmlNames;

/** What {@link ConformanceTest} leaves of WS-Agreement Negotiation 1.0 (GFD.193): the tree of offers, the faults, the end. */
class NegotiationConformanceTest {

    private static final String ROOT = "1-CO-ALLOCATION";

    private static final WsagServer SHARED = new WsagServer();

    private WsagServer responder = SHARED;

    @AfterEach
    void stop() {
        if (responder != SHARED) {
            responder.close();
        }
    }

    @AfterAll
    static void stopShared() {
        SHARED.close();
    }

    @ParameterizedTest(name = "GFD.193 5.1 InitiateNegotiation: {0} becomes {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                ">NegotiationResponder< | >NegotiationInitiator< | OFFER_INVALID",
                ">NegotiationResponder< | >Somebody< | OFFER_INVALID",
                "<n:AgreementResponder> | <n:ExpirationTime>2026-01-05T08:00:00Z</n:ExpirationTime><n:AgreementResponder> | OFFER_INVALID",
                "<n:Negotiation/> | <n:Renegotiation/> | OFFER_INVALID",
                "<n:Negotiation/> | <n:Renegotiation><n:ResponderAgreementEPR><a:Address>http://x/services/Agreement/ag-not</a:Address></n:ResponderAgreementEPR></n:Renegotiation> | AGREEMENT_UNKNOWN",
                "</n:NegotiationContext> | </n:NegotiationContext><x:Pay xmlns:x='urn:x'/> | EXTENSION_NOT_UNDERSTOOD",
                "n:NegotiationContext> | n:Nothing> | OFFER_INVALID"
            })
    void initiateFaults(String from, String to, String code) throws Exception {
        String wrong = ConformanceTest.initiateInput()
                .replace(from, to)
                .replace(
                        "<n:InitiateNegotiationInput",
                        "<n:InitiateNegotiationInput xmlns:a='" + XmlNames.ADDRESSING + "'");

        assertThat(send("NegotiationFactory", wrong)).contains("ContinuingFault", ">" + code + "<");
    }

    @Test
    @DisplayName("GFD.193 5.2 Negotiate: too many offers, a critical extension and an unknown negotiation are faults")
    void negotiateFaults() throws Exception {
        String id = initiated();
        String one = ConformanceTest.negotiateInput("Advisory", ROOT, "");
        String offer = ConformanceTest.found("(?s)(<n:NegotiationOffer>.*</n:NegotiationOffer>)", one);

        assertThat(send(id, one.replace(offer, offer.repeat(17))))
                .contains("ContinuingFault", ">OFFER_INVALID<", "17 offers");
        assertThat(send(id, one.replace(offer, offer + "<x:Pay xmlns:x='urn:x'/>")))
                .contains("ContinuingFault", ">EXTENSION_NOT_UNDERSTOOD<");
        assertThat(send(id, one.replace("<n:Advisory/>", "<n:Maybe/>"))).contains("ContinuingFault", ">OFFER_INVALID<");
        assertThat(send(id, one.replace(">NegotiationInitiator<", ">NegotiationResponder<")))
                .contains("ContinuingFault", ">OFFER_INVALID<", "The Creator (NegotiationResponder)");
        assertThat(send("Negotiation/ng-not-there", one)).contains("ResourceUnknownFault", ">NEGOTIATION_UNKNOWN<");
        assertThat(responder.grid.heldEverywhere()).isZero();
    }

    @Test
    @DisplayName(
            "GFD.193 5.2 the tree: a counter offer is countered, a rejected one is not, one may go back to an ancestor; an unknown parent is a rejected counter offer")
    void tree() throws Exception {
        responder = new WsagServer();
        String id = initiated();
        String first = counterId(send(id, ConformanceTest.negotiateInput("Advisory", ROOT, "")));
        var second = send(id, ConformanceTest.negotiateInput("Solicited", first, ""));
        assertThat(second).contains(":Acceptable", ">" + ConformanceTest.found("OfferTo>([^<]*)<", second) + "<");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
        String held = counterId(second);

        assertThat(send(id, ConformanceTest.negotiateInput("Rejected", held, "")))
                .doesNotContain("CounterOffer ");
        assertThat(responder.grid.heldEverywhere()).isZero();
        responder.grid.at("scai").busy(responder.grid.nowPlus("PT0S"), responder.grid.nowPlus("P8D"), 32);
        var refused = send(id, ConformanceTest.negotiateInput("Acceptable", first, ""));
        assertThat(refused).contains(":Rejected", "code=\"NO_COMMON_SLOT\"");
        assertThat(send(id, ConformanceTest.negotiateInput("Advisory", counterId(refused), "")))
                .contains(":Rejected", "cannot be countered");
        assertThat(send(id, ConformanceTest.negotiateInput("Advisory", "urn:uuid:nowhere", "")))
                .contains(":Rejected", "is not part of this negotiation");
    }

    @Test
    @DisplayName("GFD.193 4.1 ExpirationTime: a negotiation ends at its time, with all that it holds")
    void expiration() throws Exception {
        responder = new WsagServer();
        String id = initiated(ConformanceTest.initiateInput()
                .replace(
                        "<n:AgreementResponder>",
                        "<n:ExpirationTime>2026-01-05T08:03:00Z</n:ExpirationTime><n:AgreementResponder>"));
        send(id, ConformanceTest.negotiateInput("Solicited", ROOT, ""));
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);

        responder.grid.clock.advance(Duration.ofMinutes(4));
        responder.negotiations.expire();

        assertThat(responder.grid.heldEverywhere()).isZero();
        assertThat(send(id, ConformanceTest.negotiateInput("Advisory", ROOT, "")))
                .contains(">NEGOTIATION_UNKNOWN<");
    }

    @Test
    @DisplayName("GFD.193 5 properties: each of them, several, and one that is none")
    void properties() throws Exception {
        String id = initiated();
        send(id, ConformanceTest.negotiateInput("Advisory", ROOT, ""));
        assertThat(property(id, "n:NegotiationContext")).contains(":NegotiationContext", ":AgreementResponder>");
        assertThat(property(id, "n:NegotiableTemplate")).contains("CreationConstraints");
        assertThat(property(id, "n:NegotiationOffer")).containsPattern("(?s)(NegotiationOffer .*){2}");
        assertThat(property(id, "n:Nothing")).contains("InvalidResourcePropertyQNameFault");
        assertThat(property("AgreementFactory", "n:Nothing")).contains("InvalidResourcePropertyQNameFault");
        assertThat(send(
                        id,
                        "<rp:GetMultipleResourceProperties " + ConformanceTest.RP
                                + "><rp:ResourceProperty>n:NegotiationContext</rp:ResourceProperty><rp:ResourceProperty>"
                                + "n:NegotiationOffer</rp:ResourceProperty></rp:GetMultipleResourceProperties>"))
                .contains(":NegotiationContext", ":NegotiationOffer");
    }

    @Test
    @DisplayName(
            "GFD.193 6 createAgreement from a negotiation: of what is held; of an offer that is none, or of two, a fault")
    void extension() throws Exception {
        responder = new WsagServer();
        String id = initiated();
        String held = counterId(send(id, ConformanceTest.negotiateInput("Solicited", ROOT, "")));

        assertThat(create("x1", extension("NegotiationExtension", "urn:uuid:nowhere")))
                .contains("ContinuingFault", ">NEGOTIATION_UNKNOWN<");
        assertThat(create("x2", extension("NegotiationExtension", held) + extension("NegotiationExtension", held)))
                .contains("ContinuingFault", ">EXTENSION_NOT_UNDERSTOOD<", "only one of them");
        assertThat(create("x2", extension("NegotiationExtension", held) + extension("RenegotiationExtension", held)))
                .contains("ContinuingFault", ">EXTENSION_NOT_UNDERSTOOD<", "only one of them")
                .doesNotContain("not known");
        assertThat(create("x2", extension("FooExtension", held)))
                .contains("ContinuingFault", ">EXTENSION_NOT_UNDERSTOOD<", "FooExtension is not known");
        assertThat(create("x2", extension("FooExtension", held) + extension("NegotiationExtension", held)))
                .contains("ContinuingFault", ">EXTENSION_NOT_UNDERSTOOD<", "FooExtension is not known")
                .doesNotContain("NegotiationExtension is", "only one of them");
        assertThat(create(
                        "x3",
                        extension("RenegotiationExtension", held)
                                .replace(
                                        "<n:Neg",
                                        "<n:ResponderAgreementEPR>"
                                                + "<a:Address xmlns:a='" + XmlNames.ADDRESSING
                                                + "'>http://x/services/Agreement/ag-1</a:Address>"
                                                + "</n:ResponderAgreementEPR><n:Neg")))
                .contains("ContinuingFault", ">OFFER_INVALID<", "its terms must be the same");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
        assertThat(create(
                        "x4",
                        "<wsag:NoncriticalExtension>" + extension("NegotiationExtension", held)
                                + "</wsag:NoncriticalExtension>"))
                .contains("CreatedAgreementEPR");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(4);
    }

    @Test
    @DisplayName("GFD.193 4.2 the context of a negotiation names its responder, which an initiator may leave open")
    void responderOfTheContext() throws Exception {
        assertThat(property(initiated(), "NegotiationContext"))
                .contains("NegotiationResponder>" + responder.server.service(NegotiationFactoryEndpoint.NAME) + "<");
        var named = ConformanceTest.initiateInput()
                .replace(
                        "<n:AgreementResponder>",
                        "<n:NegotiationResponder>You</n:NegotiationResponder><n:AgreementResponder>");
        assertThat(property(initiated(named), "NegotiationContext")).containsOnlyOnce("NegotiationResponder>You<");
    }

    @Test
    @DisplayName("GFD.193: an agreement that has ended is not renegotiated, and nothing is held for it")
    void endedAgreement() throws Exception {
        responder = new WsagServer();
        String made = ConformanceTest.found("services/(Agreement/[a-z0-9-]+)<", create("e1", ""));
        var about = ConformanceTest.initiateInput()
                .replace(
                        "<n:Negotiation/>",
                        "<n:Renegotiation><n:ResponderAgreementEPR><a:Address xmlns:a='" + XmlNames.ADDRESSING
                                + "'>http://x/services/" + made
                                + "</a:Address></n:ResponderAgreementEPR></n:Renegotiation>");
        String id = initiated(about);
        send(made, ConformanceTest.TERMINATE);

        assertThat(send(id, ConformanceTest.negotiateInput("Solicited", ROOT, "")))
                .contains(":Rejected", "AGREEMENT_FINAL");
        assertThat(send("NegotiationFactory", about)).contains("ContinuingFault", ">AGREEMENT_FINAL<");
        assertThat(responder.grid.heldEverywhere()).isZero();
    }

    private String create(String offer, String extensions) throws Exception {
        return responder
                .post(
                        "AgreementFactory",
                        ConformanceTest.offer(offer)
                                .replace("</wsag:CreateAgreementInput>", extensions + "</wsag:CreateAgreementInput>"))
                .body();
    }

    private static String extension(String name, String counter) {
        return "<n:" + name + " xmlns:n='" + XmlNames.NEGOTIATION + "'><n:NegotiationOfferContext><n:CounterOfferTo>"
                + counter
                + "</n:CounterOfferTo><n:Creator>NegotiationInitiator</n:Creator><n:State><n:Acceptable/></n:State>"
                + "</n:NegotiationOfferContext></n:" + name + ">";
    }

    private String property(String service, String name) throws Exception {
        return send(
                service, "<rp:GetResourceProperty " + ConformanceTest.RP + ">" + name + "</rp:GetResourceProperty>");
    }

    private static String counterId(String answer) {
        return ConformanceTest.found("NegotiationCounterOffer[^>]*OfferId=\"([^\"]*)\"", answer);
    }

    private String initiated() throws Exception {
        return initiated(ConformanceTest.initiateInput());
    }

    /** The part of its address after the services. */
    private String initiated(String input) throws Exception {
        return ConformanceTest.found("services/(Negotiation/[a-z0-9-]+)<", send("NegotiationFactory", input));
    }

    private String send(String service, String body) throws Exception {
        return responder
                .post(service, ConformanceTest.envelope(ConformanceTest.SOAP_12, "", body))
                .body();
    }
}
