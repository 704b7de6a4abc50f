package org.metasched.soap;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.metasched.adapter.soap.NoAnswer;
import org.metasched.agreement.OfferDocument;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.http.OutboundClient;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.OutboxDispatcher;
import org.metasched.outbox.OutboxDispatcher.Answer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Element;

/** One call of {@code AcceptAgreement} or {@code RejectAgreement}: the reference itself names the offer. Thread-safe. */
final class AcceptanceCall {

    static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Logger LOG = LoggerFactory.getLogger(AcceptanceCall.class);
    private static final String SOAP = "http://www.w3.org/2003/05/soap-envelope";

    private final OutboundClient http;

    AcceptanceCall(OutboundClient http) {
        this.http = http;
    }

    Answer make(Message message) throws InterruptedException {
        var reference = new OfferDocument(message.receiver());
        String operation = message.body().equals(AcceptanceCalls.ACCEPTED) ? "AcceptAgreement" : "RejectAgreement";
        try {
            var address = AcceptanceReference.callable(reference, http.policy());
            var reply = http.post(
                    address,
                    "application/soap+xml; charset=utf-8; action=\"" + action(operation) + '"',
                    envelope(reference, address, operation).getBytes(StandardCharsets.UTF_8),
                    PATIENCE);
            return outcome(message, reply);
        } catch (InvalidOfferException | IllegalArgumentException e) {
            return new Answer(OutboxDispatcher.End.NOT_CALLED, String.valueOf(e.getMessage()));
        } catch (ExecutionException e) {
            return Answer.silent(NoAnswer.reason(e));
        }
    }

    /** A fault that the service declares is an answer too; anything else is none, and the call is made again. */
    private static Answer outcome(Message message, OutboundClient.Reply reply) {
        try {
            var root = XmlTrees.parse("answer", new String(reply.body(), StandardCharsets.UTF_8))
                    .getDocumentElement();
            boolean answered = holds(root, "AcceptAgreementResponse") || holds(root, "RejectAgreementResponse");
            boolean declared = holds(root, "ContinuingFault");
            if (declared) {
                LOG.info("{}: its initiator answers with a fault", message);
            }
            return answered || declared ? Answer.TOLD : silent(reply);
        } catch (IllegalArgumentException e) {
            return silent(reply);
        }
    }

    private static boolean holds(Element root, String name) {
        return XmlTrees.descendants(root, XmlNames.WSAG, name).findFirst().isPresent();
    }

    private static Answer silent(OutboundClient.Reply reply) {
        return Answer.silent("status " + reply.status() + " and no answer to the message");
    }

    private static String action(String operation) {
        return XmlNames.WSAG + "/" + operation + "Request";
    }

    /** Every reference parameter goes back as a header that says what it is. */
    private static String envelope(OfferDocument reference, URI address, String operation) {
        var document = XmlTrees.newDocument();
        var envelope = XmlTrees.add(document, SOAP, "Envelope");
        var header = XmlTrees.add(envelope, SOAP, "Header");
        addressing(header, "Action", action(operation));
        addressing(header, "MessageID", "urn:uuid:" + UUID.randomUUID());
        addressing(header, "To", address.toString());
        for (var parameter : AcceptanceReference.parameters(reference)) {
            XmlTrees.adopt(header, parameter).setAttributeNS(XmlNames.ADDRESSING, "wsa:IsReferenceParameter", "true");
        }
        XmlTrees.add(XmlTrees.add(envelope, SOAP, "Body"), XmlNames.WSAG, operation + "Input");
        return XmlTrees.print(envelope);
    }

    private static void addressing(Element header, String name, String text) {
        XmlTrees.add(header, XmlNames.ADDRESSING, name).setTextContent(text);
    }
}
