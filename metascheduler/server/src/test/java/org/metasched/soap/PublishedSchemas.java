package org.metasched.soap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/**
 * The schemas that OGF, OASIS and W3C published, where they are beside this checkout, with ours for what the specifications leave open: a
 * wildcard of WS-ResourceProperties takes only what a schema declares.
 */
final class PublishedSchemas {

    static final Path DRIVER =
            Path.of(System.getProperty("metasched.shared", "../../../shared"), "wsag/schemas/all-local.xsd");

    private static final Set<String> SOAP =
            Set.of("http://www.w3.org/2003/05/soap-envelope", "http://schemas.xmlsoap.org/soap/envelope/");

    private static final Optional<Schema> SCHEMA = compiled();

    private PublishedSchemas() {}

    static boolean areHere() {
        return SCHEMA.isPresent();
    }

    static String notHere() {
        return "the published schemas are not beside this checkout (" + DRIVER + ")";
    }

    /** What is wrong with a SOAP message: its headers of WS-Addressing, its body and the detail of its fault. Nothing where no schema is here. */
    static List<String> complaints(String message) {
        if (!areHere()) {
            return List.of();
        }
        Element envelope;
        try {
            envelope = XmlTrees.parse("message", message).getDocumentElement();
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        String soap = envelope.getNamespaceURI();
        if (!SOAP.contains(soap) || !envelope.getLocalName().equals("Envelope")) {
            return List.of("{" + soap + "}" + envelope.getLocalName() + " is no SOAP envelope");
        }
        var complaints = new ArrayList<String>();
        XmlTrees.child(envelope, soap, "Header").stream()
                .flatMap(header -> XmlTrees.children(header).stream())
                .filter(block -> XmlNames.ADDRESSING.equals(block.getNamespaceURI()))
                .forEach(block -> judge(block, complaints));
        var bodies = XmlTrees.children(envelope, soap, "Body").toList();
        var content =
                bodies.stream().flatMap(b -> XmlTrees.children(b).stream()).toList();
        if (bodies.size() != 1 || content.size() != 1) {
            complaints.add(bodies.size() + " bodies with " + content.size() + " elements");
        }
        for (var element : content) {
            if (XmlTrees.is(element, soap, "Fault")) {
                fault(element, complaints);
            } else {
                judge(element, complaints);
            }
        }
        return complaints;
    }

    /** A fault has its children in their order, and its detail is what a schema declares. */
    private static void fault(Element fault, List<String> complaints) {
        boolean twelve = fault.getNamespaceURI().startsWith("http://www.w3.org/");
        var names = XmlTrees.children(fault).stream().map(Element::getLocalName).toList();
        String form =
                twelve ? "Code Reason( Node)?( Role)?( Detail)?" : "faultcode faultstring( faultactor)?( detail)?";
        if (!String.join(" ", names).matches(form)) {
            complaints.add("a fault of " + names);
        }
        XmlTrees.children(fault).stream()
                .filter(e -> e.getLocalName().equalsIgnoreCase("detail"))
                .flatMap(detail -> XmlTrees.children(detail).stream())
                .forEach(element -> judge(element, complaints));
    }

    private static void judge(Element element, List<String> complaints) {
        String namespace = String.valueOf(element.getNamespaceURI());
        if (namespace.startsWith("urn:metasched:") && !namespace.equals(XmlNames.METASCHED)) {
            return;
        }
        try {
            SCHEMA.orElseThrow().newValidator().validate(new DOMSource(element));
        } catch (SAXException | IOException e) {
            complaints.add(XmlTrees.path(element) + ": " + e.getMessage());
        }
    }

    private static Optional<Schema> compiled() {
        if (!Files.exists(DRIVER)) {
            return Optional.empty();
        }
        var ours = PublishedSchemas.class.getResource("/org/metasched/wsdl/metasched-agreement.xsd");
        Source[] sources = Stream.of(
                        DRIVER.toUri().toString(),
                        DRIVER.resolveSibling("local/r-2.xsd").toUri().toString(),
                        ours.toExternalForm())
                .map(StreamSource::new)
                .toArray(Source[]::new);
        try {
            return Optional.of(SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                    .newSchema(sources));
        } catch (SAXException e) {
            throw new IllegalStateException("The published schemas cannot be read: " + e.getMessage(), e);
        }
    }
}
