package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.client.xml.XmlNames;
import org.metasched.fakes.FakeSite.Mishap;

/**
 * WS-Agreement 1.0 (GFD.192), WS-Agreement Negotiation 1.0 (GFD.193) and WSRF 1.2 walked through over HTTP: each operation, each fault
 * and each transition, numbered by the clause it is about. It is 08:00; the offers are about an hour at two sites from 09:00.
 */
class ConformanceTest {

    static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
    private static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
    static final String RP = "xmlns:rp='http://docs.oasis-open.org/wsrf/rp-2' xmlns:w='" + XmlNames.WSAG
            + "' xmlns:sg='http://docs.oasis-open.org/wsrf/sg-2' xmlns:n='" + XmlNames.NEGOTIATION + "'";
    private static final String XPATH = "http://www.w3.org/TR/1999/REC-xpath-19991116";
    private static final String RL = "xmlns:rl='http://docs.oasis-open.org/wsrf/rl-2'";
    static final String TERMINATE =
            "<w:TerminateInput xmlns:w='" + XmlNames.WSAG + "'><x:Why xmlns:x='urn:x'/></w:TerminateInput>";

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

    /** For tests that move the clock, or whose sites misbehave. */
    private void alone() {
        responder = new WsagServer();
    }

    @Test
    @DisplayName("GFD.192 4.1 context: opaque parties and foreign content come back word for word")
    void context() throws Exception {
        var initiator = "<x:Person xmlns:x=\"urn:x\" x:role=\"x:boss\"><x:Name>Äbc</x:Name></x:Person>";
        String made = created(offer("c1").replace("CN=Alice,O=Grid", initiator));

        assertThat(document(made)).contains("role=\"x:boss\"", "<x:Name>Äbc</x:Name>", "unit=\"p:flow\"");
    }

    @ParameterizedTest(name = "GFD.192 4.1 context: {0} becomes {1}: {2}")
    @CsvSource(
            delimiter = '|',
            value = {
                "<wsag:ServiceProvider>AgreementResponder | <wsag:ServiceProvider>AgreementInitiator | OFFER_INVALID",
                "<wsag:TemplateId>1 | <wsag:TemplateId>9 | TEMPLATE_UNKNOWN",
                "<wsag:TemplateName>CO-ALLOCATION | <wsag:TemplateName>OTHER | TEMPLATE_UNKNOWN",
                "<wsag:TemplateId>1</wsag:TemplateId> | <!-- none --> | TEMPLATE_UNKNOWN",
                "<wsag:TemplateId>1 | <wsag:ExpirationTime>2026-01-05T07:00:00Z</wsag:ExpirationTime><wsag:TemplateId>1 | TOO_LATE",
                "<wsag:TemplateId>1 | <wsag:ExpirationTime>soon</wsag:ExpirationTime><wsag:TemplateId>1 | OFFER_INVALID"
            })
    void contextThatCannotBeKept(String from, String to, String code) throws Exception {
        int held = responder.grid.heldEverywhere();
        assertContinuing(post("AgreementFactory", offer("c2").replace(from, to)), code);
        assertThat(responder.grid.heldEverywhere()).isEqualTo(held);
    }

    @Test
    @DisplayName("GFD.192 4.2 terms: All, ExactlyOne and OneOrMore; what cannot be had leaves the choice")
    void termTree() throws Exception {
        var water = term(offer("t1"), "WATER");
        var chosen = offer("t1")
                .replace(
                        water,
                        "<wsag:ExactlyOne>" + water.replace(">fzj<", ">nowhere<") + water + "</wsag:ExactlyOne>");
        assertThat(document(created(chosen))).contains("site=\"fzj\"", ">nowhere<");
        var any = offer("t2").replace(water, "<wsag:OneOrMore>" + water + "</wsag:OneOrMore>");
        assertThat(post("AgreementFactory", any).statusCode()).isEqualTo(200);
        var deep = offer("t3").replace(water, "<wsag:All>".repeat(40) + water + "</wsag:All>".repeat(40));
        assertContinuing(post("AgreementFactory", deep), "OFFER_INVALID");
        assertContinuing(
                post("AgreementFactory", offer("t4").replaceAll("(?s)<wsag:All>.*</wsag:All>", "")), "OFFER_INVALID");
    }

    @Test
    @DisplayName("GFD.192 4.2 OneOrMore grants as many terms as can be had")
    void oneOrMore() throws Exception {
        var water = term(offer("o1"), "WATER");
        var ground = term(offer("o1"), "GROUND");
        var any = offer("o1")
                .replace(ground, "")
                .replace(water, "<wsag:OneOrMore>" + water + ground + "</wsag:OneOrMore>");

        assertThat(document(created(any))).contains("site=\"fzj\"", "site=\"scai\"");
    }

    @Test
    @DisplayName(
            "GFD.192 4.2 ExactlyOne takes the first branch that can be had, also if it begins later or has more parts")
    void exactlyOneInDocumentOrder() throws Exception {
        var water = term(offer("order"), "WATER");
        var ground = term(offer("order"), "GROUND");
        var other = ground.replace("GROUND", "OTHER");
        var all = "<wsag:All>" + water + ground + "</wsag:All>";
        var choice = offer("order")
                .replace(ground, "")
                .replace(water, "<wsag:ExactlyOne>" + all + other + "</wsag:ExactlyOne>");
        responder.grid.at("fzj").busy(responder.grid.clock.instant(), responder.grid.nowPlus("PT3H"), 64);

        assertThat(document(created(choice))).contains("site=\"fzj\"", "site=\"scai\"", "11:00:00Z");
    }

    @Test
    @DisplayName(
            "GFD.192 4.2.4 a service reference without an address is answered with that of the service, others are refused")
    void references() throws Exception {
        alone();
        var open = XmlNames.ADDRESSING + "/anonymous";
        var reference =
                "<wsag:ServiceReference wsag:Name='R' wsag:ServiceName='META-JOB'><a:EndpointReference xmlns:a='"
                        + XmlNames.ADDRESSING + "'><a:Address>" + open
                        + "</a:Address></a:EndpointReference></wsag:ServiceReference>";
        for (var wrong : List.of(
                reference.replace(open, "http://x/"),
                reference.replace("META-JOB", "OTHER"),
                reference.replace("</a:Address>", "</a:Address><a:Metadata/>"))) {
            var refused = post("AgreementFactory", with(offer("r1"), wrong));
            assertContinuing(refused, "OFFER_INVALID");
            assertThat(refused.body()).contains("Term R: ");
        }
        assertThat(responder.grid.heldEverywhere()).isZero();

        String made = created(with(offer("r1"), reference));

        var state = get("Agreement/" + made, "w:ServiceTermState").replaceFirst("(?s).*termName=\"R\"", "");
        assertThat(state)
                .contains(":State>NotReady<", "/services/Agreement/" + made + "<", ":ResourceId", "site=\"fzj\"")
                .contains("site=\"scai\"");
        responder.grid.clock.advance(Duration.ofMinutes(61));
        responder.monitor.poll();
        assertThat(get("Agreement/" + made, "w:ServiceTermState"))
                .containsPattern("termName=\"R\"[^>]*><[^>]*State>Ready<");
    }

    @Test
    @DisplayName("GFD.192 4.2.6 service properties are kept")
    void serviceProperties() throws Exception {
        var properties = "<wsag:ServiceProperties wsag:Name='P' wsag:ServiceName='META-JOB'><wsag:VariableSet>"
                + "<wsag:Variable wsag:Name='n' wsag:Metric='xs:int'><wsag:Location>//x</wsag:Location></wsag:Variable>"
                + "</wsag:VariableSet></wsag:ServiceProperties>";
        assertThat(document(created(with(offer("r2"), properties)))).contains("ServiceProperties", ">//x<");
    }

    @Test
    @DisplayName("GFD.192 5 creation constraints: every failing item with its place, its value and what is allowed")
    void creationConstraints() throws Exception {
        var answer = post(
                "AgreementFactory",
                offer("k1").replace("<jsdl:Exact>2<", "<jsdl:Exact>65<").replace("<t:Duration>60<", "<t:Duration>0<"));

        assertContinuing(answer, "OFFER_INVALID");
        assertThat(answer.body())
                .contains("ServiceDescriptionTerm[WATER]", "65", "64")
                .contains("ServiceDescriptionTerm[WHEN]", "Duration");
    }

    @Test
    @DisplayName(
            "GFD.192 7.1 createAgreement: an EPR means Observed; a repeated offer finds the first, another of its name is refused")
    void createAgreement() throws Exception {
        int held = responder.grid.heldEverywhere();
        String made = created(offer("a1"));

        assertThat(stateOf(made)).isEqualTo("Observed");
        assertThat(created(offer("a1"))).isEqualTo(made);
        assertThat(responder.grid.heldEverywhere()).isEqualTo(held + 2);
        assertContinuing(
                post("AgreementFactory", offer("a1").replace("<t:Duration>60<", "<t:Duration>30<")),
                "AGREEMENT_ID_TAKEN");
    }

    @Test
    @DisplayName("GFD.192 7.1 createAgreement: a fault means that nothing exists")
    void refusedAgreement() throws Exception {
        alone();
        responder.grid.at("fzj").busy(responder.grid.nowPlus("PT0S"), responder.grid.nowPlus("P8D"), 64);

        assertContinuing(post("AgreementFactory", offer("a2")), "NO_COMMON_SLOT");
        assertThat(responder.grid.heldEverywhere()).isZero();
    }

    @Test
    @DisplayName("GFD.192 7.1 critical extensions are refused by name, others are passed over")
    void extensions() throws Exception {
        var critical = offer("e1")
                .replace("</wsag:CreateAgreementInput>", "<x:Pay xmlns:x='urn:x'/></wsag:CreateAgreementInput>");
        assertContinuing(post("AgreementFactory", critical), "EXTENSION_NOT_UNDERSTOOD");
        var other = offer("e2")
                .replace(
                        "</wsag:CreateAgreementInput>",
                        "<wsag:NoncriticalExtension><x:Pay xmlns:x='urn:x'/></wsag:NoncriticalExtension></wsag:CreateAgreementInput>");
        assertThat(post("AgreementFactory", other).statusCode()).isEqualTo(200);
    }

    @Test
    @DisplayName("GFD.192 8.1 createPendingAgreement, 10.1: Pending to Observed")
    void pendingToObserved() throws Exception {
        alone();
        responder.grid.at("fzj").next(Mishap.HANG);
        String made = created(pending("p1"));
        assertThat(stateOf(made)).isEqualTo("Pending");

        responder.grid.at("fzj").letGo();

        becomes(made, "Observed");
    }

    @Test
    @DisplayName("GFD.192 10.1: Pending to Rejected")
    void pendingToRejected() throws Exception {
        alone();
        responder.grid.at("scai").busy(responder.grid.nowPlus("PT0S"), responder.grid.nowPlus("P8D"), 32);
        String made = created(pending("p2"));

        becomes(made, "Rejected");
        assertThat(terminate(made).body()).contains("AGREEMENT_FINAL");
    }

    @Test
    @DisplayName("GFD.192 10.1: Pending to PendingAndTerminating, and from there to an end that holds nothing")
    void pendingAndTerminating() throws Exception {
        alone();
        responder.grid.at("fzj").next(Mishap.HANG);
        String made = created(pending("p3"));
        assertThat(terminate(made).statusCode()).isEqualTo(200);
        assertThat(stateOf(made)).isIn("PendingAndTerminating", "Rejected", "Terminated");

        responder.grid.at("fzj").letGo();

        Awaitility.await().until(() -> stateOf(made).matches("Rejected|Terminated"));
        Awaitility.await().until(() -> responder.grid.heldEverywhere() == 0);
    }

    @Test
    @DisplayName("GFD.192 9.1 terminate, 10.1: Observed to Terminated; in a final state a fault")
    void terminated() throws Exception {
        int held = responder.grid.heldEverywhere();
        String made = created(offer("x1"));

        assertThat(terminate(made).body()).contains("TerminateResponse");

        assertThat(stateOf(made)).isEqualTo("Terminated");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(held);
        assertContinuing(terminate(made), "AGREEMENT_FINAL");
    }

    @Test
    @DisplayName("GFD.192 10.1: ObservedAndTerminating while a site is silent, then Terminated")
    void observedAndTerminating() throws Exception {
        alone();
        String made = created(offer("x2"));
        responder.grid.at("scai").down(true);
        terminate(made);
        assertThat(stateOf(made)).isEqualTo("ObservedAndTerminating");

        responder.grid.at("scai").down(false);
        responder.monitor.poll();

        assertThat(stateOf(made)).isEqualTo("Terminated");
        assertThat(responder.grid.heldEverywhere()).isZero();
    }

    @Test
    @DisplayName(
            "GFD.192 10.1 Observed to Complete, 10.2 NotReady to Ready to Completed, 10.3 NotDetermined to Fulfilled to Violated and back")
    void wholeLife() throws Exception {
        alone();
        var promise = "<wsag:GuaranteeTerm wsag:Name='WHOLE'><wsag:ServiceLevelObjective><wsag:KPITarget>"
                + "<wsag:KPIName>ReservationKept</wsag:KPIName><wsag:CustomServiceLevel/></wsag:KPITarget>"
                + "</wsag:ServiceLevelObjective><wsag:BusinessValueList/></wsag:GuaranteeTerm>";
        String made = created(with(offer("l1"), promise));
        responder.monitor.poll();
        assertThat(states(made)).containsExactly("Observed", "NotDetermined", "NotReady", "NotReady", "NotReady");

        responder.grid.clock.advance(Duration.ofMinutes(61));
        responder.monitor.poll();
        assertThat(states(made)).containsExactly("Observed", "Fulfilled", "Ready", "Ready", "Ready");
        responder.grid.at("fzj").loseNodes("n1");
        responder.monitor.poll();
        assertThat(states(made)).startsWith("Observed", "Violated");
        responder.grid.at("fzj").loseNodes();
        responder.monitor.poll();
        assertThat(states(made)).startsWith("Observed", "Fulfilled");

        responder.grid.clock.advance(Duration.ofHours(1));
        responder.monitor.poll();
        assertThat(states(made)).containsExactly("Complete", "Fulfilled", "Completed", "Completed", "Completed");
    }

    @Test
    @DisplayName(
            "WS-ResourceProperties 5: one, several, the document; an unknown one is a fault, an agreement that is not there another")
    void properties() throws Exception {
        String made = created(offer("g1"));
        assertThat(get("Agreement/" + made, "w:AgreementState")).contains("offered=\"g1\"");
        assertThat(get("AgreementFactory", "w:Template")).contains("CreationConstraints");
        assertThat(get("Agreement/" + made, "w:AgreementState")).contains(">Observed<");
        assertThat(get("Agreement/" + made, "w:GuaranteeTermState")).doesNotContain("Fault");
        assertThat(send(
                                "Agreement/" + made,
                                "<rp:GetMultipleResourceProperties " + RP
                                        + "><rp:ResourceProperty>w:Name</rp:ResourceProperty>"
                                        + "<rp:ResourceProperty>w:AgreementId</rp:ResourceProperty></rp:GetMultipleResourceProperties>")
                        .body())
                .contains(">Meta job 17<", ">" + made + "<");
        assertThat(send(
                                "Agreement/" + made,
                                "<rp:GetMultipleResourceProperties " + RP + ">"
                                        + "<rp:ResourceProperty>w:Name</rp:ResourceProperty>".repeat(65)
                                        + "</rp:GetMultipleResourceProperties>")
                        .body())
                .contains("InvalidResourcePropertyQNameFault", "65 properties", "at most 64");
        assertThat(document(made)).contains("AgreementProperties", "ServiceTermState");
        assertThat(get("Agreement/" + made, "w:Nonsense")).contains("InvalidResourcePropertyQNameFault");
        assertThat(get("Agreement/ag-not-there", "w:Name")).contains("ResourceUnknownFault", "AGREEMENT_UNKNOWN");
        assertThat(terminate("ag-not-there").body()).contains("ResourceUnknownFault");
    }

    @ParameterizedTest(name = "WS-ResourceProperties 6 query: {0} is answered with {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "//w:ServiceTermState[@w:termName='WATER']/w:State | State>NotReady<",
                "wsag:Name | >Meta job 17<",
                "/*/wsag:AgreementState/wsag:State/text() | Observed",
                "//@wsag:Name | WATER",
                "count(//w:ServiceTermState) | 3",
                "boolean(/w:AgreementProperties/w:AgreementState[w:State='Observed']) | true",
                "string(//w:AgreementState/w:State) | Observed",
                "/w:AgreementProperties | AgreementProperties"
            })
    void queryThatIsAnswered(String expression, String answer) throws Exception {
        String made = created(offer("q1"));

        for (String version : List.of(SOAP_12, SOAP_11)) {
            var type = version.equals(SOAP_12) ? "application/soap+xml" : "text/xml";
            var said = responder.post(
                    "Agreement/" + made, envelope(version, "", query(XPATH, expression)), type + "; charset=utf-8");
            assertThat(said.statusCode()).as(said.body()).isEqualTo(200);
            assertThat(said.body()).contains("QueryResourcePropertiesResponse").containsPattern(answer);
        }
    }

    @ParameterizedTest(name = "WS-ResourceProperties 6 query: {1} in {0} is {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "http://www.w3.org/TR/xpath20/ | //a | UnknownQueryExpressionDialectFault",
                "'' | //a | UnknownQueryExpressionDialectFault",
                "XPATH | //a[ | InvalidQueryExpressionFault",
                "XPATH | $that | InvalidQueryExpressionFault",
                "XPATH | document('file:///etc/passwd') | InvalidQueryExpressionFault",
                "XPATH | java:java.lang.System.exit(1) | InvalidQueryExpressionFault",
                "XPATH | nowhere:a | InvalidQueryExpressionFault",
                "XPATH | LONG | InvalidQueryExpressionFault",
                "XPATH | (((((((((((((((((((((((((1))))))))))))))))))))))))) | InvalidQueryExpressionFault",
                "XPATH | //*[//*[//*[//*[//*]]]] | QueryEvaluationErrorFault",
                "XPATH | //*[../*[../*[../*=..]]] | QueryEvaluationErrorFault",
                "XPATH | count(//*//*//*//*//*//*) | QueryEvaluationErrorFault",
                "XPATH | translate(string(/*),string(/*),translate(string(/*),string(/*),'')) | QueryEvaluationErrorFault",
            })
    void queryThatIsNotAnswered(String dialect, String expression, String fault) throws Exception {
        String made = created(offer("q2"));

        var said = send(
                "Agreement/" + made,
                query(
                        dialect.equals("XPATH") ? XPATH : dialect.replace("'", ""),
                        expression.equals("LONG") ? "/a".repeat(501) : expression));

        assertThat(said.statusCode()).as(said.body()).isEqualTo(400);
        assertThat(said.body()).contains(":" + fault, ">QUERY_INVALID<");
    }

    @Test
    @DisplayName(
            "WS-ResourceProperties 6 query: the factory and a negotiation answer too; an agreement that is not there is a fault")
    void queryElsewhere() throws Exception {
        assertThat(send("AgreementFactory", query(XPATH, "//w:Template/w:Name")).body())
                .contains(">CO-ALLOCATION<");
        assertThat(send("Negotiation/" + initiated(), query(XPATH, "count(/*/*)"))
                        .body())
                .contains(">2<");
        assertThat(send("Agreement/ag-not-there", query(XPATH, "/*")).body()).contains("ResourceUnknownFault");
    }

    @Test
    @DisplayName("WS-ServiceGroup 4: the factory is the group of its agreements, each entry leads to one")
    void serviceGroup() throws Exception {
        String made = created(offer("sg1"));

        var entries = get("AgreementFactory", "sg:Entry");

        assertThat(entries)
                .contains("services/Agreement/" + made + "<", "nil=\"true\"")
                .containsPattern("Content[^>]*><[^>]*AgreementEntry[^>]*id=\"" + made + "\"");
        assertThat(get("AgreementFactory", "sg:MembershipContentRule"))
                .contains("MemberInterfaces=\"wsag:Agreement\"", "ContentElements=\"ms:AgreementEntry\"");
    }

    @Test
    @DisplayName("GFD.192 4.2.6 variables: an initiator's own names stand for what its offer says where they point")
    void variables() throws Exception {
        alone();
        var place = "declare namespace jsdl='" + XmlNames.JSDL + "';($this//jsdl:TotalResourceCount/jsdl:Exact)[1]";
        String kept = created(with(offer("v1"), variable("Wanted", place) + promise("Nodes >= Wanted")));
        String broken = created(with(offer("v2"), variable("Wanted", place) + promise("Nodes > 1000 * Wanted")));
        assertContinuing(
                post(
                        "AgreementFactory",
                        with(offer("v3"), variable("Wanted", "//nothing") + promise("Nodes > Wanted"))),
                "OFFER_INVALID");
        assertContinuing(
                post("AgreementFactory", with(offer("v4"), variable("Wanted", "//*[") + promise("Nodes > Wanted"))),
                "OFFER_INVALID");
        for (var name : List.of("Now", "parts")) {
            var shadowed = post("AgreementFactory", with(offer("v6"), variable(name, "//*[1]") + promise("Now > 0")));
            assertContinuing(shadowed, "OFFER_INVALID");
            assertThat(shadowed.body()).contains("Variable " + name + ": expressions know a fact of this name");
        }
        var unused = post("AgreementFactory", with(offer("v5"), variable("Unused", "//*[") + promise("Nodes > 0")));
        assertThat(unused.statusCode()).as(unused.body()).isEqualTo(200);

        responder.grid.clock.advance(Duration.ofMinutes(61));
        responder.monitor.poll();
        assertThat(states(kept)).startsWith("Observed", "Fulfilled");
        assertThat(states(broken)).startsWith("Observed", "Violated");
    }

    @Test
    @DisplayName("GFD.192 4.2.6 variables: a location may be the state of a service, which is looked up at each poll")
    void variablesOverStates() throws Exception {
        alone();
        var place = "declare namespace w='" + XmlNames.WSAG
                + "';$this/w:AgreementProperties/w:ServiceTermState[@w:termName='WATER']/w:State";
        String ready = created(with(offer("s1"), variable("Water", place) + promise("water == \"Ready\"")));
        String early = created(with(offer("s2"), variable("Water", place) + promise("Water == \"NotReady\"")));
        String named = created(with(offer("s3"), promise("ServiceState(\"WHEN\") != \"Completed\"")));
        for (var wrong : List.of(
                place.replace("WATER", "NONE"),
                place.replace("[@w:termName='WATER']", ""),
                place.replace("/w:State", "[w:State='Ready']/w:State"),
                place.replace("w:State", "jsdl:State"),
                place.replace("ServiceTermState", "GuaranteeTermState"))) {
            assertContinuing(
                    post(
                            "AgreementFactory",
                            with(offer("s4"), variable("Water", wrong) + promise("Water == \"Ready\""))),
                    "OFFER_INVALID");
        }
        assertContinuing(
                post("AgreementFactory", with(offer("s5"), promise("ServiceState(\"NONE\") == \"Ready\""))),
                "OFFER_INVALID");
        assertContinuing(
                post("AgreementFactory", with(offer("s6"), promise("ServiceState(\"WATER\")"))), "OFFER_INVALID");
        for (String longest : List.of("x".repeat(4_000), "\\x".repeat(2_000))) {
            assertContinuing(
                    post(
                            "AgreementFactory",
                            with(offer("s7"), promise("ServiceState(\"" + longest + "\") == \"Ready\""))),
                    "OFFER_INVALID");
        }

        responder.monitor.poll();
        assertThat(List.of(
                        states(ready).get(1),
                        states(early).get(1),
                        states(named).get(1)))
                .containsExactly("Violated", "Fulfilled", "Fulfilled");
        responder.grid.clock.advance(Duration.ofMinutes(61));
        responder.monitor.poll();
        assertThat(List.of(
                        states(ready).get(1),
                        states(early).get(1),
                        states(named).get(1)))
                .containsExactly("Fulfilled", "Violated", "Fulfilled");
        responder.grid.clock.advance(Duration.ofHours(1));
        responder.monitor.poll();
        assertThat(List.of(
                        states(ready).get(1),
                        states(early).get(1),
                        states(named).get(1)))
                .containsExactly("Violated", "Violated", "Violated");
    }

    @Test
    @DisplayName("WS-ResourceLifetime 5 and 6: Destroy and SetTerminationTime, and each of their faults")
    void lifetime() throws Exception {
        String made = created(offer("d1"));
        assertThat(send("Agreement/" + made, "<rl:Destroy " + RL + "/>").body()).contains("ResourceNotDestroyedFault");
        assertThat(setTermination(made, "2020-01-01T00:00:00Z")).contains("TerminationTimeChangeRejectedFault");
        assertThat(setTermination(made, "2026-02-01T00:00:00Z")).contains("NewTerminationTime>2026-02-01T00:00:00Z<");
        assertThat(stateOf(made)).as("its life as a resource is not its life").isEqualTo("Observed");
        terminate(made);
        assertThat(send("Agreement/" + made, "<rl:Destroy " + RL + "/>").body()).contains("DestroyResponse");
        assertThat(send("Agreement/" + made, "<rl:Destroy " + RL + "/>").body()).contains("ResourceUnknownFault");
        assertThat(setTermination(made, "2026-02-01T00:00:00Z")).contains("ResourceUnknownFault");
    }

    @Test
    @DisplayName(
            "WS-BaseFaults 2: Timestamp first, then a code in our dialect and descriptions; no trace of the program")
    void faults() throws Exception {
        var fault = post("AgreementFactory", offer("f1").replace(">fzj<", ">nowhere<"))
                .body();

        assertThat(fault)
                .containsPattern(
                        "(?s)ContinuingFault.*Timestamp.*ErrorCode[^>]*dialect=\"urn:metasched:error:1\".*Description");
        assertThat(fault).doesNotContain("at org.metasched", "java.lang");
    }

    @Test
    @DisplayName(
            "WS-Addressing 3.4: reference parameters lead to the agreement; another's address and another's action are refused")
    void addressing() throws Exception {
        String made = created(offer("w1"));
        var parameter = "<s:Header><m:ResourceId xmlns:m='urn:metasched:agreement:1' xmlns:a='" + XmlNames.ADDRESSING
                + "' a:IsReferenceParameter='true'>" + made + "</m:ResourceId></s:Header>";
        assertThat(post("Agreement", envelope(SOAP_12, parameter, "<rp:GetResourcePropertyDocument " + RP + "/>"))
                        .body())
                .contains(">" + made + "<");
        assertThat(post("AgreementFactory", offer("w2").replace("/CreateAgreementRequest", "/TerminateRequest"))
                        .body())
                .contains("ActionNotSupported");
        assertThat(post(
                                "AgreementFactory",
                                offer("w3")
                                        .replace(
                                                "<wsa:MessageID>",
                                                "<wsa:To>http://elsewhere/x</wsa:To><wsa:MessageID>"))
                        .body())
                .contains("DestinationUnreachable");
    }

    @ParameterizedTest(name = "WS-Addressing SOAP binding 6.4: {0} becomes {1}: {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<wsa:Action>.*</wsa:Action> | `` | wsa:Action is required",
                "/addressing/anonymous | /else | wsa:ReplyTo",
                "<wsa:MessageID>.*</wsa:MessageID> | `` | wsa:MessageID is required",
                "<wsa:MessageID>.*</wsa:MessageID> | <wsa:MessageID>{urn:x}y</wsa:MessageID> | wsa:MessageID ({urn:x}y) must be",
                "<wsa:Action>.*</wsa:Action> | $0$0 | wsa:Action must be there once",
                "<wsa:MessageID>.*</wsa:MessageID> | $0$0 | wsa:MessageID must be there once"
            })
    void addressingHeadersThatAreWrong(String pattern, String to, String word) throws Exception {
        String wrong = offer("h1").replaceFirst(pattern, to);
        for (String version : List.of(SOAP_12, SOAP_11)) {
            var type = version.equals(SOAP_12) ? "application/soap+xml" : "text/xml";
            var answer = responder.post("AgreementFactory", wrong.replace(SOAP_12, version), type + "; charset=utf-8");
            assertThat(answer.statusCode()).isEqualTo(version.equals(SOAP_12) ? 400 : 500);
            assertThat(answer.body()).contains(word, version.equals(SOAP_12) ? ":Sender<" : ":Client<");
        }
    }

    @Test
    @DisplayName("SOAP 1.1 and 1.2: the same service at the same address; a fault says whose mistake it is")
    void soapVersions() throws Exception {
        var eleven = offer("s1").replace(SOAP_12, SOAP_11).replaceFirst("(?s)<s:Header>.*</s:Header>", "");
        assertThat(responder
                        .post("AgreementFactory", eleven, "text/xml; charset=utf-8")
                        .statusCode())
                .isEqualTo(200);
        var wrong = post("AgreementFactory", offer("s2").replace(">fzj<", ">nowhere<"));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains(":Sender<");
        var wrongEleven = responder.post(
                "AgreementFactory",
                eleven.replace("s1", "s3").replace(">fzj<", ">nowhere<"),
                "text/xml; charset=utf-8");
        assertThat(wrongEleven.statusCode()).isEqualTo(500);
        assertThat(wrongEleven.body()).contains(":Client<");
    }

    @Test
    @DisplayName(
            "GFD.193 5: InitiateNegotiation, its properties, Terminate; a negotiation that is not there is a fault")
    void negotiation() throws Exception {
        String id = initiated();
        assertThat(send("Negotiation/" + id, "<rp:GetResourcePropertyDocument " + RP + "/>")
                        .body())
                .contains("NegotiationContext", "NegotiableTemplate");
        var end = "<n:TerminateInput xmlns:n='" + XmlNames.NEGOTIATION + "'/>";
        assertThat(send("Negotiation/" + id, end).body()).contains("TerminateResponse");
        assertThat(send("Negotiation/" + id, end).body()).contains("NEGOTIATION_UNKNOWN");
    }

    @Test
    @DisplayName(
            "GFD.193 5.3 negotiation constraints: an answer that breaks a required one is a rejected counter offer")
    void negotiationConstraints() throws Exception {
        int held = responder.grid.heldEverywhere();
        String late = "<wsag:ItemConstraint><xs:minInclusive xmlns:xs='http://www.w3.org/2001/XMLSchema'"
                + " value='2026-01-05T12:00:00Z'/></wsag:ItemConstraint>";
        String place = "<wsag:Location xmlns:t='" + XmlNames.SCHEDULING + "'>//t:StartTime</wsag:Location>";
        String required = "<n:Item wsag:Name='Late' n:Type='Required'>" + place + late + "</n:Item>";

        assertThat(negotiate("Solicited", required)).contains(":Refusal", "Late", "12:00");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(held);
        assertThat(negotiate("Advisory", required)).contains(":Refusal", "Late");
        assertThat(negotiate("Advisory", required.replace("'Required'", "'Optional'")))
                .contains(":Advisory")
                .doesNotContain(":Refusal");
        assertThat(negotiate("Advisory", required.replace("12:00", "08:00"))).doesNotContain(":Refusal");
        assertThat(negotiate("Advisory", required.replace("//t:Start", "//*[//*[//*[//*[//*]]]]//t:Start")))
                .contains(":Refusal", "times over");
        assertThat(negotiate("Advisory", required.replace("minInclusive", "pattern")))
                .contains(":Refusal", "must be one of");
        assertThat(negotiate("Advisory", "<wsag:Constraint>a = b</wsag:Constraint>"))
                .contains(":Refusal", "has a Constraint");
    }

    @Test
    @DisplayName("GFD.193 5.4 advertise: an offer is noted and not answered; a rejected one gives back what is held")
    void advertise() throws Exception {
        alone();
        String id = initiated();
        var held = send("Negotiation/" + id, negotiateInput("Solicited", "1-CO-ALLOCATION", ""))
                .body();
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
        String counter = found("NegotiationCounterOffer[^>]*OfferId=\"([^\"]*)\"", held);

        var noted = send("Negotiation/" + id, advertiseInput("Advisory", counter));
        assertThat(noted.body()).contains("AdvertiseOutput").doesNotContain("CounterOffer");
        assertThat(responder.grid.heldEverywhere()).isEqualTo(2);
        assertThat(get("Negotiation/" + id, "n:NegotiationOffer")).containsPattern("(?s)(NegotiationOffer .*){3}");
        assertThat(send("Negotiation/" + id, advertiseInput("Rejected", counter))
                        .body())
                .contains("AdvertiseOutput");

        assertThat(responder.grid.heldEverywhere()).isZero();
        assertThat(send("Negotiation/ng-not-there", advertiseInput("Advisory", counter))
                        .body())
                .contains("ResourceUnknownFault", "NEGOTIATION_UNKNOWN");
    }

    private String negotiate(String state, String items) throws Exception {
        return send("Negotiation/" + initiated(), negotiateInput(state, "1-CO-ALLOCATION", items))
                .body();
    }

    static String advertiseInput(String state, String counterTo) throws Exception {
        return negotiateInput(state, counterTo, "").replace("NegotiateInput", "AdvertiseInput");
    }

    static String negotiateInput(String state, String counterTo, String items) throws Exception {
        String content = found("(?s)<wsag:AgreementOffer[^>]*>(.*)</wsag:AgreementOffer>", offer("n"));
        return "<n:NegotiateInput xmlns:n='" + XmlNames.NEGOTIATION + "' xmlns:wsag='" + XmlNames.WSAG
                + "' xmlns:jsdl='" + XmlNames.JSDL + "' xmlns:t='" + XmlNames.SCHEDULING
                + "' xmlns:p='urn:p'><n:NegotiationOffer>" + content
                + "<n:NegotiationOfferContext><n:CounterOfferTo>" + counterTo
                + "</n:CounterOfferTo><n:Creator>NegotiationInitiator</n:Creator><n:State><n:" + state
                + "/></n:State></n:NegotiationOfferContext><n:NegotiationConstraints>" + items
                + "</n:NegotiationConstraints></n:NegotiationOffer></n:NegotiateInput>";
    }

    private String initiated() throws Exception {
        var answer = send("NegotiationFactory", initiateInput()).body();
        return found("services/Negotiation/([a-z0-9-]+)<", answer);
    }

    static String initiateInput() {
        return "<n:InitiateNegotiationInput xmlns:n='" + XmlNames.NEGOTIATION
                + "'><n:NegotiationContext><n:NegotiationType><n:Negotiation/></n:NegotiationType>"
                + "<n:AgreementResponder>NegotiationResponder</n:AgreementResponder></n:NegotiationContext>"
                + "</n:InitiateNegotiationInput>";
    }

    private static String query(String dialect, String expression) {
        return "<rp:QueryResourceProperties " + RP + " xmlns:wsag='" + XmlNames.WSAG + "'><rp:QueryExpression Dialect='"
                + dialect + "'>" + expression + "</rp:QueryExpression></rp:QueryResourceProperties>";
    }

    private static String variable(String name, String location) {
        return "<wsag:ServiceProperties wsag:Name='P-" + name + "' wsag:ServiceName='META-JOB'><wsag:VariableSet>"
                + "<wsag:Variable wsag:Name='" + name + "' wsag:Metric='xs:integer'><wsag:Location>" + location
                + "</wsag:Location></wsag:Variable></wsag:VariableSet></wsag:ServiceProperties>";
    }

    private static String promise(String objective) {
        return "<wsag:GuaranteeTerm wsag:Name='OWN'><wsag:ServiceLevelObjective><wsag:CustomServiceLevel>"
                + objective.replace(">", "&gt;")
                + "</wsag:CustomServiceLevel></wsag:ServiceLevelObjective><wsag:BusinessValueList/></wsag:GuaranteeTerm>";
    }

    static String offer(String id) throws Exception {
        return WsagServer.golden("create-agreement.soap12.xml").replace("meta-job-17", id);
    }

    private static String pending(String id) throws Exception {
        return offer(id).replace("CreateAgreement", "CreatePendingAgreement");
    }

    private static String with(String message, String term) {
        return message.replace("</wsag:All>", term + "</wsag:All>");
    }

    private static String term(String message, String name) {
        return found(
                "(?s)(<wsag:ServiceDescriptionTerm wsag:Name=\"" + name + "\".*?</wsag:ServiceDescriptionTerm>)",
                message);
    }

    private String created(String message) throws Exception {
        return found(
                "services/Agreement/([a-z0-9-]+)<",
                post("AgreementFactory", message).body());
    }

    private HttpResponse<String> post(String service, String message) throws Exception {
        return responder.post(service, message);
    }

    private HttpResponse<String> send(String service, String body) throws Exception {
        return post(service, envelope(SOAP_12, "", body));
    }

    static String envelope(String version, String header, String body) {
        return "<s:Envelope xmlns:s='" + version + "'>" + header + "<s:Body>" + body + "</s:Body></s:Envelope>";
    }

    private HttpResponse<String> terminate(String agreement) throws Exception {
        return send("Agreement/" + agreement, TERMINATE);
    }

    private String get(String service, String name) throws Exception {
        return send(service, "<rp:GetResourceProperty " + RP + ">" + name + "</rp:GetResourceProperty>")
                .body();
    }

    private String document(String agreement) throws Exception {
        return send("Agreement/" + agreement, "<rp:GetResourcePropertyDocument " + RP + "/>")
                .body();
    }

    private String setTermination(String agreement, String when) throws Exception {
        return send(
                        "Agreement/" + agreement,
                        "<rl:SetTerminationTime " + RL + "><rl:RequestedTerminationTime>" + when
                                + "</rl:RequestedTerminationTime></rl:SetTerminationTime>")
                .body();
    }

    private String stateOf(String agreement) throws Exception {
        return found("State>(\\w+)<", get("Agreement/" + agreement, "w:AgreementState"));
    }

    /** Of the agreement, of its promise and of each of its terms. */
    private List<String> states(String agreement) throws Exception {
        return Pattern.compile(":State>(\\w+)<")
                .matcher(document(agreement))
                .results()
                .map(m -> m.group(1))
                .toList();
    }

    private void becomes(String agreement, String state) {
        Awaitility.await().until(() -> stateOf(agreement).equals(state));
    }

    private static void assertContinuing(HttpResponse<String> answer, String code) {
        assertThat(answer.statusCode()).as(answer.body()).isIn(400, 500);
        assertThat(answer.body()).contains("ContinuingFault", ">" + code + "<");
    }

    static String found(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }
}
