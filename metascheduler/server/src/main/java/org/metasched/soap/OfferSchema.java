package org.metasched.soap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.TypeInfoProvider;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.TypeInfo;
import org.xml.sax.Attributes;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * The schema of WS-Agreement documents with everything that may stand in their service descriptions. Nothing is fetched:
 * all of it lies on the class path. Thread-safe.
 */
final class OfferSchema {

    /** Files by namespace. */
    static final Map<String, String> FILES = Map.of(
            Names.WSAG, "ws-agreement.xsd",
            Names.JSDL, "jsdl.xsd",
            Names.SCHEDULING, "time-constraint.xsd",
            Names.ALLOCATION, "allocation-time.xsd",
            Names.METASCHED, "metasched-agreement.xsd");

    private static final String FOLDER = "/org/metasched/wsdl/";
    /** After this many complaints about one document, the rest goes unsaid. */
    private static final int MOST_COMPLAINTS = 20;
    /** Types that every other simple type is derived from; xs:integer and below are decimals. */
    private static final List<String> PRIMITIVES = List.of(
            "string",
            "boolean",
            "decimal",
            "float",
            "double",
            "duration",
            "dateTime",
            "time",
            "date",
            "anyURI",
            "QName",
            "hexBinary",
            "base64Binary",
            "gYearMonth",
            "gYear",
            "gMonthDay",
            "gDay",
            "gMonth",
            "NOTATION");

    private final Schema schema;

    OfferSchema() {
        this.schema = compile(
                FILES.values().stream().sorted().map(OfferSchema::source).toArray(Source[]::new));
    }

    /** What a document was found to be: complaints, and the primitive type of every element that has one. */
    record Findings(List<String> complaints, Map<Node, String> primitives) {

        Optional<String> primitive(Node element) {
            return Optional.ofNullable(primitives.get(element));
        }
    }

    Findings examine(Element root) {
        var handler = schema.newValidatorHandler();
        var complaints = new Complaints();
        var types = new TypeCollector(handler.getTypeInfoProvider());
        handler.setErrorHandler(complaints);
        handler.setContentHandler(types);
        try {
            TransformerFactory.newDefaultInstance()
                    .newTransformer()
                    .transform(new DOMSource(root), new SAXResult(handler));
        } catch (TransformerException e) {
            complaints.add(e.getMessage());
        }
        return new Findings(List.copyOf(complaints.texts), types.byNode(root));
    }

    /** A schema of our own making that may import the ones on the class path by their file names. */
    static Schema compile(Source... sources) {
        try {
            var factory = SchemaFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setProperty(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "file,jar:file");
            return factory.newSchema(sources);
        } catch (SAXException e) {
            throw new IllegalArgumentException("The schema cannot be used: " + e.getMessage(), e);
        }
    }

    /** Where a schema file lies. */
    static String location(String file) {
        var url = OfferSchema.class.getResource(FOLDER + file);
        if (url == null) {
            throw new IllegalStateException("The schema (" + file + ") is not on the class path.");
        }
        return url.toExternalForm();
    }

    /** Complaints of a schema of our own making about one tree; empty when it is valid. */
    static List<String> complaints(Schema schema, Node tree) {
        var complaints = new Complaints();
        var validator = schema.newValidator();
        validator.setErrorHandler(complaints);
        try {
            validator.validate(new DOMSource(tree));
        } catch (SAXException | IOException e) {
            complaints.add(e.getMessage());
        }
        return complaints.texts;
    }

    private static Source source(String file) {
        return new StreamSource(location(file));
    }

    private static final class Complaints implements ErrorHandler {

        final List<String> texts = new ArrayList<>();

        void add(@Nullable String text) {
            String plain = text == null ? "not valid" : SchemaWords.of(text);
            if (texts.size() < MOST_COMPLAINTS && !texts.contains(plain)) {
                texts.add(plain);
            }
        }

        @Override
        public void warning(SAXParseException e) {}

        @Override
        public void error(SAXParseException e) {
            add(e.getMessage());
        }

        @Override
        public void fatalError(SAXParseException e) {
            add(e.getMessage());
        }
    }

    /** Types in the order of the start tags, which is the order of the tree. */
    private static final class TypeCollector extends DefaultHandler {

        private final TypeInfoProvider provider;
        private final List<Optional<String>> inOrder = new ArrayList<>();

        TypeCollector(TypeInfoProvider provider) {
            this.provider = provider;
        }

        @Override
        public void startElement(String uri, String localName, String name, Attributes attributes) {
            inOrder.add(primitiveOf(provider.getElementTypeInfo()));
        }

        private static Optional<String> primitiveOf(TypeInfo type) {
            if (type == null) {
                return Optional.empty();
            }
            String xs = XMLConstants.W3C_XML_SCHEMA_NS_URI;
            int anyWay = TypeInfo.DERIVATION_RESTRICTION | TypeInfo.DERIVATION_EXTENSION;
            return PRIMITIVES.stream()
                    .filter(p -> (xs.equals(type.getTypeNamespace()) && p.equals(type.getTypeName()))
                            || type.isDerivedFrom(xs, p, anyWay))
                    .findFirst();
        }

        Map<Node, String> byNode(Element root) {
            var types = new IdentityHashMap<Node, String>();
            var rest = inOrder.iterator();
            assign(root, rest, types);
            return types;
        }

        private static void assign(
                Element element, java.util.Iterator<Optional<String>> rest, Map<Node, String> types) {
            if (rest.hasNext()) {
                rest.next().ifPresent(t -> types.put(element, t));
                Xml.children(element).forEach(c -> assign(c, rest, types));
            }
        }
    }
}
