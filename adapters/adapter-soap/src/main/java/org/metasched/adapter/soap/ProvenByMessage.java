package org.metasched.adapter.soap;

import jakarta.servlet.http.HttpServletRequest;
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
import org.metasched.trust.NotAllowedException;
import org.metasched.trust.Subject;
import org.metasched.trust.UntrustedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out who speaks by the security header of a message, before anything of it is processed; what is processed afterwards are the elements
 * that were verified. Beside another proof it must be of the same subject; then the header counts.
 */
final class ProvenByMessage extends AbstractSoapInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(ProvenByMessage.class);
    private static final int UNAUTHORISED = 401;

    private final Authentication asked;

    ProvenByMessage(Authentication asked) {
        super(Phase.POST_STREAM);
        addAfter(StaxInInterceptor.class.getName());
        addBefore(UsualPrefixes.class.getName());
        this.asked = asked;
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
        try {
            var document = StaxUtils.read(reader);
            message.setContent(XMLStreamReader.class, StaxUtils.createXMLStreamReader(document));
            var proven = asked.messages()
                    .orElseThrow()
                    .verify(document, request.isSecure(), to -> MessageCheck.isHere(to, request));
            if (proven.isPresent()) {
                request.setAttribute(Subject.ATTRIBUTE, one(AuthorizationInterceptor.subject(message), proven.get()));
            }
        } catch (XMLStreamException e) {
            throw new Fault(e);
        } catch (UntrustedException e) {
            LOG.info("A message from {} is refused: {}", request.getRemoteAddr(), e.getMessage());
            throw unauthorised();
        }
        if (asked.isRequired() && !AuthorizationInterceptor.subject(message).isKnown()) {
            throw unauthorised();
        }
    }

    private static Subject one(Subject other, Subject proven) throws UntrustedException {
        if (other.isKnown() && !other.name().equals(proven.name())) {
            throw new UntrustedException(
                    "two credentials in one request, of " + other.kind() + " and " + proven.kind());
        }
        return proven;
    }

    private static Fault unauthorised() {
        var fault = new Fault(new NotAllowedException("The sender did not prove who it is.", false));
        fault.setStatusCode(UNAUTHORISED);
        return fault;
    }
}
