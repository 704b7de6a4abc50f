package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.xml.namespace.QName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.client.xml.XmlNames;
import org.metasched.http.OutboundPolicy;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.trust.ClientCredentials;
import org.metasched.wsag.AgreementAcceptance;
import org.metasched.wsag.AgreementAcceptanceInputType;
import org.metasched.wsag.AgreementAcceptanceOutputType;

/** A pending offer whose initiator wants to be called: the initiator is a server of its own. */
class AcceptanceCallsTest {

    @Test
    void initiatorsHearWhatWasDecided() throws Exception {
        var initiator = new Initiator(0);
        try (var responder = new WsagServer();
                var calls =
                        new AcceptanceCalls(responder.grid.memory, OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS);
                var home = at(initiator)) {
            responder.making.changes().onChange(calls);

            var accepted = responder.post("AgreementFactory", pending("fzj", home));
            assertThat(initiator.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("accepted offer-of-fzj");

            responder.grid.at("scai").busy(responder.grid.nowPlus("PT0S"), responder.grid.nowPlus("P8D"), 31);
            var rejected = responder.post("AgreementFactory", pending("scai", home));
            assertThat(initiator.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("rejected offer-of-scai");
            assertThat(accepted.body()).contains("CreatePendingAgreementResponse");
            assertThat(rejected.body()).contains("CreatePendingAgreementResponse");
        }
    }

    @Test
    void anInitiatorThatFailsIsCalledAgainWhenThePauseIsOver() throws Exception {
        var initiator = new Initiator(2);
        try (var responder = new WsagServer();
                var calls = new AcceptanceCalls(
                        responder.grid.memory,
                        OutboundPolicy.LOCAL,
                        ClientCredentials.ANONYMOUS,
                        AcceptanceCalls.retries(Duration.ofMillis(20)));
                var home = at(initiator)) {
            responder.making.changes().onChange(calls);
            responder.post("AgreementFactory", pending("fzj", home));

            assertThat(initiator.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("accepted offer-of-fzj");
            Awaitility.await()
                    .until(() -> responder.grid.memory.pending(Kind.DECISION, 1).isEmpty());
            assertThat(initiator.calls).hasValue(3);
        }
    }

    @Test
    void aDecisionWhoseCallFailedIsToldAfterARestart() throws Exception {
        var initiator = new Initiator(1);
        try (var responder = new WsagServer();
                var home = at(initiator)) {
            try (var stopped = new AcceptanceCalls(
                    responder.grid.memory,
                    OutboundPolicy.LOCAL,
                    ClientCredentials.ANONYMOUS,
                    AcceptanceCalls.retries(Duration.ofMinutes(30)))) {
                responder.making.changes().onChange(stopped);
                responder.post("AgreementFactory", pending("fzj", home));
                Awaitility.await().until(() -> initiator.calls.get() == 1);
            }

            try (var restarted =
                    new AcceptanceCalls(responder.grid.memory, OutboundPolicy.LOCAL, ClientCredentials.ANONYMOUS)) {
                restarted.collect();

                assertThat(initiator.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("accepted offer-of-fzj");
            }
        }
    }

    @Test
    void pausesDoubleUpToAnHour() {
        assertThat(IntStream.rangeClosed(1, 20).mapToObj(AcceptanceCalls.USUAL_RETRIES::pauseAfter))
                .startsWith(Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(8))
                .endsWith(Duration.ofHours(1), Duration.ofHours(1))
                .isSorted();
    }

    @Test
    void aReferenceThatCannotBeCalledIsRefusedWithItsOffer() throws Exception {
        try (var responder = new WsagServer();
                var home = at(new Initiator(0))) {
            for (var address : List.of("", "mailto:alice", "file:///etc/passwd", XmlNames.ADDRESSING + "/anonymous")) {
                var offer = pending("fzj", home)
                        .replace(home.service("AgreementAcceptance").toString(), address);

                var answer = responder.post("AgreementFactory", offer);

                assertThat(answer.body()).contains("OFFER_INVALID", "AgreementAcceptanceEPR", "(" + address + ")");
                assertThat(responder.agreements.newest(1)).isEmpty();
            }
        }
    }

    private static SoapServer at(Initiator initiator) {
        return SoapServer.onPort(0).service("AgreementAcceptance", initiator).start();
    }

    static String pending(String site, SoapServer home) throws Exception {
        return WsagServer.golden("create-agreement.soap12.xml")
                .replaceFirst("(?s)<s:Header>.*</s:Header>", "")
                .replace("CreateAgreementInput", "CreatePendingAgreementInput")
                .replace(
                        "<wsag:AgreementOffer ",
                        "<wsag:AgreementAcceptanceEPR><wsa:Address>" + home.service("AgreementAcceptance")
                                + "</wsa:Address><wsa:ReferenceParameters><o:Offer xmlns:o=\"urn:o\">offer-of-" + site
                                + "</o:Offer></wsa:ReferenceParameters></wsag:AgreementAcceptanceEPR><wsag:AgreementOffer"
                                + " ")
                .replace("meta-job-17", "pending-" + site)
                .replace(">fzj<", ">" + site + "<")
                .replaceFirst(
                        "(?s)<wsag:ServiceDescriptionTerm wsag:Name=\"GROUND\".*?</wsag:ServiceDescriptionTerm>", "");
    }

    /** Fails some calls, then takes note of them. */
    @WebService(
            endpointInterface = "org.metasched.wsag.AgreementAcceptance",
            targetNamespace = XmlNames.WSAG,
            serviceName = "AgreementAcceptanceService",
            portName = "AgreementAcceptanceSoap12Port",
            wsdlLocation = "classpath:org/metasched/wsdl/agreement-acceptance.wsdl")
    @Addressing
    public static final class Initiator implements AgreementAcceptance {

        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        final AtomicInteger calls = new AtomicInteger();
        private final int failures;

        Initiator(int failures) {
            this.failures = failures;
        }

        @Override
        public AgreementAcceptanceOutputType acceptAgreement(AgreementAcceptanceInputType request) {
            return note("accepted ");
        }

        @Override
        public AgreementAcceptanceOutputType rejectAgreement(AgreementAcceptanceInputType request) {
            return note("rejected ");
        }

        private AgreementAcceptanceOutputType note(String what) {
            if (calls.incrementAndGet() <= failures) {
                throw new IllegalStateException("Not now.");
            }
            heard.add(what + CallContext.header(new QName("urn:o", "Offer")).orElse("nothing"));
            return new AgreementAcceptanceOutputType();
        }
    }
}
