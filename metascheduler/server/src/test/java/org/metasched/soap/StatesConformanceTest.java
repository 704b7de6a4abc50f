package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.client.xml.XmlNames;
import org.metasched.http.OutboundPolicy;
import org.metasched.trust.ClientCredentials;

/**
 * What {@link ConformanceTest} leaves: the call-backs of GFD.192 8.2, the transitions of 10.1 to 10.3 that take a site's mishap, and the
 * properties of the life of a resource. It is 08:00, the slot of each agreement is from 09:00 to 10:00.
 */
@Tag("full")
class StatesConformanceTest {

    private final WsagServer responder = new WsagServer();

    @AfterEach
    void stop() {
        responder.close();
    }

    @Test
    @DisplayName(
            "GFD.192 8.2 AcceptAgreement and RejectAgreement: the initiator is called once for each decision, with its reference parameters")
    void acceptance() throws Exception {
        var initiator = new AcceptanceCallsTest.Initiator(0);
        try (var calls = new AcceptanceCalls(responder.grid.memory, OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS);
                var home = SoapServer.onPort(0)
                        .service("AgreementAcceptance", initiator)
                        .start()) {
            responder.making.changes().onChange(calls);
            responder.post("AgreementFactory", AcceptanceCallsTest.pending("fzj", home));
            assertThat(initiator.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("accepted offer-of-fzj");
            responder.grid.at("scai").busy(responder.grid.nowPlus("PT0S"), responder.grid.nowPlus("P8D"), 32);
            responder.post("AgreementFactory", AcceptanceCallsTest.pending("scai", home));
            assertThat(initiator.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("rejected offer-of-scai");
            assertThat(initiator.calls).hasValue(2);
        }
    }

    @Test
    @DisplayName("GFD.192 10.1: ObservedAndTerminating to Complete when the slot ends first; Complete is final")
    void completeWhileTerminating() throws Exception {
        String made = created(ConformanceTest.offer("c1"));
        responder.grid.at("scai").down(true);
        send(made, ConformanceTest.TERMINATE);
        assertThat(states(made)).startsWith("ObservedAndTerminating");

        responder.grid.clock.advance(Duration.ofHours(4));
        responder.grid.at("scai").down(false);
        responder.monitor.poll();

        assertThat(states(made).get(0)).isIn("Complete", "Terminated");
        assertThat(send(made, ConformanceTest.TERMINATE)).contains(">AGREEMENT_FINAL<");
    }

    @Test
    @DisplayName(
            "GFD.192 10.2: NotReady to Completed when nobody looked in between; terminate of a Complete one is a fault")
    void unseen() throws Exception {
        String made = created(ConformanceTest.offer("u1"));
        assertThat(states(made)).containsExactly("Observed", "NotReady", "NotReady", "NotReady");

        responder.grid.clock.advance(Duration.ofHours(4));
        responder.monitor.poll();

        assertThat(states(made)).containsExactly("Complete", "Completed", "Completed", "Completed");
        assertThat(send(made, ConformanceTest.TERMINATE)).contains(">AGREEMENT_FINAL<");
    }

    @Test
    @DisplayName("GFD.192 10.2: services of a terminated agreement cannot be used any more: Completed")
    void terminated() throws Exception {
        String made = created(ConformanceTest.offer("d1"));
        send(made, ConformanceTest.TERMINATE);

        assertThat(states(made)).containsExactly("Terminated", "Completed", "Completed", "Completed");
    }

    @Test
    @DisplayName("GFD.192 10.2: Ready to NotReady when the site loses the reservation in its slot")
    void lost() throws Exception {
        String made = created(ConformanceTest.offer("l1"));
        responder.grid.clock.advance(Duration.ofMinutes(61));
        responder.monitor.poll();
        assertThat(states(made)).startsWith("Observed", "Ready", "Ready");

        responder.grid.at("fzj").loses(responder.grid.at("fzj").held().get(0).key());
        responder.monitor.poll();

        assertThat(states(made)).startsWith("Observed", "NotReady", "Ready");
    }

    @Test
    @DisplayName("GFD.192 10.3: Violated and Fulfilled to NotDetermined when the condition is no longer true")
    void undetermined() throws Exception {
        String kept = created(promising("g1", "LostNodes &lt; 100"));
        String broken = created(promising("g2", "LostNodes > 100"));
        responder.grid.clock.advance(Duration.ofMinutes(61));
        responder.monitor.poll();
        assertThat(states(kept)).startsWith("Observed", "Fulfilled");
        assertThat(states(broken)).startsWith("Observed", "Violated");

        responder.grid.clock.advance(Duration.ofMinutes(30));
        responder.monitor.poll();

        assertThat(states(kept)).startsWith("Observed", "NotDetermined");
        assertThat(states(broken)).startsWith("Observed", "NotDetermined");
    }

    @Test
    @DisplayName(
            "WS-ResourceLifetime 5.1: CurrentTime and TerminationTime are properties, the latter nil until it is known")
    void lifetimeProperties() throws Exception {
        String made = created(ConformanceTest.offer("t1"));
        String times = "<rp:GetMultipleResourceProperties " + ConformanceTest.RP + " xmlns:rl='" + XmlNames.LIFETIME
                + "'><rp:ResourceProperty>rl:CurrentTime</rp:ResourceProperty>"
                + "<rp:ResourceProperty>rl:TerminationTime</rp:ResourceProperty></rp:GetMultipleResourceProperties>";

        assertThat(send(made, times)).containsPattern("(?s)CurrentTime[^>]*>2026-01-05T08:00:00Z<.*nil=\"true\"");
        send(made, ConformanceTest.TERMINATE);
        assertThat(send(made, times)).containsPattern("TerminationTime[^>]*>2026-04-05T08:00:00Z<");
    }

    private static String promising(String id, String objective) throws Exception {
        return ConformanceTest.offer(id)
                .replace(
                        "</wsag:All>",
                        "<wsag:GuaranteeTerm wsag:Name='G'><wsag:QualifyingCondition>Now >= Start &amp;&amp; Now &lt; Start + 1800"
                                + "</wsag:QualifyingCondition><wsag:ServiceLevelObjective><wsag:CustomServiceLevel>"
                                + objective + "</wsag:CustomServiceLevel></wsag:ServiceLevelObjective>"
                                + "<wsag:BusinessValueList/></wsag:GuaranteeTerm></wsag:All>");
    }

    private String created(String message) throws Exception {
        return ConformanceTest.found(
                "services/Agreement/([a-z0-9-]+)<",
                responder.post("AgreementFactory", message).body());
    }

    private String send(String agreement, String body) throws Exception {
        return responder
                .post("Agreement/" + agreement, ConformanceTest.envelope(ConformanceTest.SOAP_12, "", body))
                .body();
    }

    private List<String> states(String agreement) throws Exception {
        return Pattern.compile(":State>(\\w+)<")
                .matcher(send(agreement, "<rp:GetResourcePropertyDocument " + ConformanceTest.RP + "/>"))
                .results()
                .map(m -> m.group(1))
                .toList();
    }
}
