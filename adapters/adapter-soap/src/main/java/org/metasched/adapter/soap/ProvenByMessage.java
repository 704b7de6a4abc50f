package org.metasched.adapter.soap;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.apache.wss4j.common.WSS4JConstants;
import org.metasched.trust.Authentication;
import org.metasched.trust.MessageVerifier.Verification;
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.StrangerBudget;
import org.metasched.trust.Subject;
import org.metasched.trust.UntrustedException;
import org.w3c.dom.Document;

/**
 * Identifies a sender by the security header of a message before anything of the message is processed: by its certificate or password
 * before its Body is read, by its signature afterwards; only the verified elements are processed. If the request has another proof as well,
 * both must be of the same subject, and the header is used.
 */
final class ProvenByMessage extends AbstractSoapInterceptor {

    private static final int UNAUTHORISED = 401;
    private static final int TOO_MANY = 429;
    private static final int RETRY_SECONDS = 10;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Authentication proofs;

    ProvenByMessage(Authentication proofs) {
        super(Phase.POST_STREAM);
        addAfter(StaxInInterceptor.class.getName());
        addBefore(UsualPrefixes.class.getName());
        this.proofs = proofs;
    }

    @Override
    public Set<QName> getUnderstoodHeaders() {
        return Set.of(new QName(WSS4JConstants.WSSE_NS, "Security"));
    }

    @Override
    public void handleMessage(SoapMessage message) {
        var reader = message.getContent(XMLStreamReader.class);
        if (reader == null
                || !(message.get(AbstractHTTPDestination.HTTP_REQUEST) instanceof HttpServletRequest request)) {
            return;
        }
        if (AuthorizationInterceptor.subject(message).isKnown()) {
            prove(message, reader, request);
        } else {
            proveWithin(proofs.messages().orElseThrow().strangers(), message, reader, request);
        }
    }

    /**
     * Identifies a sender who is not known yet. If the message is refused, its processor time is charged to the address. A message from an
     * address with too high charges is refused unread.
     */
    private void proveWithin(
            StrangerBudget budget, SoapMessage message, XMLStreamReader reader, HttpServletRequest request) {
        String address = request.getRemoteAddr();
        long bytes = request.getContentLengthLong();
        long cost = budget.reserve(address, bytes < 0 ? MessageLimits.BYTES : bytes);
        if (cost < 0) {
            SendersFault.retryAfter(RETRY_SECONDS);
            throw refusal(
                    new NotAllowedException(
                            "Too many messages without proof of their sender came from this address.", true),
                    TOO_MANY);
        }
        long used = THREADS.getCurrentThreadCpuTime();
        boolean known = false;
        try {
            prove(message, reader, request);
            known = true;
        } finally {
            budget.settle(address, cost, known ? 0 : THREADS.getCurrentThreadCpuTime() - used);
        }
    }

    private void prove(SoapMessage message, XMLStreamReader reader, HttpServletRequest request) {
        try {
            var verification = proofs.messages().orElseThrow().begin(request.isSecure(), request.getRemoteAddr());
            var document = MessageTree.read(reader, head -> admit(verification, head, message));
            message.setContent(XMLStreamReader.class, StaxUtils.createXMLStreamReader(document));
            var proven = verification.subject(document, to -> MessageCheck.isOnlyHere(to, request));
            if (proven.isPresent()) {
                request.setAttribute(
                        Subject.ATTRIBUTE, requireSame(AuthorizationInterceptor.subject(message), proven.get()));
            }
        } catch (XMLStreamException e) {
            throw new Fault(e);
        } catch (UntrustedException e) {
            throw refused(e, message);
        }
    }

    private void admit(Verification verification, Document head, SoapMessage message) {
        try {
            if (!verification.checkHead(head)
                    && proofs.isRequired()
                    && !AuthorizationInterceptor.subject(message).isKnown()) {
                throw unauthorised();
            }
        } catch (UntrustedException e) {
            throw refused(e, message);
        }
    }

    private Fault refused(UntrustedException why, SoapMessage message) {
        String reason = String.valueOf(why.getMessage());
        proofs.guard()
                .refused("message", "POST " + SoapServer.SERVICES, AuthorizationInterceptor.from(message), reason);
        return unauthorised();
    }

    private static Subject requireSame(Subject other, Subject proven) throws UntrustedException {
        if (other.isKnown() && !other.name().equals(proven.name())) {
            throw new UntrustedException(
                    "two credentials in one request, of " + other.kind() + " and " + proven.kind());
        }
        return proven;
    }

    private static Fault unauthorised() {
        return refusal(new NotAllowedException("The sender did not prove who it is.", false), UNAUTHORISED);
    }

    private static Fault refusal(NotAllowedException why, int status) {
        var fault = new Fault(why);
        fault.setStatusCode(status);
        return fault;
    }
}
