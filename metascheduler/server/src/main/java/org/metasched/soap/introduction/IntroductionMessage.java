package org.metasched.soap.introduction;

import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.util.UUID;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.metasched.wsag.introduction.Introduce;
import org.metasched.wsag.introduction.RoleType;

/** The SOAP 1.2 messages of an introduction as text, as its sender sees them. Stateless. */
final class IntroductionMessage {

    static final String NAMESPACE = "urn:metasched:introduction:1";
    static final String ACTION = NAMESPACE + "/Introduce";
    private static final String SOAP = "http://www.w3.org/2003/05/soap-envelope";
    private static final JAXBContext CONTEXT = context();

    /** Answer of a party. */
    enum Answer {
        HEARD,
        DECLINED,
        GARBAGE
    }

    private IntroductionMessage() {}

    /**
     * Writes the message.
     *
     * @throws IllegalArgumentException when a text in it cannot stand in XML
     */
    static String write(MatchNotice notice) {
        var message = new Introduce();
        message.setMatch(notice.match().toString());
        message.setRole(notice.role() == MatchNotice.Role.CUSTOMER ? RoleType.CUSTOMER : RoleType.OFFER);
        message.setType(xml("type", notice.type()));
        message.setName(xml("name", notice.name()));
        message.setAd(xml("ad", notice.other().print()));
        notice.ticket().ifPresent(ticket -> message.setTicket(xml("ticket", ticket)));
        message.setPreempts(notice.preempts());
        try {
            Marshaller marshaller = CONTEXT.createMarshaller();
            marshaller.setProperty(Marshaller.JAXB_FRAGMENT, true);
            var body = new StringWriter();
            marshaller.marshal(message, body);
            return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><s:Envelope xmlns:s=\"" + SOAP + "\"><s:Body>" + body
                    + "</s:Body></s:Envelope>";
        } catch (JAXBException e) {
            throw new IllegalStateException("An introduction cannot be written: " + e.getMessage(), e);
        }
    }

    private static String xml(String what, String text) {
        boolean fits = text.codePoints()
                .allMatch(c -> c >= 0x20 && c <= 0xD7FF
                        || c == '\t'
                        || c == '\n'
                        || c == '\r'
                        || c >= 0xE000 && c <= 0xFFFD
                        || c >= 0x10000);
        if (!fits) {
            throw new IllegalArgumentException("The " + what + " has characters that cannot stand in a message.");
        }
        return text;
    }

    /** Reads an answer to the introduction of a match: from a stranger, so nothing in it is resolved or believed. */
    static Answer read(byte[] answer, UUID match) {
        var factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(answer));
            return read(reader, match);
        } catch (XMLStreamException e) {
            return Answer.GARBAGE;
        }
    }

    private static Answer read(XMLStreamReader reader, UUID match) throws XMLStreamException {
        int depth = 0;
        boolean fault = false;
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.DTD) {
                return Answer.GARBAGE;
            }
            if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
            } else if (event == XMLStreamConstants.START_ELEMENT) {
                depth++;
                if (depth == 1 && !is(reader, SOAP, "Envelope")) {
                    return Answer.GARBAGE;
                }
                if (depth == 3 && is(reader, NAMESPACE, "IntroduceResponse")) {
                    return match.toString().equals(reader.getAttributeValue(null, "match"))
                            ? Answer.HEARD
                            : Answer.GARBAGE;
                }
                fault |= depth == 3 && is(reader, SOAP, "Fault");
                if (fault && depth == 5 && is(reader, NAMESPACE, "Declined")) {
                    return Answer.DECLINED;
                }
            }
        }
        return Answer.GARBAGE;
    }

    private static boolean is(XMLStreamReader reader, String namespace, String name) {
        return name.equals(reader.getLocalName()) && namespace.equals(reader.getNamespaceURI());
    }

    private static JAXBContext context() {
        try {
            return JAXBContext.newInstance(Introduce.class);
        } catch (JAXBException e) {
            throw new IllegalStateException("The binding of introductions cannot be used: " + e.getMessage(), e);
        }
    }
}
