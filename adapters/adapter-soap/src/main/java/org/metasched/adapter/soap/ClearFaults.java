package org.metasched.adapter.soap;

import jakarta.xml.ws.WebFault;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.binding.soap.Soap12;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.ws.addressing.AddressingProperties;
import org.apache.cxf.ws.addressing.EndpointReferenceUtils;
import org.apache.cxf.ws.addressing.JAXWSAConstants;
import org.apache.cxf.ws.addressing.Names;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.TemporaryFailure;
import org.metasched.trust.NotAllowedException;

/**
 * Gives faults from outside the operations a text for people: the reason why a message could not be read, and no internals when the error
 * is the server's.
 */
final class ClearFaults extends AbstractSoapInterceptor {

    /** Longest text of a parser that is passed on, in characters. */
    private static final int LONGEST = 400;

    /** Names of classes, which are of no use to a sender. */
    private static final Pattern CLASS_NAMES =
            Pattern.compile("\\b(org\\.(metasched|apache|glassfish|w3c)|javax?|jakarta|com\\.sun)(\\.[\\w$]+)+");

    private static final int BAD_REQUEST = 400;
    private static final int SERVER_ERROR = 500;

    ClearFaults() {
        super(Phase.PREPARE_SEND);
    }

    @Override
    public void handleMessage(SoapMessage message) {
        if (!(message.getContent(Exception.class) instanceof Fault fault)) {
            return;
        }
        returnToSender(message);
        if (isDeclared(fault.getCause())) {
            blame(message, fault, SendersFault.isMarked(message.getExchange()));
        } else if (fault.getCause() instanceof NotAllowedException refused) {
            fault.setMessage((refused.isBusy() ? "BUSY: " : "NOT_ALLOWED: ") + refused.getMessage());
            blame(message, fault, !refused.isBusy());
        } else if (fault.getCause() instanceof TemporaryFailure away) {
            fault.setMessage(away.publicMessage());
            blame(message, fault, false);
        } else if (isInternalError(fault.getCause(), message)) {
            fault.setMessage("SERVICE_FAILED: the request failed by a mistake of the service, which has logged it.");
            blame(message, fault, false);
        } else {
            fault.setMessage("MESSAGE_INVALID: the message cannot be understood: " + reason(message, fault));
            blame(message, fault, true);
        }
    }

    /** Sends a fault back over the connection, whatever address the message named, and without an invalid message id. */
    private static void returnToSender(SoapMessage message) {
        if (message.get(JAXWSAConstants.ADDRESSING_PROPERTIES_OUTBOUND) instanceof AddressingProperties answer) {
            answer.setTo(EndpointReferenceUtils.getAnonymousEndpointReference());
            var related = answer.getRelatesTo();
            if (related != null && !MessageCheck.isAddress(Objects.toString(related.getValue(), ""))) {
                answer.setRelatesTo(null);
            }
        }
    }

    /**
     * Sets code and status by who caused the fault, the sender or the server. SOAP 1.2 answers a mistake of the sender with 400 (part 2,
     * section 7.5), SOAP 1.1 every fault with 500.
     */
    private static void blame(SoapMessage message, Fault fault, boolean sender) {
        var version = message.getVersion();
        var code = fault.getFaultCode();
        boolean special = Set.of("VersionMismatch", "MustUnderstand").contains(code.getLocalPart());
        if (special) {
            fault.setFaultCode(new QName(version.getNamespace(), code.getLocalPart()));
        } else {
            if (fault instanceof SoapFault soap && code.getNamespaceURI().equals(Names.WSA_NAMESPACE_NAME)) {
                soap.addSubCode(code);
            }
            fault.setFaultCode(sender ? version.getSender() : version.getReceiver());
        }
        if (fault.getStatusCode() == SERVER_ERROR && sender && !special && version instanceof Soap12) {
            fault.setStatusCode(BAD_REQUEST);
        }
        message.put(Message.RESPONSE_CODE, fault.getStatusCode());
    }

    /** Whether an operation made the fault, which then has its right text already. */
    private static boolean isDeclared(@Nullable Throwable cause) {
        return cause != null && cause.getClass().isAnnotationPresent(WebFault.class);
    }

    /**
     * Whether a fault is a mistake of this program: anything that is thrown after the message was read, an {@link Error} too, unless it
     * is a fault of CXF or of an operation, a refusal or a temporary failure, or the connection broke.
     */
    static boolean isInternalError(@Nullable Throwable cause, Message message) {
        return cause != null
                && !isDeclared(cause)
                && !(cause instanceof Fault
                        || cause instanceof NotAllowedException
                        || cause instanceof TemporaryFailure)
                && MessageCheck.hasPassed(message.getExchange())
                && Stream.iterate(cause, Objects::nonNull, Throwable::getCause)
                        .noneMatch(XMLStreamException.class::isInstance);
    }

    /** The WS-Addressing code of a fault that CXF made; texts of our own faults begin with their code. */
    private static Optional<QName> addressing(Fault fault) {
        return Stream.of(Optional.of(fault.getFaultCode()), subCode(fault))
                .flatMap(Optional::stream)
                .filter(code -> code.getNamespaceURI().equals(Names.WSA_NAMESPACE_NAME))
                .filter(code -> !Objects.toString(fault.getMessage(), "").startsWith(code.getLocalPart()))
                .findFirst();
    }

    private static Optional<QName> subCode(Fault fault) {
        return fault instanceof SoapFault soap ? Optional.ofNullable(soap.getSubCode()) : Optional.empty();
    }

    /** The text for a WS-Addressing code, with the header that CXF does not name. */
    private static String addressingText(QName code, SoapMessage message) {
        var sent = message.getExchange().getInMessage().get(JAXWSAConstants.ADDRESSING_PROPERTIES_INBOUND);
        boolean hasAction = sent instanceof AddressingProperties headers && headers.getAction() != null;
        return code.getLocalPart()
                + switch (code.getLocalPart()) {
                    case "MessageAddressingHeaderRequired" ->
                        ": the header wsa:" + (hasAction ? "MessageID" : "Action") + " is required and not there.";
                    case "ActionMismatch" -> ": the action of the HTTP header must be the wsa:Action.";
                    default ->
                        ": an answer goes back over its connection, so wsa:ReplyTo and wsa:FaultTo must be "
                                + Names.WSA_ANONYMOUS_ADDRESS + " where they are there.";
                };
    }

    private static String reason(SoapMessage message, Fault fault) {
        if (addressing(fault).isPresent()) {
            return addressingText(addressing(fault).get(), message);
        }
        String text = "no reason was given";
        for (Throwable t = fault; t != null; t = t.getCause()) {
            text = Objects.requireNonNullElse(t.getMessage(), text);
        }
        if (text.contains("event DTD")) {
            text = "it declares a document type, which no SOAP message may.";
        } else if (CLASS_NAMES.matcher(text).find()) {
            text = "an element or its xsi:type is not of the type that its place has by the WSDL.";
        }
        text = text.replaceFirst(
                "^Message part (\\{.*?}\\S+|\\S+) was not recognized\\..*",
                "this service has no operation for the element $1.");
        text = text.replaceFirst(
                "^No binding operation info while .*",
                "its Body is empty, or it has none; ?wsdl describes the service.");
        return XmlText.of(text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text);
    }
}
