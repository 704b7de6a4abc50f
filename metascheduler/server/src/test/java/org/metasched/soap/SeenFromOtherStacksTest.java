package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.client.xml.XmlNames;

/** What clients of other makes met, as the messages that they send: each was answered wrongly once. */
class SeenFromOtherStacksTest {

    private static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
    private static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
    private static final String WSA = "http://www.w3.org/2005/08/addressing";
    private static final String RP = "http://docs.oasis-open.org/wsrf/rp-2";
    private static final String GET =
            "http://docs.oasis-open.org/wsrf/rpw-2/GetResourceProperty/GetResourcePropertyRequest";

    private static WsagServer responder;

    @BeforeAll
    static void serve() {
        responder = new WsagServer();
    }

    @AfterAll
    static void stop() {
        responder.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"AgreementFactory", "Agreement", "NegotiationFactory", "Negotiation", "Agreement"})
    void theWsdlOfAnAddressHasItsServiceAndNoOther(String service) throws Exception {
        responder.get("/services/Agreement/ag-of-another?wsdl");
        var wsdl = responder.get("/services/" + service + "?wsdl");
        var ports = Pattern.compile("address location=\"([^\"]+)\"").matcher(wsdl);

        assertThat(wsdl.split("<wsdl:service ", -1)).hasSize(2);
        int count = 0;
        while (ports.find()) {
            count++;
            assertThat(ports.group(1)).isEqualTo(responder.server.base() + "/services/" + service);
            String name = ports.group(1).substring(ports.group(1).lastIndexOf('/') + 1);
            var answer = responder.post(name, envelope(SOAP_12, "", get("wsag:Nonsense")));
            assertThat(answer.body())
                    .as(ports.group(1))
                    .containsAnyOf(
                            "InvalidResourcePropertyQNameFault",
                            "AGREEMENT_UNKNOWN",
                            "NEGOTIATION_UNKNOWN",
                            "MESSAGE_INVALID");
        }
        assertThat(count).isEqualTo(2);
    }

    @Test
    void anAgreementShowsAWsdlThatLeadsToItself() throws Exception {
        String address = "/services/Agreement/" + created("own-wsdl");

        assertThat(responder.get(address + "?wsdl")).contains("location=\"" + responder.server.base() + address + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"wsag:Template", "Template", "tns:Template", "q0:Template"})
    void aPropertyNameWithAnUnboundPrefixIsFoundByItsLocalName(String name) throws Exception {
        var body = "<rp:GetResourceProperty xmlns:rp=\"" + RP + "\">" + name + "</rp:GetResourceProperty>";

        var answer = responder.post("AgreementFactory", envelope(SOAP_11, "", body), "text/xml");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("CreationConstraints");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Envelope", "Body"})
    void prefixesThatAreDeclaredAroundTheContentHaveAMeaningInItsTexts(String where) throws Exception {
        String declared = " xmlns:zz=\"" + XmlNames.WSAG + "\" xmlns:yy=\"" + XmlNames.JSDL + "\""
                + " xmlns:xs=\"http://www.w3.org/2001/XMLSchema\"";
        var query = envelope(
                SOAP_12,
                "",
                "<rp:QueryResourceProperties xmlns:rp=\"" + RP + "\"><rp:QueryExpression"
                        + " Dialect=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">count(//zz:TemplateName)"
                        + "</rp:QueryExpression></rp:QueryResourceProperties>");
        assertThat(responder
                        .post("AgreementFactory", declaring(where, declared, query))
                        .body())
                .containsPattern("Value[^>]*>1<");

        var typed = WsagServer.golden("create-agreement.soap12.xml")
                .replace("meta-job-17", "around-" + where)
                .replace(
                        "<jsdl:Exact>",
                        "<jsdl:Exact xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:type=\"yy:Exact_Type\">")
                .replace(
                        "</wsag:All>",
                        "<wsag:ServiceProperties wsag:Name=\"P\" wsag:ServiceName=\"META-JOB\"><wsag:VariableSet><wsag:Variable"
                                + " wsag:Name=\"Wanted\" wsag:Metric=\"xs:integer\"><wsag:Location>//yy:Exact</wsag:Location>"
                                + "</wsag:Variable></wsag:VariableSet></wsag:ServiceProperties><wsag:GuaranteeTerm"
                                + " wsag:Name=\"OWN\"><wsag:ServiceLevelObjective><wsag:CustomServiceLevel>Nodes &gt;= Wanted"
                                + "</wsag:CustomServiceLevel></wsag:ServiceLevelObjective><wsag:BusinessValueList/>"
                                + "</wsag:GuaranteeTerm></wsag:All>");
        assertThat(responder
                        .post("AgreementFactory", declaring(where, declared, typed))
                        .body())
                .contains("services/Agreement/ag-");
    }

    @Test
    void theHourTwentyFourIsTheNextDay() throws Exception {
        var offer = WsagServer.golden("create-agreement.soap12.xml").replace("meta-job-17", "midnight");

        var day = responder.post("AgreementFactory", offer.replace("2026-01-05T20:00:00Z", "2026-01-05T24:00:00Z"));
        assertThat(day.body()).contains("services/Agreement/ag-");
        var none = responder.post("AgreementFactory", offer.replace("2026-01-05T20:00:00Z", "2026-01-05T24:00:01Z"));
        assertThat(none.body()).contains("OFFER_INVALID");
    }

    @Test
    void noFaultNamesAClass() throws Exception {
        var typed = WsagServer.golden("create-agreement.soap12.xml")
                .replace(
                        "<wsag:AgreementOffer ",
                        "<wsag:AgreementOffer xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:type=\"wsag:TerminateInputType\" ");
        var answer = responder.post("AgreementFactory", typed);
        assertThat(answer.body()).contains("MESSAGE_INVALID", "xsi:type").doesNotContain("org.metasched", "java.");

        var destroy = responder.post(
                "Negotiation", envelope(SOAP_12, "", "<d:Destroy xmlns:d=\"http://docs.oasis-open.org/wsrf/rl-2\"/>"));
        assertSender(destroy);
        assertThat(destroy.body())
                .contains(
                        "MESSAGE_INVALID", "no operation for the element {http://docs.oasis-open.org/wsrf/rl-2}Destroy")
                .doesNotContain("Message part");
    }

    private static String declaring(String where, String declarations, String message) {
        return message.replaceFirst("<s:" + where, "<s:" + where + declarations);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x:Nonsense", "wsag:Nonsense", "a b", "Nonsense"})
    void aPropertyNameThatNamesNothingIsTheSendersMistake(String name) throws Exception {
        var body = "<rp:GetResourceProperty xmlns:rp=\"" + RP + "\">" + name + "</rp:GetResourceProperty>";

        var answer = responder.post("AgreementFactory", envelope(SOAP_12, "", body));

        assertSender(answer);
        assertThat(answer.body()).contains("PROPERTY_UNKNOWN");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CreateAgreementRequest", "CreatePendingAgreementRequest", "TerminateRequest"})
    void anEmptyBodyIsTheSendersMistakeWhateverItsAction(String operation) throws Exception {
        String action = XmlNames.WSAG + "/" + operation;
        String service = operation.startsWith("Create") ? "AgreementFactory" : "Agreement/" + created("empty-body");

        var twelve = responder.post(
                service, envelope(SOAP_12, "", ""), "application/soap+xml; charset=utf-8; action=\"" + action + "\"");

        assertSender(twelve);
        assertThat(twelve.body()).contains("MESSAGE_INVALID").contains("Body");
    }

    @Test
    void mistakesOfTheSenderSaySoInBothVersions() throws Exception {
        var request = WsagServer.golden("create-agreement.soap12.xml")
                .replace(">fzj<", ">nowhere<")
                .replace("meta-job-17", "not-there");

        var twelve = responder.post("AgreementFactory", request);
        var eleven = responder.post(
                "AgreementFactory",
                request.replace(SOAP_12, SOAP_11).replaceFirst("(?s)<s:Header>.*</s:Header>", ""),
                "text/xml");

        assertSender(twelve);
        assertThat(twelve.body()).contains("SITE_UNKNOWN");
        // SOAP 1.1 sends every fault with 500 (section 6.2).
        assertThat(eleven.statusCode()).isEqualTo(500);
        assertThat(eleven.body()).containsPattern("<faultcode>[^<]*:Client</faultcode>");
    }

    @Test
    void aRefusalThatMayEndOtherwiseLaterIsTheReceivers() throws Exception {
        var request = WsagServer.golden("create-agreement.soap12.xml")
                .replace("<jsdl:Exact>2<", "<jsdl:Exact>64<")
                .replace("<t:Duration>60<", "<t:Duration>600<")
                .replace("meta-job-17", "no-room");
        responder.post("AgreementFactory", request);

        var second = responder.post("AgreementFactory", request.replace("no-room", "no-room-2"));

        assertThat(second.statusCode()).as(second.body()).isEqualTo(500);
        assertThat(second.body()).contains(":Receiver<").contains("NO_COMMON_SLOT");
    }

    @Test
    void anActionOfAnotherOperationIsRefused() throws Exception {
        var answer = responder.post(
                "AgreementFactory",
                WsagServer.golden("create-agreement.soap12.xml")
                        .replace("/CreateAgreementRequest", "/TerminateRequest")
                        .replace("meta-job-17", "other-action"));

        assertSender(answer);
        assertThat(answer.body()).contains("ActionNotSupported").contains("TerminateRequest");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://elsewhere.example.org/services/AgreementFactory",
                "urn:x",
                "http://127.0.0.1:9/services/AgreementFactory",
                "HERE/services/Agreement"
            })
    void aMessageToAnotherIsRefused(String to) throws Exception {
        String address = to.replace("HERE", responder.server.base().toString());
        var answer =
                responder.post("AgreementFactory", envelope(SOAP_12, addressed(GET, address), get("wsag:Template")));

        assertSender(answer);
        assertThat(answer.body()).contains("DestinationUnreachable").contains(address);
    }

    @Test
    void aMessageToAnyNameByWhichTheServerIsCalledIsTaken() throws Exception {
        var here = URI.create(
                responder.server.service("AgreementFactory").toString().replace("127.0.0.1", "localhost"));
        var message = envelope(SOAP_12, addressed(GET, here.toString()), get("wsag:Template"));
        var answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(here)
                                .header("Content-Type", "application/soap+xml; charset=utf-8")
                                .POST(HttpRequest.BodyPublishers.ofString(message))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void aMessageToUsIsTaken() throws Exception {
        var here = responder.server.service("AgreementFactory").toString();
        for (var to : new String[] {here, WSA + "/anonymous", here.replace("http:", "https:")}) {
            var answer =
                    responder.post("AgreementFactory", envelope(SOAP_12, addressed(GET, to), get("wsag:Template")));

            assertThat(answer.statusCode()).as(to + answer.body()).isEqualTo(200);
        }
    }

    @Test
    void aTerminatedAgreementHoldsNothing() throws Exception {
        var id = created("to-be-ended");
        responder.post(
                "Agreement/" + id,
                envelope(
                        SOAP_12,
                        "",
                        "<w:TerminateInput xmlns:w=\"" + XmlNames.WSAG + "\"><w:Reason/></w:TerminateInput>"));

        var answer = responder.post(
                "Agreement/" + id, envelope(SOAP_12, "", "<rp:GetResourcePropertyDocument xmlns:rp=\"" + RP + "\"/>"));

        assertThat(answer.body())
                .contains(">Terminated<")
                .contains("state=\"CANCELLED\"")
                .doesNotContain("RESERVED");
    }

    @Test
    void whatTheSchemaForbidsIsSaidWithItsPlace() throws Exception {
        var request = WsagServer.golden("create-agreement.soap12.xml")
                .replace("meta-job-17", "misspelt")
                .replace("<jsdl:Exact>2<", "<jsdl:Exact>two<")
                .replace("LowerBoundedRange>", "LowerBound>");

        var answer = responder.post("AgreementFactory", request);

        assertSender(answer);
        assertThat(answer.body())
                .contains("OFFER_INVALID")
                .contains("/AgreementOffer/Terms/All/ServiceDescriptionTerm[WATER]/JobDefinition/JobDescription"
                        + "/Resources/TotalResourceCount/Exact: the value (two) must be of the type double.")
                .contains("ServiceDescriptionTerm[GROUND]/Resources/TotalResourceCount")
                .contains("the element LowerBound")
                .doesNotContain("{\"http");
    }

    @Test
    void anUnknownHostInOneBranchTakesThatBranchOut() throws Exception {
        var answer =
                responder.post("AgreementFactory", choice("nowhere", "scai").replace("meta-job-17", "one-branch"));
        var none =
                responder.post("AgreementFactory", choice("nowhere", "nobody").replace("meta-job-17", "no-branch"));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertSender(none);
        assertThat(none.body()).contains("SITE_UNKNOWN").contains("(nowhere)").contains("(nobody)");
    }

    @Test
    void theTemplateSaysHowManyNodesEachSiteHas() throws Exception {
        var template = responder
                .post("AgreementFactory", envelope(SOAP_12, "", get("wsag:Template")))
                .body();

        assertThat(template).doesNotContain("10000000").contains("value=\"64\"").contains("value=\"32\"");
    }

    private static String choice(String first, String second) throws Exception {
        String term = "<wsag:ServiceDescriptionTerm wsag:Name=\"%s\" wsag:ServiceName=\"META-JOB\"><jsdl:Resources>"
                + "<jsdl:CandidateHosts><jsdl:HostName>%s</jsdl:HostName></jsdl:CandidateHosts>"
                + "<jsdl:TotalResourceCount><jsdl:Exact>1</jsdl:Exact></jsdl:TotalResourceCount>"
                + "</jsdl:Resources></wsag:ServiceDescriptionTerm>";
        return WsagServer.golden("create-agreement.soap12.xml")
                .replace(
                        "</wsag:All>",
                        "<wsag:ExactlyOne>" + term.formatted("ONE", first) + term.formatted("TWO", second)
                                + "</wsag:ExactlyOne></wsag:All>");
    }

    /** Nobody chooses sites here: an offer that passes the template is refused for that. */
    @Test
    void aTotalThatSeveralSitesMayServeIsBoundedByAllOfThem() throws Exception {
        String split = WsagServer.golden("create-agreement.soap12.xml")
                .replaceFirst("<jsdl:CandidateHosts>.*</jsdl:CandidateHosts>", "")
                .replace(
                        "Exact>2</jsdl:Exact></jsdl:TotalResourceCount>",
                        "Exact>96</jsdl:Exact></jsdl:TotalResourceCount>" + "<m:Split xmlns:m='" + XmlNames.METASCHED
                                + "'/>");

        assertThat(responder.post("AgreementFactory", split).body()).contains("NO_MATCHING_SITE");
        assertThat(responder
                        .post("AgreementFactory", split.replace(">96<", ">97<"))
                        .body())
                .contains("OFFER_INVALID", "item Nodes of several sites", "the value (97) must be at most 96");
    }

    private static void assertSender(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).containsPattern("Value>[^<]*:Sender<").doesNotContain("SERVICE_FAILED");
    }

    private static String created(String agreementId) throws Exception {
        var answer = responder.post(
                "AgreementFactory",
                WsagServer.golden("create-agreement.soap12.xml").replace("meta-job-17", agreementId));
        var found = Pattern.compile("services/Agreement/([a-z0-9-]+)<").matcher(answer.body());
        assertThat(found.find()).as(answer.body()).isTrue();
        return found.group(1);
    }

    private static String get(String property) {
        return "<rp:GetResourceProperty xmlns:rp=\"" + RP + "\" xmlns:wsag=\"" + XmlNames.WSAG + "\">" + property
                + "</rp:GetResourceProperty>";
    }

    private static String addressed(String action, String to) {
        return "<a:Action xmlns:a=\"" + WSA + "\">" + action + "</a:Action><a:To xmlns:a=\"" + WSA + "\">" + to
                + "</a:To><a:MessageID xmlns:a=\"" + WSA + "\">urn:uuid:77</a:MessageID>";
    }

    private static String envelope(String version, String header, String body) {
        return "<s:Envelope xmlns:s=\"" + version + "\"><s:Header>" + header + "</s:Header><s:Body>" + body
                + "</s:Body></s:Envelope>";
    }
}
