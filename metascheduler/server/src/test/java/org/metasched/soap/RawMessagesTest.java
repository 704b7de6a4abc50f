package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/** The services as strangers see them: messages written by hand, good and bad, in both versions of SOAP. */
class RawMessagesTest {

    private static final Pattern AGREEMENT = Pattern.compile("services/Agreement/([a-z0-9-]+)<");

    private static WsagServer responder;

    @BeforeAll
    static void serve() {
        responder = new WsagServer();
    }

    @AfterAll
    static void stop() {
        responder.close();
    }

    @Test
    void answersAGoldenRequestWithTheGoldenResponse() throws Exception {
        var answer = responder.post("AgreementFactory", WsagServer.golden("create-agreement.soap12.xml"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertGolden("create-agreement-response.soap12.xml", answer.body());
        assertGolden(
                "agreement-properties.soap12.xml",
                responder
                        .post("Agreement/" + idIn(answer.body()), documentRequest(""))
                        .body());
    }

    /** The message ends where XML says, not where its body does, and nothing in it is passed over. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "</s:Body>",
                "</s:Body></s:Envelope>x",
                "</s:Body></s:Envelope><x/>",
                "</s:Body></x:Envelope>",
                "</s:Body><s:Other></s:Envelope>",
                "</s:Body>&x;</s:Envelope>",
                "</s:Body><s:Body/></s:Envelope>",
                "</s:Body><x xmlns='urn:x'/></s:Envelope>",
                "<x xmlns='urn:x'/></s:Body></s:Envelope>"
            })
    void refusesAMessageThatDoesNotEndBehindItsBody(String end) throws Exception {
        var request = WsagServer.golden("create-agreement.soap12.xml").replace("meta-job-17", "odd-end");
        var last = Pattern.compile("</s:Body>\\s*</s:Envelope>\\s*$").matcher(request);
        assertThat(last.find()).isTrue();

        var answer = responder.post("AgreementFactory", request.substring(0, last.start()) + end);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("MESSAGE_INVALID");
    }

    @Test
    void speaksSoapElevenAtTheSameAddress() throws Exception {
        var request = WsagServer.golden("create-agreement.soap12.xml")
                .replace("http://www.w3.org/2003/05/soap-envelope", "http://schemas.xmlsoap.org/soap/envelope/")
                .replaceFirst("(?s)<s:Header>.*</s:Header>", "")
                .replace("meta-job-17", "soap-eleven");

        var answer = responder.post("AgreementFactory", request, "text/xml; charset=utf-8");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body())
                .contains("http://schemas.xmlsoap.org/soap/envelope/")
                .contains("CreatedAgreementEPR");
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).startsWith("text/xml");
    }

    @Test
    void takesTheMessageIdWhereAnOfferHasNoIdOfItsOwn() throws Exception {
        var request = WsagServer.golden("create-agreement.soap12.xml")
                .replace(" wsag:AgreementId=\"meta-job-17\"", "")
                .replace("urn:uuid:0001", "urn:uuid:0002");

        var first = responder.post("AgreementFactory", request).body();
        var second = responder.post("AgreementFactory", request).body();

        assertThat(idIn(second)).isEqualTo(idIn(first));
    }

    @Test
    void findsAnAgreementByItsReferenceParameterToo() throws Exception {
        var id = idIn(responder
                .post(
                        "AgreementFactory",
                        WsagServer.golden("create-agreement.soap12.xml").replace("meta-job-17", "by-parameter"))
                .body());

        var answer = responder.post(
                "Agreement",
                documentRequest("<s:Header><ms:ResourceId xmlns:ms=\"urn:metasched:agreement:1\" "
                        + "xmlns:wsa=\"http://www.w3.org/2005/08/addressing\" wsa:IsReferenceParameter=\"true\">" + id
                        + "</ms:ResourceId></s:Header>"));

        assertThat(answer.body()).contains("<wsag:AgreementId>" + id + "<");
    }

    @Test
    void refusesACriticalExtensionThatItDoesNotKnow() throws Exception {
        int held = responder.grid.heldEverywhere();
        var request = WsagServer.golden("create-agreement.soap12.xml")
                .replace("meta-job-17", "critical")
                .replace(
                        "</wsag:CreateAgreementInput>",
                        "<x:MustPayFirst xmlns:x=\"urn:x\"/></wsag:CreateAgreementInput>");

        var answer = responder.post("AgreementFactory", request);

        assertThat(answer.body())
                .contains("EXTENSION_NOT_UNDERSTOOD")
                .contains("MustPayFirst")
                .contains("ContinuingFault");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(held);
    }

    @Test
    void passesOverAnExtensionThatIsNotCritical() throws Exception {
        var request = WsagServer.golden("create-agreement.soap12.xml")
                .replace("meta-job-17", "noncritical")
                .replace(
                        "</wsag:CreateAgreementInput>",
                        "<wsag:NoncriticalExtension><x:Hint xmlns:x=\"urn:x\"/></wsag:NoncriticalExtension></wsag:CreateAgreementInput>");

        assertThat(responder.post("AgreementFactory", request).statusCode()).isEqualTo(200);
    }

    @Test
    void sendsNoAnswerToAnAddressThatTheCallerNames() throws Exception {
        var request = WsagServer.golden("create-agreement.soap12.xml")
                .replace("meta-job-17", "decoupled")
                .replace("http://www.w3.org/2005/08/addressing/anonymous", "http://127.0.0.1:9/elsewhere");

        var answer = responder.post("AgreementFactory", request);

        assertThat(answer.statusCode()).as(answer.body()).isIn(400, 500);
        assertThat(answer.body()).contains("OnlyAnonymousAddressSupported");
    }

    @Test
    void showsTemplatesAsAResourceProperty() throws Exception {
        var answer = responder.post("AgreementFactory", AgreementOverTheWireTest.property("wsag:Template"));

        assertThat(answer.body())
                .contains("wsag:Template ")
                .contains("CreationConstraints")
                .contains(">fzj<");
    }

    @Test
    void readsAPropertyNameWhoseNamespaceIsDeclaredAtTheEnvelope() throws Exception {
        var answer = responder.post("AgreementFactory", AgreementOverTheWireTest.property("wsag:Nonsense"));

        assertThat(answer.body())
                .contains("InvalidResourcePropertyQNameFault")
                .contains("{" + XmlNames.WSAG + "}Nonsense");
    }

    @Test
    void takesAnEmptyTerminateInput() throws Exception {
        var id = idIn(responder
                .post(
                        "AgreementFactory",
                        WsagServer.golden("create-agreement.soap12.xml").replace("meta-job-17", "to-end"))
                .body());

        var answer = responder.post(
                "Agreement/" + id,
                "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\"><s:Body><w:TerminateInput xmlns:w=\""
                        + XmlNames.WSAG + "\"/></s:Body></s:Envelope>");

        assertThat(answer.body()).contains("TerminateResponse");
    }

    @Test
    void showsItsWsdlWithItsOwnAddressInBothBindings() throws Exception {
        for (var service : new String[] {"AgreementFactory", "Agreement"}) {
            var wsdl = responder.get("/services/" + service + "?wsdl");

            var address = Pattern.compile("location=\"" + Pattern.quote(responder.server.service(service) + "\""));
            assertThat(address.matcher(wsdl).results().count()).as(wsdl).isEqualTo(2);
        }
    }

    @Test
    void answersWhatIsNotXmlWithAFaultAndACode() throws Exception {
        for (var body : new String[] {"", "<", "{}", "<s:Envelope xmlns:s=\"urn:wrong\"/>", "<a>&lol;</a>"}) {
            var answer = responder.post("AgreementFactory", body);

            assertThat(answer.statusCode()).as(body).isIn(400, 500);
            assertThat(answer.body()).as(body).contains("MESSAGE_INVALID").doesNotContain("\tat ");
        }
    }

    @Test
    void saysThatAMessageHasNoOperation() throws Exception {
        String envelope = "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\">%s</s:Envelope>";

        assertThat(responder
                        .post("AgreementFactory", envelope.formatted("<s:Body/>"))
                        .body())
                .contains("MESSAGE_INVALID: the message cannot be understood: its Body is empty");
        assertThat(responder
                        .post("AgreementFactory", envelope.formatted("<s:Body><a/></s:Body>"))
                        .body())
                .contains("this service has no operation for the element a.");
    }

    @Test
    void knowsNoEntitiesAndTakesNoBombs() throws Exception {
        var good = WsagServer.golden("create-agreement.soap12.xml").replaceFirst("<\\?xml.*\\?>\\s*", "");
        var stolen = "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" + good.replace("MetaTrace", "&e;");
        var bomb = "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
                + good.replace("MetaTrace", "&b;");

        assertThat(responder.post("AgreementFactory", stolen).body())
                .contains("MESSAGE_INVALID")
                .doesNotContain("root:");
        assertThat(responder.post("AgreementFactory", bomb).body())
                .contains("MESSAGE_INVALID")
                .doesNotContain("aaaaaaaaaaaa");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE s:Envelope>",
                "<?xml version=\"1.0\"?>\n<!-- first -->\n<!DOCTYPE s:Envelope SYSTEM \"x.dtd\">",
                "<!DOCTYPE s:Envelope [<!ENTITY x \"3\">]>",
                ""
            })
    void refusesADocumentTypeAndEntitiesThatAreNotXmls(String prolog) throws Exception {
        int held = responder.grid.heldEverywhere();
        var good = WsagServer.golden("create-agreement.soap12.xml")
                .replaceFirst("<\\?xml.*\\?>\\s*", "")
                .replace("meta-job-17", "entities");
        var soapEleven = good.replaceFirst("(?s)<s:Header>.*</s:Header>", "")
                .replace("http://www.w3.org/2003/05/soap-envelope", "http://schemas.xmlsoap.org/soap/envelope/");
        for (var message : prolog.isEmpty() ? List.<String>of() : List.of(good, soapEleven)) {
            refused(prolog + message, message.equals(good));
        }
        for (var message : List.of(good, soapEleven)) {
            refused(prolog + message.replace("<jsdl:Exact>2<", "<jsdl:Exact>2&x;3<"), message.equals(good));
            refused(prolog + message.replace("p:flow", "p:f&x;"), message.equals(good));
        }
        assertThat(responder.grid.heldEverywhere()).isEqualTo(held);
    }

    private static void refused(String message, boolean newer) throws Exception {
        var answer = responder.post(
                "AgreementFactory", message, newer ? "application/soap+xml; charset=utf-8" : "text/xml; charset=utf-8");

        assertThat(answer.body()).as(message).contains("MESSAGE_INVALID");
    }

    @Test
    void refusesABodyOfFiftyMegabytes() throws Exception {
        var address = responder.server.service("AgreementFactory");
        String head = "POST " + address.getPath() + " HTTP/1.1\r\nHost: " + address.getAuthority()
                + "\r\nContent-Type: application/soap+xml\r\nContent-Length: " + (50 << 20) + "\r\n\r\n";
        try (var socket = new Socket(address.getHost(), address.getPort())) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));

            // It is said by the head alone: what is sent after it may find the connection cut.
            var said = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(said.readLine()).startsWith("HTTP/1.1 413 ");
        }
    }

    private static String documentRequest(String header) {
        return "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\">" + header
                + "<s:Body><rp:GetResourcePropertyDocument xmlns:rp=\"http://docs.oasis-open.org/wsrf/rp-2\"/></s:Body></s:Envelope>";
    }

    private static String idIn(String response) {
        var matcher = AGREEMENT.matcher(response);
        assertThat(matcher.find()).as(response).isTrue();
        return matcher.group(1);
    }

    private static void assertGolden(String name, String body) throws Exception {
        var expected = outline(WsagServer.golden(name).replaceFirst("(?s)^<\\?xml.*?\\?>", ""));

        assertThat(outline(normalised(body))).as(body).isEqualTo(expected);
    }

    /** What differs between runs is replaced: the port, and random names. */
    private static String normalised(String body) {
        return body.replaceAll("127\\.0\\.0\\.1:\\d+", "HOST")
                .replaceAll("ag-[a-z0-9]{20}", "AGREEMENT")
                .replaceAll("(<ms:Reservation [^>]*)id=\"[^\"]*\"", "$1id=\"RESERVATION\"");
    }

    /** The body of a message, one line for each element, without regard to prefixes and white space between elements. */
    private static String outline(String message) {
        var envelope = XmlTrees.parse("message", message).getDocumentElement();
        var lines = new StringBuilder();
        XmlTrees.child(envelope, envelope.getNamespaceURI(), "Body")
                .ifPresent(body -> XmlTrees.children(body).forEach(e -> outline(e, "", lines)));
        return lines.toString();
    }

    private static void outline(Element element, String indent, StringBuilder lines) {
        lines.append(indent)
                .append('{')
                .append(element.getNamespaceURI())
                .append('}')
                .append(element.getLocalName());
        var attributes = new TreeMap<String, String>();
        for (int i = 0; i < element.getAttributes().getLength(); i++) {
            var attribute = element.getAttributes().item(i);
            if (!attribute.getNodeName().startsWith("xmlns")) {
                attributes.put(attribute.getLocalName(), attribute.getNodeValue());
            }
        }
        lines.append(attributes.isEmpty() ? "" : " " + attributes);
        var children = XmlTrees.children(element);
        lines.append(children.isEmpty() ? " " + element.getTextContent().strip() : "")
                .append('\n');
        children.forEach(c -> outline(c, indent + "  ", lines));
    }
}
