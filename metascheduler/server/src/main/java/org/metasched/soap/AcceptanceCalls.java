package org.metasched.soap;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.soap.AddressingFeature;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.xml.namespace.QName;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.headers.Header;
import org.apache.cxf.transport.http.HTTPConduit;
import org.apache.cxf.transports.http.configuration.HTTPClientPolicy;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferDocument;
import org.metasched.wsag.AgreementAcceptance;
import org.metasched.wsag.AgreementAcceptanceInputType;
import org.metasched.wsag.AgreementAcceptanceService;
import org.metasched.wsag.ContinuingFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Element;

/**
 * Tells the initiators of pending offers what was decided, at the endpoint reference that came with the offer: which offer
 * is meant says the reference itself. A silent initiator is called again after growing pauses, then no more; it can always
 * look at the agreement's state. Calls do not outlive the process: what was decided shortly before a crash goes untold.
 */
public final class AcceptanceCalls implements AgreementListener, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptanceCalls.class);
    private static final int MOST_ATTEMPTS = 6;
    private static final int MOST_WAITING = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Duration firstPause;
    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(2, AcceptanceCalls::daemon);

    public AcceptanceCalls() {
        this(Duration.ofSeconds(2));
    }

    /**
     * For tests that do not wait.
     *
     * @param firstPause before the second attempt; each further pause is twice as long
     */
    AcceptanceCalls(Duration firstPause) {
        this.firstPause = firstPause;
    }

    @Override
    public void changed(AgreementState before, Agreement after) {
        boolean decided = before == AgreementState.PENDING
                && (after.state() == AgreementState.OBSERVED || after.state() == AgreementState.REJECTED);
        if (!decided || after.offer().acceptance().isEmpty()) {
            return;
        }
        if (executor.getQueue().size() >= MOST_WAITING) {
            LOG.warn("Agreement {}: too many initiators wait to be called; this one is not", after.id());
            return;
        }
        var reference = after.offer().acceptance().get();
        executor.execute(() -> attempt(after, reference, 1));
    }

    private void attempt(Agreement agreement, OfferDocument reference, int number) {
        try {
            call(agreement, reference);
            LOG.debug(
                    "Agreement {}: its initiator knows that it is {}",
                    agreement.id(),
                    agreement.state().term());
        } catch (ContinuingFault | IllegalArgumentException e) {
            LOG.info("Agreement {}: its initiator will not hear of it: {}", agreement.id(), e.getMessage());
        } catch (WebServiceException e) {
            if (number >= MOST_ATTEMPTS) {
                LOG.warn("Agreement {}: its initiator was called {} times in vain", agreement.id(), number);
                return;
            }
            long pause = firstPause.toMillis() << (number - 1);
            var unused =
                    executor.schedule(() -> attempt(agreement, reference, number + 1), pause, TimeUnit.MILLISECONDS);
        }
    }

    private static void call(Agreement agreement, OfferDocument reference) throws ContinuingFault {
        var port = port(reference);
        var message = new AgreementAcceptanceInputType();
        try {
            if (agreement.state() == AgreementState.OBSERVED) {
                port.acceptAgreement(message);
            } else {
                port.rejectAgreement(message);
            }
        } finally {
            ClientProxy.getClient(port).destroy();
        }
    }

    private static AgreementAcceptance port(OfferDocument reference) {
        var address = URI.create(AcceptanceReference.address(reference)
                .orElseThrow(() -> new IllegalArgumentException("The endpoint reference has no address.")));
        if (!"http".equals(address.getScheme()) && !"https".equals(address.getScheme())) {
            throw new IllegalArgumentException("The address (" + address + ") must begin with http:// or https://.");
        }
        var port = new AgreementAcceptanceService().getAgreementAcceptanceSoap12Port(new AddressingFeature());
        var context = ((BindingProvider) port).getRequestContext();
        context.put(BindingProvider.ENDPOINT_ADDRESS_PROPERTY, address.toString());
        context.put(Header.HEADER_LIST, headers(reference));
        var policy = new HTTPClientPolicy();
        policy.setConnectionTimeout(PATIENCE.toMillis());
        policy.setReceiveTimeout(PATIENCE.toMillis());
        policy.setAutoRedirect(false);
        ((HTTPConduit) ClientProxy.getClient(port).getConduit()).setClient(policy);
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

    private static Thread daemon(Runnable task) {
        var thread = new Thread(task, "acceptance-call");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
