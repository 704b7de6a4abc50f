package org.metasched.adapter.soap;

import jakarta.xml.ws.WebFault;
import java.util.Objects;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.phase.Phase;
import org.jspecify.annotations.Nullable;

/**
 * Gives faults that no operation made a text for people: what is wrong with a message that could not be read, and nothing of
 * our inside when the mistake is ours.
 */
final class ClearFaults extends AbstractSoapInterceptor {

    /** How much of a parser's words is passed on, in characters. */
    private static final int LONGEST = 400;

    ClearFaults() {
        super(Phase.PREPARE_SEND);
    }

    @Override
    public void handleMessage(SoapMessage message) {
        if (!(message.getContent(Exception.class) instanceof Fault fault) || isDeclared(fault.getCause())) {
            return;
        }
        if (isOurs(fault.getCause())) {
            fault.setMessage("SERVICE_FAILED: the request failed by a mistake of the service, which has logged it.");
        } else {
            fault.setMessage("MESSAGE_INVALID: the message cannot be understood: " + words(fault));
        }
    }

    /** Whether an operation made it, so that it says what it should already. */
    private static boolean isDeclared(@Nullable Throwable cause) {
        return cause != null && cause.getClass().isAnnotationPresent(WebFault.class);
    }

    /** Whether it is neither declared nor the sender's: a runtime exception out of an operation. */
    static boolean isOurs(@Nullable Throwable cause) {
        return cause instanceof RuntimeException && !(cause instanceof Fault) && !isFromReading(cause);
    }

    private static boolean isFromReading(Throwable problem) {
        for (Throwable t = problem; t != null; t = t.getCause()) {
            if (t instanceof XMLStreamException || t.getClass().getName().startsWith("jakarta.xml.bind.")) {
                return true;
            }
        }
        return false;
    }

    private static String words(Fault fault) {
        String text = "no reason was given";
        for (Throwable t = fault; t != null; t = t.getCause()) {
            text = Objects.requireNonNullElse(t.getMessage(), text);
        }
        if (text.contains("event DTD")) {
            text = "it declares a document type, which no SOAP message may.";
        }
        return XmlText.of(text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text);
    }
}
