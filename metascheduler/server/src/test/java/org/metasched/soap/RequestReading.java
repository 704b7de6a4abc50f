package org.metasched.soap;

import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.xml.XMLConstants;
import javax.xml.datatype.DatatypeConstants;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.parsers.DocumentBuilderFactory;
import org.metasched.client.xml.XmlNames;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;

/**
 * What a message asks for, read from its text without the product's code: plain resource terms and one time term, all in one {@code All}. It
 * takes only what it knows, so that a message which is accepted and cannot be read here is a finding.
 */
final class RequestReading {

    private static final Set<String> RESOURCES = Set.of("CandidateHosts", "TotalResourceCount");
    private static final Set<String> DESCRIPTIONS = Set.of("JobDefinition", "JobDescription");

    private final Map<String, String> parts = new TreeMap<>();
    private final Map<String, String> time = new LinkedHashMap<>();

    /** For each term its site and number of nodes. */
    record Request(Map<String, String> parts, Instant start, Duration length) {}

    /**
     * Reads the terms of an offer.
     *
     * @param now when an offer without a start may begin
     * @throws IllegalArgumentException when something is there that it does not know, with its place
     */
    static Request of(Element terms, Instant now) throws Exception {
        var reading = new RequestReading();
        for (var term : elements(only(terms, XmlNames.WSAG, "All"))) {
            reading.term(term);
        }
        var from = reading.instant("StartTime");
        var until = reading.instant("EndTime");
        var start = from.filter(now::isBefore).orElse(now);
        var length = Optional.ofNullable(reading.time.get("Duration"))
                .map(minutes -> Duration.ofMinutes(Integer.parseInt(minutes)))
                .orElseGet(() -> Duration.between(from.orElseThrow(), until.orElseThrow()));
        if (until.filter(start.plus(length)::isAfter).isPresent()) {
            throw new IllegalArgumentException("The time ends too early: " + reading.time);
        }
        return new Request(reading.parts, start, length);
    }

    /** The one {@code wsag:Terms} of a message or a document. */
    static Element terms(String message) throws Exception {
        return single(parsed(message), XmlNames.WSAG, "Terms");
    }

    /** Text as it is, {@code XML} for anything else. */
    static String initiator(Document message) {
        var found = message.getElementsByTagNameNS(XmlNames.WSAG, "AgreementInitiator");
        if (found.getLength() == 0) {
            return "";
        }
        var initiator = (Element) found.item(0);
        return elementsIn(initiator).isEmpty() ? initiator.getTextContent().strip() : "XML";
    }

    static Element single(Document document, String namespace, String name) {
        var found = document.getElementsByTagNameNS(namespace, name);
        if (found.getLength() != 1) {
            throw new IllegalArgumentException(found.getLength() + " elements " + name);
        }
        return (Element) found.item(0);
    }

    static Document parsed(String message) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        var builder = factory.newDocumentBuilder();
        builder.setErrorHandler(null);
        return builder.parse(new InputSource(new StringReader(message)));
    }

    private void term(Element term) {
        known(term, XmlNames.WSAG, Set.of("ServiceDescriptionTerm"));
        var content = elements(term);
        if (content.size() != 1) {
            throw new IllegalArgumentException(content.size() + " descriptions of a service");
        }
        var description = content.get(0);
        if (description.getLocalName().equals("TimeConstraint")) {
            known(description, XmlNames.SCHEDULING, Set.of("TimeConstraint"));
            if (!time.isEmpty()) {
                throw new IllegalArgumentException("two times");
            }
            for (var value : elements(description)) {
                known(value, XmlNames.SCHEDULING, Set.of("StartTime", "EndTime", "Duration"));
                once(time, value.getLocalName(), text(value));
            }
            return;
        }
        while (DESCRIPTIONS.contains(description.getLocalName())) {
            known(description, XmlNames.JSDL, DESCRIPTIONS);
            description = elements(description).get(0);
        }
        known(description, XmlNames.JSDL, Set.of("Resources"));
        once(parts, term.getAttributeNS(XmlNames.WSAG, "Name"), resources(description));
    }

    /** The first host, as all are idle, with the smallest number that the range allows. */
    private static String resources(Element resources) {
        var said = new TreeMap<String, String>();
        for (var element : elements(resources)) {
            known(element, XmlNames.JSDL, RESOURCES);
            var inside = elements(element);
            if (element.getLocalName().equals("CandidateHosts")) {
                inside.forEach(host -> known(host, XmlNames.JSDL, Set.of("HostName")));
                once(said, "host", text(inside.get(0)));
            } else {
                once(said, "nodes", Long.toString(smallest(inside)));
            }
        }
        return said.get("host") + " " + said.get("nodes");
    }

    private static long smallest(List<Element> range) {
        return range.stream()
                .mapToLong(value -> {
                    known(value, XmlNames.JSDL, Set.of("Exact", "LowerBoundedRange"));
                    double number = Double.parseDouble(text(value));
                    if (value.getLocalName().equals("Exact")) {
                        if (number != Math.rint(number)) {
                            throw new IllegalArgumentException("no whole number: " + number);
                        }
                        return (long) number;
                    }
                    boolean above = Set.of("true", "1").contains(value.getAttribute("exclusiveBound"));
                    return (long) Math.max(1, above ? Math.floor(number) + 1 : Math.ceil(number));
                })
                .filter(number -> number > 0)
                .min()
                .orElseThrow();
    }

    private static void once(Map<String, String> values, String name, String value) {
        if (values.put(name, value) != null) {
            throw new IllegalArgumentException(name + " is said twice");
        }
    }

    private Optional<Instant> instant(String name) throws Exception {
        var types = DatatypeFactory.newInstance();
        return Optional.ofNullable(time.get(name))
                .map(types::newXMLGregorianCalendar)
                .map(value -> {
                    if (value.getTimezone() == DatatypeConstants.FIELD_UNDEFINED) {
                        throw new IllegalArgumentException(name + " has no zone");
                    }
                    return value.toGregorianCalendar().toInstant();
                });
    }

    private static Element only(Element parent, String namespace, String name) {
        var inside = elements(parent);
        if (inside.size() != 1) {
            throw new IllegalArgumentException(inside.size() + " elements in " + parent.getNodeName());
        }
        known(inside.get(0), namespace, Set.of(name));
        return inside.get(0);
    }

    /** Of one of these names, and without an instruction of XML Schema. */
    private static void known(Element element, String namespace, Set<String> names) {
        boolean isKnown = namespace.equals(element.getNamespaceURI()) && names.contains(element.getLocalName());
        var attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            isKnown &= !XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI.equals(
                    attributes.item(i).getNamespaceURI());
        }
        if (!isKnown) {
            throw new IllegalArgumentException("{" + element.getNamespaceURI() + "}" + element.getLocalName());
        }
    }

    private static List<Element> elements(Element parent) {
        var elements = new ArrayList<Element>();
        for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element element) {
                elements.add(element);
            } else if (n.getNodeType() == Node.TEXT_NODE && !n.getTextContent().isBlank()) {
                throw new IllegalArgumentException("text in " + parent.getNodeName() + ": " + n.getTextContent());
            }
        }
        return elements;
    }

    private static String text(Element element) {
        if (!elementsIn(element).isEmpty()) {
            throw new IllegalArgumentException("elements in " + element.getNodeName());
        }
        return element.getTextContent().strip();
    }

    private static List<Node> elementsIn(Element element) {
        var elements = new ArrayList<Node>();
        for (Node n = element.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element) {
                elements.add(n);
            }
        }
        return elements;
    }
}
