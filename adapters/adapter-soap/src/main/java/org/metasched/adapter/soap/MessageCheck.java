package org.metasched.adapter.soap;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.MessageContentsList;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.service.model.BindingOperationInfo;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.apache.cxf.ws.addressing.AddressingProperties;
import org.apache.cxf.ws.addressing.AttributedURIType;
import org.apache.cxf.ws.addressing.JAXWSAConstants;
import org.apache.cxf.ws.addressing.Names;
import org.jspecify.annotations.Nullable;
import org.metasched.http.PublicAddress;

/**
 * Refuses a message in five cases: content follows its body; the body is empty although the operation needs one; an answer could not name
 * its {@code wsa:MessageID}; its {@code wsa:Action} is that of another operation; its {@code wsa:To} is another receiver (WS-Addressing 1.0
 * SOAP Binding, section 6.4).
 */
final class MessageCheck extends AbstractSoapInterceptor {

    private static final String PASSED = MessageCheck.class.getName();

    private static final Set<String> ONCE = Set.of("Action", "MessageID", "To", "ReplyTo", "FaultTo");

    MessageCheck() {
        super(Phase.USER_LOGICAL);
    }

    @Override
    public void handleMessage(SoapMessage message) {
        var reader = message.getContent(XMLStreamReader.class);
        if (reader != null) {
            readToItsEnd(reader);
        }
        var operation = message.getExchange().getBindingOperationInfo();
        if (operation == null) {
            return;
        }
        refuseAnEmptyBody(message, operation);
        if (message.get(JAXWSAConstants.ADDRESSING_PROPERTIES_INBOUND) instanceof AddressingProperties addressed) {
            refuseRepeatedHeader(message);
            refuseInvalidId(message, value(addressed.getMessageID()));
            refuseAnotherAction(message, operation, value(addressed.getAction()));
            refuseAnotherReceiver(message, value(addressed.getTo()));
        }
        message.getExchange().put(PASSED, true);
    }

    /** Whether the message was read whole and found in order: a later failure is not the sender's. */
    static boolean hasPassed(@Nullable Exchange exchange) {
        return exchange != null && exchange.containsKey(PASSED);
    }

    /** Reads on to the end of the message, where no element may be: SOAP 1.2 part 1, section 5.1; WS-I Basic Profile 1.1, R1011. */
    static void readToItsEnd(XMLStreamReader reader) {
        try {
            while (reader.hasNext()) {
                if (reader.next() == XMLStreamConstants.START_ELEMENT) {
                    throw new XMLStreamException(
                            "it goes on with " + reader.getLocalName() + " behind the element of its operation.");
                }
            }
        } catch (XMLStreamException e) {
            throw new Fault(e);
        }
    }

    private static void refuseAnEmptyBody(SoapMessage message, BindingOperationInfo operation) {
        var expected = operation.getOperationInfo().getInput().getMessageParts();
        List<?> content = message.getContent(List.class);
        boolean missing = content == null
                || content.size() < expected.size()
                || content.stream().limit(expected.size()).anyMatch(MessageCheck::isMissing);
        if (missing) {
            throw new SoapFault(
                    "the Body of the message must hold " + expected.get(0).getElementQName()
                            + ", which is empty or not there.",
                    message.getVersion().getSender());
        }
    }

    private static boolean isMissing(@Nullable Object part) {
        return part == null || part == MessageContentsList.REMOVED_MARKER;
    }

    private static void refuseRepeatedHeader(SoapMessage message) {
        var seen = new HashSet<QName>();
        for (var header : message.getHeaders()) {
            var name = header.getName();
            if (ONCE.contains(name.getLocalPart())
                    && name.getNamespaceURI().equals(Names.WSA_NAMESPACE_NAME)
                    && !seen.add(name)) {
                throw fault(
                        message,
                        "InvalidAddressingHeader",
                        "the header wsa:" + name.getLocalPart() + " must be there once.");
            }
        }
    }

    private static void refuseInvalidId(SoapMessage message, Optional<String> id) {
        if (id.isPresent() && !isAddress(id.get())) {
            throw fault(
                    message,
                    "InvalidAddressingHeader",
                    "the wsa:MessageID (" + XmlText.of(id.get()) + ") must be an address, such as urn:uuid:…");
        }
    }

    /** Whether a text is a valid {@code xs:anyURI}. */
    static boolean isAddress(String text) {
        try {
            return !new URI(text.strip()).toString().isEmpty();
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static void refuseAnotherAction(
            SoapMessage message, BindingOperationInfo operation, Optional<String> action) {
        var attributes = operation.getOperationInfo().getInput().getExtensionAttributes();
        var known = attributes == null ? null : attributes.get(JAXWSAConstants.WSAM_ACTION_QNAME);
        String expected = known instanceof QName name ? name.getLocalPart() : Objects.toString(known, "");
        if (!expected.isEmpty() && action.filter(a -> !a.equals(expected)).isPresent()) {
            throw fault(
                    message,
                    "ActionNotSupported",
                    "the wsa:Action (" + XmlText.of(action.get()) + ") must be " + expected + " for "
                            + operation.getName().getLocalPart() + ".");
        }
    }

    private static void refuseAnotherReceiver(SoapMessage message, Optional<String> to) {
        if (to.isPresent()
                && !to.get().equals(Names.WSA_ANONYMOUS_ADDRESS)
                && message.get(AbstractHTTPDestination.HTTP_REQUEST) instanceof HttpServletRequest request
                && !isHere(to.get(), request)) {
            throw fault(
                    message,
                    "DestinationUnreachable",
                    "the wsa:To (" + XmlText.of(to.get()) + ") is not this service, which is "
                            + request.getRequestURL() + ".\n"
                            + "Maybe a proxy stands before the server, whose listener does not know its public"
                            + " address.");
        }
    }

    static boolean isHere(String to, HttpServletRequest request) {
        // The address by which the sender called the server, as a machine may have several names.
        String called = Objects.toString(request.getAttribute(PublicAddress.CALLED), "");
        return place(to).equals(place(request.getRequestURL().toString()))
                || Stream.of("", request.getContextPath())
                        .anyMatch(prefix -> place(to)
                                .equals(called
                                        + prefix
                                        + request.getServletPath()
                                        + Objects.toString(request.getPathInfo(), "")));
    }

    /** Whether an address is of this service and of no other server: the carrier of the message writes its {@code Host} header. */
    static boolean isOnlyHere(String to, HttpServletRequest request) {
        return isHere(to, request)
                && request.getAttribute(PublicAddress.SERVED_BY) instanceof PublicAddress names
                && names.isOwn(place(to).replaceFirst("/.*", ""), request.getLocalAddr());
    }

    /** Host, port and path of an address, without the scheme: a proxy may use TLS where the server does not. */
    private static String place(String address) {
        return address.replaceFirst("^https?://", "").replaceFirst("[?#].*$", "");
    }

    private static SoapFault fault(SoapMessage message, String code, String reason) {
        var fault = new SoapFault(code + ": " + reason, message.getVersion().getSender());
        fault.addSubCode(new QName(Names.WSA_NAMESPACE_NAME, code));
        return fault;
    }

    private static Optional<String> value(@Nullable AttributedURIType text) {
        return Optional.ofNullable(text).map(AttributedURIType::getValue).map(String::strip);
    }
}
