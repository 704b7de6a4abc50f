package org.metasched.soap.introduction;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.soap.XmlText;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.outbox.OutboxDispatcher.End;
import org.w3c.dom.Element;

/** The SOAP 1.2 messages of an introduction as text, as its sender sees them. Stateless. */
final class IntroductionMessage {

    static final String NAMESPACE = "urn:metasched:introduction:1";
    static final String ACTION = NAMESPACE + "/Introduce";

    private IntroductionMessage() {}

    /**
     * Writes the message.
     *
     * @throws IllegalArgumentException when a text in it cannot stand in XML
     */
    static String write(MatchNotice notice) {
        var envelope = XmlTrees.add(XmlTrees.newDocument(), XmlNames.SOAP, "Envelope");
        var message = XmlTrees.add(XmlTrees.add(envelope, XmlNames.SOAP, "Body"), NAMESPACE, "Introduce");
        message.setAttribute("match", notice.match().toString());
        message.setAttribute("role", notice.role().name().toLowerCase(Locale.ROOT));
        message.setAttribute("preempts", String.valueOf(notice.preempts()));
        add(message, "Type", notice.type());
        add(message, "Name", notice.name());
        add(message, "Ad", notice.other().print());
        notice.ticket().ifPresent(ticket -> add(message, "Ticket", ticket));
        return XmlTrees.print(envelope);
    }

    private static void add(Element message, String name, String text) {
        if (!XmlText.of(text).equals(text)) {
            throw new IllegalArgumentException(
                    "The " + name.toLowerCase(Locale.ROOT) + " has characters that cannot stand in a message.");
        }
        XmlTrees.add(message, NAMESPACE, name, text);
    }

    /**
     * Reads an answer to the introduction of a match. It comes from a stranger, so nothing in it is resolved or believed.
     *
     * @return whether the party took the introduction or declined it; empty for anything else
     */
    static Optional<End> read(byte[] answer, UUID match) {
        try {
            var root = XmlTrees.parse("answer", new String(answer, StandardCharsets.UTF_8))
                    .getDocumentElement();
            return Optional.of(root)
                    .filter(envelope -> XmlTrees.is(envelope, XmlNames.SOAP, "Envelope"))
                    .flatMap(envelope -> XmlTrees.child(envelope, XmlNames.SOAP, "Body"))
                    .flatMap(body -> read(body, match));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<End> read(Element body, UUID match) {
        boolean isHeard = XmlTrees.children(body, NAMESPACE, "IntroduceResponse")
                .anyMatch(response -> response.getAttribute("match").equals(match.toString()));
        return isHeard
                ? Optional.of(End.TOLD)
                : XmlTrees.child(body, XmlNames.SOAP, "Fault")
                        .flatMap(fault -> XmlTrees.child(fault, XmlNames.SOAP, "Detail"))
                        .flatMap(detail -> XmlTrees.child(detail, NAMESPACE, "Declined"))
                        .map(declined -> End.DECLINED);
    }
}
