package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;
import org.metasched.adapter.soap.SoapServer;
import org.metasched.wsag.AgreementAcceptance;
import org.metasched.wsag.AgreementAcceptanceInputType;
import org.metasched.wsag.AgreementAcceptanceOutputType;

/** A pending offer whose initiator wants to be called: the initiator is a server of its own. */
class AcceptanceCallsTest {

    @Test
    void callsTheInitiatorBackUntilItAnswers() throws Exception {
        var initiator = new Initiator(1);
        try (var responder = new WsagServer();
                var calls = new AcceptanceCalls(Duration.ofMillis(20));
                var home = SoapServer.onPort(0)
                        .service("AgreementAcceptance", initiator)
                        .start()) {
            responder.agreements.onChange(calls);

            var accepted = responder.post("AgreementFactory", pending("fzj", home));
            assertThat(initiator.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("accepted offer-of-fzj");

            var rejected =
                    responder.post("AgreementFactory", pending("scai", home).replace("Exact>2<", "Exact>33<"));
            assertThat(initiator.heard.poll(30, TimeUnit.SECONDS)).isEqualTo("rejected offer-of-scai");
            assertThat(accepted.body()).contains("CreatePendingAgreementResponse");
            assertThat(rejected.body()).contains("CreatePendingAgreementResponse");
        }
    }

    private static String pending(String site, SoapServer home) throws Exception {
        return WsagServer.golden("create-agreement.soap12.xml")
                .replaceFirst("(?s)<s:Header>.*</s:Header>", "")
                .replace("CreateAgreementInput", "CreatePendingAgreementInput")
                .replace(
                        "<wsag:AgreementOffer ",
                        "<wsag:AgreementAcceptanceEPR><wsa:Address>" + home.service("AgreementAcceptance")
                                + "</wsa:Address><wsa:ReferenceParameters><o:Offer xmlns:o=\"urn:o\">offer-of-" + site
                                + "</o:Offer></wsa:ReferenceParameters></wsag:AgreementAcceptanceEPR><wsag:AgreementOffer ")
                .replace("meta-job-17", "pending-" + site)
                .replace(">fzj<", ">" + site + "<")
                .replaceFirst(
                        "(?s)<wsag:ServiceDescriptionTerm wsag:Name=\"GROUND\".*?</wsag:ServiceDescriptionTerm>", "");
    }

    /** Fails some calls, then takes note of them. */
    @WebService(
            endpointInterface = "org.metasched.wsag.AgreementAcceptance",
            targetNamespace = Names.WSAG,
            serviceName = "AgreementAcceptanceService",
            portName = "AgreementAcceptanceSoap12Port",
            wsdlLocation = "classpath:org/metasched/wsdl/agreement.wsdl")
    @Addressing
    public static final class Initiator implements AgreementAcceptance {

        final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final AtomicInteger failures;

        Initiator(int failures) {
            this.failures = new AtomicInteger(failures);
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
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("Not now.");
            }
            heard.add(what + CallContext.header(new QName("urn:o", "Offer")).orElse("nothing"));
            return new AgreementAcceptanceOutputType();
        }
    }
}
