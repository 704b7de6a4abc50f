package org.metasched.soap;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.soap.AddressingFeature;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.headers.Header;
import org.apache.cxf.transport.http.HTTPConduit;
import org.apache.cxf.transports.http.configuration.HTTPClientPolicy;
import org.metasched.adapter.soap.MessageLimits;
import org.metasched.agreement.OfferDocument;
import org.metasched.outbox.Courier;
import org.metasched.outbox.Courier.Answer;
import org.metasched.outbox.Outbox.Message;
import org.metasched.wsag.AgreementAcceptance;
import org.metasched.wsag.AgreementAcceptanceInputType;
import org.metasched.wsag.AgreementAcceptanceService;
import org.metasched.wsag.ContinuingFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Element;

/** One call of {@code AcceptAgreement} or {@code RejectAgreement}: the reference itself names the offer. Stateless. */
final class AcceptanceCall {

    static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Logger LOG = LoggerFactory.getLogger(AcceptanceCall.class);

    private AcceptanceCall() {}

    static Answer make(Message message) {
        try {
            var port = port(new OfferDocument(message.receiver()));
            try {
                tell(port, message.body());
                return Answer.TOLD;
            } finally {
                ClientProxy.getClient(port).destroy();
            }
        } catch (ContinuingFault e) {
            LOG.info("{}: its initiator answers: {}", message, e.getMessage());
            return Answer.TOLD;
        } catch (InvalidOfferException e) {
            return new Answer(Courier.End.NOT_CALLED, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            // Most are WebServiceExceptions; whatever else an answer of theirs sets off must not end the courier.
            LOG.debug("{}: its initiator did not answer", message, e);
            return Answer.silent(String.valueOf(e.getMessage()));
        }
    }

    private static void tell(AgreementAcceptance port, String decision) throws ContinuingFault {
        var message = new AgreementAcceptanceInputType();
        if (decision.equals(AcceptanceCalls.ACCEPTED)) {
            port.acceptAgreement(message);
        } else {
            port.rejectAgreement(message);
        }
    }

    private static AgreementAcceptance port(OfferDocument reference) {
        var address = AcceptanceReference.callable(reference);
        var port = new AgreementAcceptanceService().getAgreementAcceptanceSoap12Port(new AddressingFeature());
        var context = ((BindingProvider) port).getRequestContext();
        context.put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, address.toString());
        context.put(Header.HEADER_LIST, headers(reference));
        var client = ClientProxy.getClient(port);
        client.getEndpoint().putAll(MessageLimits.USUAL.properties());
        var policy = new HTTPClientPolicy();
        policy.setConnectionTimeout(PATIENCE.toMillis());
        policy.setReceiveTimeout(PATIENCE.toMillis());
        policy.setAutoRedirect(false);
        ((HTTPConduit) client.getConduit()).setClient(policy);
        return port;
    }

    /** Every reference parameter goes back as a header that says what it is. CXF adds its own to the list. */
    private static List<Header> headers(OfferDocument reference) {
        var headers = new ArrayList<Header>();
        AcceptanceReference.parameters(reference).forEach(p -> headers.add(header(p)));
        return headers;
    }

    private static Header header(Element parameter) {
        var marked = Xml.adopt(Xml.newDocument(), parameter);
        marked.setAttributeNS(Names.ADDRESSING, "wsa:IsReferenceParameter", "true");
        return new Header(new QName(marked.getNamespaceURI(), marked.getLocalName()), marked);
    }
}
