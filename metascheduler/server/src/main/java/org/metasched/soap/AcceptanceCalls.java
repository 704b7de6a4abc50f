package org.metasched.soap;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.metasched.adapter.soap.NoAnswer;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementListener;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.OfferDocument;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.http.OutboundClient;
import org.metasched.http.OutboundPolicy;
import org.metasched.outbox.Outbox;
import org.metasched.outbox.Outbox.Kind;
import org.metasched.outbox.Outbox.Message;
import org.metasched.outbox.Outbox.MessageKey;
import org.metasched.outbox.OutboxDispatcher;
import org.metasched.outbox.OutboxDispatcher.Answer;
import org.metasched.outbox.RetryPolicy;
import org.metasched.trust.ClientCredentials;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Element;

/**
 * Listener that tells the initiators of pending offers the decision. The transaction of a decision also stores a message about it; an {@link
 * OutboxDispatcher} calls each initiator at least once, also across a crash between the decision and the call. An initiator that does not answer
 * is called 20 times in about nine hours, and can always look at the agreement's state. Register it before the first offer. Thread-safe.
 */
public final class AcceptanceCalls implements AgreementListener, AutoCloseable {

    private static final String ACCEPTED = "accepted";
    private static final String REJECTED = "rejected";
    private static final Logger LOG = LoggerFactory.getLogger(AcceptanceCalls.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    static final RetryPolicy USUAL_RETRIES = retries(Duration.ofSeconds(2));

    private final Outbox outbox;
    private final OutboundClient http;
    private final OutboxDispatcher dispatcher;

    /**
     * @param policy policy of calls to the addresses that offers name
     * @param caller credentials of the server at the receiver
     */
    public AcceptanceCalls(Outbox outbox, OutboundPolicy policy, ClientCredentials caller) {
        this(outbox, policy, caller, USUAL_RETRIES);
    }

    AcceptanceCalls(Outbox outbox, OutboundPolicy policy, ClientCredentials caller, RetryPolicy retries) {
        this.outbox = outbox;
        this.http = new OutboundClient(policy, caller, TIMEOUT);
        this.dispatcher = new OutboxDispatcher(outbox, Kind.DECISION, retries, this::call);
    }

    static RetryPolicy retries(Duration firstPause) {
        // The client ends a call after TIMEOUT; the dispatcher, which interrupts it, comes later.
        return new RetryPolicy(64, 2, TIMEOUT.multipliedBy(2), 20, firstPause, 2, Duration.ofHours(1), false);
    }

    @Override
    public void changing(AgreementState before, Agreement next) {
        notice(before, next).ifPresent(message -> outbox.store(List.of(message)));
    }

    @Override
    public void changed(AgreementState before, Agreement after) {
        notice(before, after).ifPresent(message -> dispatcher.deliver(List.of(message.key())));
    }

    /** The message about a decision, if the offer asks for one; there is none about the end of a withdrawn offer. */
    private static Optional<Message> notice(AgreementState before, Agreement after) {
        boolean isAccepted = after.state() == AgreementState.OBSERVED;
        if (!before.isUndecided() || !isAccepted && after.state() != AgreementState.REJECTED) {
            return Optional.empty();
        }
        return after.offer()
                .acceptance()
                .map(reference -> new Message(
                        new MessageKey(Kind.DECISION, after.id().value(), lane(after, reference)),
                        reference.text(),
                        isAccepted ? ACCEPTED : REJECTED,
                        0));
    }

    private static String lane(Agreement agreement, OfferDocument reference) {
        try {
            String host = String.valueOf(
                            URI.create(AcceptanceReference.address(reference)).getHost())
                    .toLowerCase(Locale.ROOT);
            return host.length() > MessageKey.LONGEST_LANE ? host.substring(0, MessageKey.LONGEST_LANE) : host;
        } catch (IllegalArgumentException e) {
            // An offer with such a reference is refused; if one is stored all the same, its call ends at once.
            return agreement.id().value();
        }
    }

    /** Calls an initiator. The message names no agreement, as the initiator's reference stands for one. */
    private Answer call(Message message) throws InterruptedException {
        var reference = new OfferDocument(message.receiver());
        String operation = message.body().equals(ACCEPTED) ? "AcceptAgreement" : "RejectAgreement";
        try {
            var address = AcceptanceReference.checkedAddress(reference, http.policy());
            var reply = http.post(
                    address,
                    "application/soap+xml; charset=utf-8; action=\"" + action(operation) + '"',
                    envelope(reference, address, operation).getBytes(StandardCharsets.UTF_8),
                    Map.of(),
                    TIMEOUT);
            return outcome(message, reply);
        } catch (InvalidOfferException | IllegalArgumentException e) {
            return new Answer(OutboxDispatcher.End.NOT_CALLED, String.valueOf(e.getMessage()));
        } catch (ExecutionException e) {
            return Answer.silent(NoAnswer.reason(e));
        }
    }

    /** The end of a call. A fault that the service declares is an answer too; after anything else the call is made again. */
    private static Answer outcome(Message message, OutboundClient.Reply reply) {
        try {
            var root = XmlTrees.parse("answer", new String(reply.body(), StandardCharsets.UTF_8))
                    .getDocumentElement();
            boolean isAnswered = holds(root, "AcceptAgreementResponse") || holds(root, "RejectAgreementResponse");
            boolean isDeclaredFault = holds(root, "ContinuingFault");
            if (isDeclaredFault) {
                LOG.info("{}: its initiator answers with a fault", message);
            }
            return isAnswered || isDeclaredFault ? Answer.TOLD : silent(reply);
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

    /** The message. Each reference parameter goes back as a header with {@code IsReferenceParameter}. */
    private static String envelope(OfferDocument reference, URI address, String operation) {
        var document = XmlTrees.newDocument();
        var envelope = XmlTrees.add(document, XmlNames.SOAP, "Envelope");
        var header = XmlTrees.add(envelope, XmlNames.SOAP, "Header");
        addressing(header, "Action", action(operation));
        addressing(header, "MessageID", "urn:uuid:" + UUID.randomUUID());
        addressing(header, "To", address.toString());
        for (var parameter : AcceptanceReference.parameters(reference)) {
            XmlTrees.adopt(header, parameter).setAttributeNS(XmlNames.ADDRESSING, "wsa:IsReferenceParameter", "true");
        }
        XmlTrees.add(XmlTrees.add(envelope, XmlNames.SOAP, "Body"), XmlNames.WSAG, operation + "Input");
        return XmlTrees.print(envelope);
    }

    private static void addressing(Element header, String name, String text) {
        XmlTrees.add(header, XmlNames.ADDRESSING, name).setTextContent(text);
    }

    /** The number of decisions since the start whose calls came to this end. */
    public long count(OutboxDispatcher.End end) {
        return dispatcher.count(end);
    }

    /** Begins the stored calls that are not under way: at the start of a server, and after the store failed. */
    public void collect() {
        dispatcher.collect();
    }

    /** Cuts off calls under way; the next server makes them again. */
    @Override
    public void close() {
        dispatcher.close();
        http.close();
    }
}
