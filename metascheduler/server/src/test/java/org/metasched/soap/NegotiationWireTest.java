package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.trust.Authentication;
import org.w3c.dom.Element;

/** Negotiations as messages: offers about one hour at two sites, in a grid on which an hour is all that moves. */
class NegotiationWireTest {

    private static final String ROOT = "1-CO-ALLOCATION";

    private final WsagServer responder = new WsagServer();

    @AfterEach
    void stop() {
        responder.close();
    }

    @Test
    void anAdvisoryOfferIsAnsweredWithASlotAndHoldsNothing() throws Exception {
        var counter = negotiate(initiate(""), ROOT, "Advisory", 2, "");

        assertThat(stateOf(counter)).isEqualTo("Advisory");
        assertThat(counter.getElementsByTagNameNS(XmlNames.METASCHED, "Slot").getLength())
                .isEqualTo(2);
        assertThat(text(counter, "StartTime")).isEqualTo("2026-01-05T09:00:00Z");
        assertThat(text(counter, "EndTime")).isEqualTo("2026-01-05T10:00:00Z");
        assertThat(responder.grid.heldEverywhere()).isZero();
        assertValid(counter);
    }

    @Test
    void aSolicitedOfferIsHeldForItsTimeAndThenGivenBack() throws Exception {
        var counter = negotiate(initiate(""), ROOT, "Solicited", 2, "2026-01-05T08:10:00Z");

        assertThat(stateOf(counter)).isEqualTo("Acceptable");
        assertThat(text(counter, "ExpirationTime")).isEqualTo("2026-01-05T08:10:00Z");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
        assertValid(counter);
        responder.grid.clock.advance(Duration.ofMinutes(9));
        responder.negotiations.expire();
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
        responder.grid.clock.advance(Duration.ofMinutes(1));
        responder.negotiations.expire();
        assertThat(responder.grid.heldEverywhere()).isZero();
    }

    @Test
    void aMessageThatIsAnsweredWithAFaultHoldsNothing() throws Exception {
        String negotiation = initiate("");
        var offer =
                offer(ROOT, "Solicited", 2, "").replace("<n:NegotiationOffer>", "<n:NegotiationOffer n:OfferId='o'>");

        String answer = negotiateMessage(negotiation, offer + offer);

        assertThat(answer).contains("has the OfferId of an earlier one");
        assertThat(responder.grid.heldEverywhere()).isZero();
    }

    @Test
    void anAgreementIsMadeOfWhatIsHeld() throws Exception {
        var counter = negotiate(initiate(""), ROOT, "Solicited", 2, "");
        var held = responder.grid.at("fzj").held();

        var answer = create(counter, "negotiated", "NegotiationExtension", "");

        assertThat(answer).contains("CreatedAgreementEPR");
        assertThat(responder.grid.at("fzj").held()).isEqualTo(held);
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
        responder.grid.clock.advance(Duration.ofMinutes(30));
        responder.negotiations.expire();
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
        assertThat(create(counter, "negotiated", "NegotiationExtension", "")).contains(idIn(answer));
    }

    @Test
    void aRepeatedOfferGetsItsAgreementAlsoAfterTheNegotiation() throws Exception {
        String negotiation = initiate("");
        var counter = negotiate(negotiation, ROOT, "Solicited", 2, "");
        var answer = create(counter, "negotiated", "NegotiationExtension", "");
        post("Negotiation/" + negotiation, "<n:TerminateInput xmlns:n='" + XmlNames.NEGOTIATION + "'/>");

        assertThat(create(counter, "negotiated", "NegotiationExtension", "")).contains(idIn(answer));
    }

    @Test
    void anyServerOfOneDatabaseGoesOnWithANegotiation() throws Exception {
        String negotiation = initiate("");
        var counter = negotiate(negotiation, ROOT, "Solicited", 2, "");
        var held = responder.grid.at("fzj").held();
        try (var other = new WsagServer(responder.grid, Authentication.NONE)) {
            var offers = send(
                    other,
                    "Negotiation/" + negotiation,
                    "<rp:GetResourcePropertyDocument xmlns:rp='" + XmlNames.PROPERTIES + "'/>");
            assertThat(offers).contains(counter.getAttributeNS(XmlNames.NEGOTIATION, "OfferId"));

            String body = createBody("CreateAgreement", counter, "elsewhere", "NegotiationExtension", "");
            String made = send(other, "AgreementFactory", body);

            assertThat(made).contains("CreatedAgreementEPR");
            assertThat(responder.grid.at("fzj").held()).isEqualTo(held);
            responder.grid.clock.advance(Duration.ofMinutes(30));
            responder.negotiations.expire();
            assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
            assertThat(stateAt(idIn(made))).isEqualTo("Observed");
        }
    }

    @Test
    void twoAgreementsOfOneHoldAreNotBothMadeOfIt() throws Exception {
        var counter = negotiate(initiate(""), ROOT, "Solicited", 2, "");

        String first = create(counter, "first", "NegotiationExtension", "");
        String second = create(counter, "second", "NegotiationExtension", "");

        assertThat(idIn(first)).isNotEqualTo(idIn(second));
        assertThat(responder.grid.heldEverywhere()).isEqualTo(4);
    }

    @Test
    void aPendingOfferMayBeACounterOffer() throws Exception {
        var counter = negotiate(initiate(""), ROOT, "Solicited", 2, "");
        var held = responder.grid.at("fzj").held();

        String made = post(
                "AgreementFactory", createBody("CreatePendingAgreement", counter, "p", "NegotiationExtension", ""));

        assertThat(stateAt(idIn(made))).isEqualTo("Observed");
        assertThat(responder.grid.at("fzj").held()).isEqualTo(held);
    }

    @Test
    void onesOwnOfferIsNoCounterOffer() throws Exception {
        var counter = negotiate(initiate(""), ROOT, "Solicited", 2, "");
        String mine = text(counter, "CounterOfferTo");
        counter.setAttributeNS(XmlNames.NEGOTIATION, "n:OfferId", mine);

        assertThat(create(counter, "mine", "NegotiationExtension", "")).contains("is not the counter offer");
    }

    @Test
    void whatIsNotTheCounterOfferIsRefused() throws Exception {
        var counter = negotiate(initiate(""), ROOT, "Solicited", 2, "");
        XmlTrees.descendants(counter, XmlNames.WSAG, "Terms").forEach(terms -> {
            var exact = terms.getElementsByTagNameNS(XmlNames.JSDL, "Exact").item(0);
            exact.setTextContent("3");
        });

        assertThat(create(counter, "changed", "NegotiationExtension", ""))
                .contains("OFFER_INVALID")
                .contains("its terms must be the same");
        assertThat(create(counter, "x", "NegotiationExtension", "").replace("urn:uuid", ""))
                .doesNotContain("CreatedAgreementEPR");
    }

    @Test
    void whatCannotBeHadIsARejectedCounterOfferAndADeadEnd() throws Exception {
        responder.grid.at("scai").busy(responder.grid.nowPlus("PT0S"), responder.grid.nowPlus("P8D"), 32);
        String negotiation = initiate("");

        for (var state : new String[] {"Advisory", "Solicited"}) {
            var counter = negotiate(negotiation, ROOT, state, 2, "");

            assertThat(stateOf(counter)).isEqualTo("Rejected");
            assertThat(text(counter, "Refusal")).contains("scai");
            assertValid(counter);
            var again =
                    negotiate(negotiation, counter.getAttributeNS(XmlNames.NEGOTIATION, "OfferId"), "Advisory", 2, "");
            assertThat(text(again, "Refusal")).contains("cannot be countered");
            assertThat(create(counter, "of-" + state, "NegotiationExtension", ""))
                    .contains("OFFER_INVALID", "it must not be rejected");
        }
        assertThat(text(negotiate(negotiation, "nothing", "Advisory", 2, ""), "Refusal"))
                .contains("not part of this negotiation");
        assertThat(text(negotiate(negotiation, ROOT, "Solicited", 65, ""), "Refusal"))
                .contains("must be at most 64");
        assertThat(responder.grid.heldEverywhere()).isZero();
    }

    @Test
    void theEndOfANegotiationGivesBackWhatItHolds() throws Exception {
        String first = initiate("");
        var counter = negotiate(first, ROOT, "Solicited", 2, "");
        negotiateMessage(first, counter.getAttributeNS(XmlNames.NEGOTIATION, "OfferId"), "Rejected", 2, "");
        assertThat(responder.grid.heldEverywhere()).isZero();

        String second = initiate("");
        negotiate(second, ROOT, "Solicited", 2, "");
        post("Negotiation/" + second, "<n:TerminateInput xmlns:n='" + XmlNames.NEGOTIATION + "'/>");

        assertThat(responder.grid.heldEverywhere()).isZero();
        assertThat(negotiateMessage(second, ROOT, "Advisory", 2, "")).contains("NEGOTIATION_UNKNOWN");
    }

    @Test
    void aRunningAgreementIsReplacedByALargerOne() throws Exception {
        String old = idIn(responder
                .post("AgreementFactory", WsagServer.golden("create-agreement.soap12.xml"))
                .body());
        var counter = negotiate(initiate(old), ROOT, "Solicited", 8, "");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(4);

        String made = create(counter, "larger", "RenegotiationExtension", old);

        assertThat(stateAt(idIn(made))).isEqualTo("Observed");
        assertThat(stateAt(old)).isEqualTo("Terminated");
        assertThat(responder.grid.at("fzj").held())
                .singleElement()
                .satisfies(r -> assertThat(r.granted().amount()).isEqualTo(8));
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
    }

    @Test
    void aReplacementThatCannotBeHadLeavesTheOldOneAlone() throws Exception {
        String old = idIn(responder
                .post("AgreementFactory", WsagServer.golden("create-agreement.soap12.xml"))
                .body());
        responder.grid.at("fzj").busy(responder.grid.nowPlus("PT0S"), responder.grid.nowPlus("P8D"), 60);

        var counter = negotiate(initiate(old), ROOT, "Solicited", 8, "");

        assertThat(stateOf(counter)).isEqualTo("Rejected");
        assertThat(stateAt(old)).isEqualTo("Observed");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
        assertThat(post("NegotiationFactory", initiateBody("ag-not-there"))).contains("AGREEMENT_UNKNOWN");
    }

    @Test
    void showsItsContextItsTemplatesAndItsOffers() throws Exception {
        String negotiation = initiate("");
        negotiate(negotiation, ROOT, "Advisory", 2, "");

        var document = XmlTrees.parse(
                        "answer",
                        post(
                                "Negotiation/" + negotiation,
                                "<rp:GetResourcePropertyDocument xmlns:rp='" + XmlNames.PROPERTIES + "'/>"))
                .getDocumentElement()
                .getElementsByTagNameNS(XmlNames.NEGOTIATION, "NegotiationProperties")
                .item(0);

        assertThat(XmlTrees.children(document).stream().map(Element::getLocalName))
                .containsExactly("NegotiationContext", "NegotiableTemplate", "NegotiationOffer", "NegotiationOffer");
        assertValid((Element) document);
    }

    /** By our schemas; {@link EmittedMessages} has the published ones. */
    private static void assertValid(Element root) {
        assertThat(new OfferSchema().examine(root).complaints()).isEmpty();
    }

    private String initiate(String replaced) throws Exception {
        var answer = post("NegotiationFactory", initiateBody(replaced));
        var found = Pattern.compile("services/Negotiation/([a-z0-9-]+)<").matcher(answer);
        assertThat(found.find()).as(answer).isTrue();
        return found.group(1);
    }

    static String initiateBody(String replaced) {
        String type = replaced.isEmpty()
                ? "<n:Negotiation/>"
                : "<n:Renegotiation>" + agreement(replaced) + "</n:Renegotiation>";
        return "<n:InitiateNegotiationInput xmlns:n='" + XmlNames.NEGOTIATION
                + "'><n:NegotiationContext><n:NegotiationType>"
                + type + "</n:NegotiationType><n:AgreementResponder>NegotiationResponder</n:AgreementResponder>"
                + "</n:NegotiationContext></n:InitiateNegotiationInput>";
    }

    private static String agreement(String id) {
        return "<n:ResponderAgreementEPR><a:Address xmlns:a='" + XmlNames.ADDRESSING + "'>http://x/services/Agreement/"
                + id + "</a:Address></n:ResponderAgreementEPR>";
    }

    private Element negotiate(String negotiation, String parent, String state, int nodes, String until)
            throws Exception {
        var answer = negotiateMessage(negotiation, parent, state, nodes, until);
        var found = XmlTrees.parse("answer", answer)
                .getDocumentElement()
                .getElementsByTagNameNS(XmlNames.NEGOTIATION, "NegotiationCounterOffer");
        assertThat(found.getLength()).as(answer).isEqualTo(1);
        var document = XmlTrees.newDocument();
        return XmlTrees.adopt(document, (Element) found.item(0));
    }

    private String negotiateMessage(String negotiation, String parent, String state, int nodes, String until)
            throws Exception {
        return negotiateMessage(negotiation, offer(parent, state, nodes, until));
    }

    static String offer(String parent, String state, int nodes, String until) throws Exception {
        var offer = XmlTrees.parse("golden", WsagServer.golden("create-agreement.soap12.xml"))
                .getElementsByTagNameNS(XmlNames.WSAG, "AgreementOffer")
                .item(0);
        var content = new StringBuilder();
        XmlTrees.children(offer)
                .forEach(e -> content.append(XmlTrees.print(XmlTrees.adopt(XmlTrees.newDocument(), e))));
        return "<n:NegotiationOffer>"
                + content.toString().replace("Exact>2<", "Exact>" + nodes + "<")
                + "<n:NegotiationOfferContext><n:CounterOfferTo>" + parent + "</n:CounterOfferTo>"
                + (until.isEmpty() ? "" : "<n:ExpirationTime>" + until + "</n:ExpirationTime>")
                + "<n:Creator>NegotiationInitiator</n:Creator><n:State><n:" + state
                + "/></n:State></n:NegotiationOfferContext><n:NegotiationConstraints/></n:NegotiationOffer>";
    }

    private String negotiateMessage(String negotiation, String offers) throws Exception {
        return post(
                "Negotiation/" + negotiation,
                "<n:NegotiateInput xmlns:n='" + XmlNames.NEGOTIATION + "'>" + offers + "</n:NegotiateInput>");
    }

    private String create(Element counter, String id, String extension, String replaced) throws Exception {
        return post("AgreementFactory", createBody("CreateAgreement", counter, id, extension, replaced));
    }

    static String createBody(String operation, Element counter, String id, String extension, String replaced) {
        var content = new StringBuilder();
        XmlTrees.children(counter).stream()
                .filter(e -> XmlNames.WSAG.equals(e.getNamespaceURI()))
                .forEach(e -> content.append(XmlTrees.print(XmlTrees.adopt(XmlTrees.newDocument(), e))));
        return "<w:" + operation + "Input xmlns:w='" + XmlNames.WSAG + "' xmlns:n='" + XmlNames.NEGOTIATION
                + "'><w:AgreementOffer w:AgreementId='" + id + "'>" + content + "</w:AgreementOffer><n:"
                + extension
                + ">"
                + (replaced.isEmpty()
                        ? ""
                        : "<n:ResponderNegotiationEPR><a:Address xmlns:a='" + XmlNames.ADDRESSING
                                + "'>http://x/</a:Address></n:ResponderNegotiationEPR>" + agreement(replaced))
                + "<n:NegotiationOfferContext><n:CounterOfferTo>"
                + counter.getAttributeNS(XmlNames.NEGOTIATION, "OfferId")
                + "</n:CounterOfferTo><n:Creator>NegotiationInitiator</n:Creator><n:State><n:Acceptable/></n:State>"
                + "</n:NegotiationOfferContext></n:" + extension + "></w:" + operation + "Input>";
    }

    private String stateAt(String agreement) throws Exception {
        return text(
                XmlTrees.parse(
                                "answer",
                                responder
                                        .post(
                                                "Agreement/" + agreement,
                                                AgreementOverTheWireTest.property("wsag:AgreementState"))
                                        .body())
                        .getDocumentElement(),
                "State");
    }

    private String post(String service, String body) throws Exception {
        return send(responder, service, body);
    }

    private static String send(WsagServer server, String service, String body) throws Exception {
        return server.post(
                        service,
                        "<s:Envelope xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Body>" + body
                                + "</s:Body></s:Envelope>")
                .body();
    }

    private static String stateOf(Element counter) {
        var state =
                counter.getElementsByTagNameNS(XmlNames.NEGOTIATION, "State").item(0);
        return XmlTrees.children(state).get(0).getLocalName();
    }

    private static String text(Element root, String name) {
        var found = root.getElementsByTagNameNS("*", name);
        return found.getLength() == 0 ? "" : found.item(0).getTextContent();
    }

    private static String idIn(String answer) {
        var found = Pattern.compile("services/Agreement/([a-z0-9-]+)<").matcher(answer);
        assertThat(found.find()).as(answer).isTrue();
        return found.group(1);
    }
}
