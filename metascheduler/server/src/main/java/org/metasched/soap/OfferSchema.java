package org.metasched.soap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.TypeInfoProvider;
import javax.xml.validation.Validator;
import javax.xml.validation.ValidatorHandler;
import org.jspecify.annotations.Nullable;
import org.metasched.client.xml.ObjectPool;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.Text;
import org.w3c.dom.TypeInfo;
import org.xml.sax.Attributes;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.AttributesImpl;
import org.xml.sax.helpers.DefaultHandler;

/**
 * The schema of WS-Agreement documents with everything that may stand in their service descriptions. Nothing is fetched:
 * all of it lies on the class path. Thread-safe.
 */
final class OfferSchema {

    /** Files by namespace. */
    static final Map<String, String> FILES = Map.of(
            XmlNames.WSAG, "ws-agreement.xsd",
            XmlNames.NEGOTIATION, "ws-agreement-negotiation.xsd",
            XmlNames.JSDL, "jsdl.xsd",
            XmlNames.SCHEDULING, "time-constraint.xsd",
            XmlNames.ALLOCATION, "allocation-time.xsd",
            XmlNames.METASCHED, "metasched-agreement.xsd");

    private static final String FOLDER = "/org/metasched/wsdl/";
    /** The most complaints about one document that are kept. */
    private static final int MOST_COMPLAINTS = 20;
    /** Types that every other simple type is derived from; xs:integer and below are decimals. */
    private static final List<String> PRIMITIVES =
            List.of(("string boolean decimal float double duration dateTime time date anyURI QName hexBinary"
                            + " base64Binary gYearMonth gYear gMonthDay gDay gMonth NOTATION")
                    .split(" "));

    /** Compiled once for the process. */
    private static final Schema SCHEMA =
            compile(FILES.values().stream().sorted().map(OfferSchema::source).toArray(Source[]::new));

    private final ObjectPool<ValidatorHandler> validators = new ObjectPool<>(SCHEMA::newValidatorHandler);
    /** Primitive types by the types of the schema, which stay the same objects. */
    private final Map<TypeInfo, Optional<String>> primitives = new ConcurrentHashMap<>();

    /** Findings about a document: complaints, and the primitive type of every element that has one. */
    record Findings(List<String> complaints, Map<Node, String> primitives) {

        Optional<String> primitive(Node element) {
            return Optional.ofNullable(primitives.get(element));
        }
    }

    /** Validates a document. */
    Findings examine(Element root) {
        return validators.with(validator -> examine(root, validator));
    }

    private Findings examine(Element root, ValidatorHandler validator) {
        var walk = new Walk(validator);
        validator.setErrorHandler(walk);
        validator.setContentHandler(walk);
        try {
            validator.startDocument();
            walk.feed(root);
            validator.endDocument();
        } catch (SAXException e) {
            walk.complaints.add(e.getMessage());
        }
        return new Findings(List.copyOf(walk.complaints.texts), walk.types);
    }

    private static Optional<String> primitiveOf(TypeInfo type) {
        String xs = XMLConstants.W3C_XML_SCHEMA_NS_URI;
        int anyDerivation = TypeInfo.DERIVATION_RESTRICTION | TypeInfo.DERIVATION_EXTENSION;
        return PRIMITIVES.stream()
                .filter(p -> (xs.equals(type.getTypeNamespace()) && p.equals(type.getTypeName()))
                        || type.isDerivedFrom(xs, p, anyDerivation))
                .findFirst();
    }

    /** A schema that may import those on the class path by their locations. */
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

    /** The address of a schema file. */
    static String location(String file) {
        var url = OfferSchema.class.getResource(FOLDER + file);
        if (url == null) {
            throw new IllegalStateException("The schema (" + file + ") is not on the class path.");
        }
        return url.toExternalForm();
    }

    /** Complaints of a schema about one tree; empty when it is valid. */
    static List<String> complaints(ObjectPool<Validator> validators, Node tree) {
        var complaints = new Complaints();
        try {
            validators.with(validator -> {
                validator.setErrorHandler(complaints);
                validate(validator, tree);
                return tree;
            });
        } catch (SAXException e) {
            complaints.add(e.getMessage());
        }
        return complaints.texts;
    }

    private static void validate(Validator validator, Node tree) throws SAXException {
        try {
            validator.validate(new DOMSource(tree));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Source source(String file) {
        return new StreamSource(location(file));
    }

    private static final class Complaints extends DefaultHandler {

        final List<String> texts = new ArrayList<>();

        void add(@Nullable String text) {
            add("", text);
        }

        void add(String place, @Nullable String text) {
            String plain = place + (text == null ? "not valid" : SchemaWords.of(text));
            if (texts.size() < MOST_COMPLAINTS && !texts.contains(plain) && !repeats(place, text)) {
                texts.add(plain);
            }
        }

        /** Whether a message repeats in general that an element is not valid, after the reason. */
        private boolean repeats(String place, @Nullable String text) {
            return text != null
                    && SchemaWords.GENERAL.matcher(text).lookingAt()
                    && !texts.isEmpty()
                    && texts.get(texts.size() - 1).startsWith(place);
        }

        @Override
        public void error(SAXParseException e) {
            add(e.getMessage());
        }

        @Override
        public void fatalError(SAXParseException e) {
            add(e.getMessage());
        }
    }

    /** Feeds a validator with a tree, and so knows the element of each complaint. */
    private final class Walk extends DefaultHandler {

        final Complaints complaints = new Complaints();
        final Map<Node, String> types = new IdentityHashMap<>();
        private final ValidatorHandler validator;
        private final TypeInfoProvider provider;
        private @Nullable Element current;

        Walk(ValidatorHandler validator) {
            this.validator = validator;
            this.provider = validator.getTypeInfoProvider();
        }

        void feed(Element element) throws SAXException {
            var around = current;
            current = element;
            var uri = uri(element);
            if (element.getNamespaceURI() != null) {
                validator.startPrefixMapping(prefix(element), uri);
            }
            var attributes = attributes(element.getAttributes());
            validator.startElement(uri, element.getLocalName(), element.getNodeName(), attributes);
            for (Node child = element.getFirstChild(); child != null; child = child.getNextSibling()) {
                if (child instanceof Element inner) {
                    feed(inner);
                } else if (child instanceof Text text) {
                    char[] characters = text.getData().toCharArray();
                    validator.characters(characters, 0, characters.length);
                }
            }
            validator.endElement(uri, element.getLocalName(), element.getNodeName());
            current = around;
        }

        /** The attributes without declarations of prefixes, which the validator gets apart and forgets with the element. */
        private Attributes attributes(NamedNodeMap all) throws SAXException {
            var attributes = new AttributesImpl();
            for (int i = 0; i < all.getLength(); i++) {
                var attribute = all.item(i);
                if (XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
                    boolean isDefault = attribute.getPrefix() == null;
                    validator.startPrefixMapping(isDefault ? "" : attribute.getLocalName(), attribute.getNodeValue());
                } else {
                    if (attribute.getPrefix() != null) {
                        validator.startPrefixMapping(prefix(attribute), uri(attribute));
                    }
                    attributes.addAttribute(
                            uri(attribute),
                            Objects.requireNonNullElse(attribute.getLocalName(), attribute.getNodeName()),
                            attribute.getNodeName(),
                            "CDATA",
                            attribute.getNodeValue());
                }
            }
            return attributes;
        }

        private static String uri(Node node) {
            return Objects.requireNonNullElse(node.getNamespaceURI(), "");
        }

        private static String prefix(Node node) {
            return Objects.requireNonNullElse(node.getPrefix(), "");
        }

        /** Records the primitive type of the element that the validator has just begun. */
        @Override
        public void startElement(String uri, String localName, String name, Attributes attributes) {
            var type = provider.getElementTypeInfo();
            Optional.ofNullable(type)
                    .flatMap(known -> primitives.computeIfAbsent(known, OfferSchema::primitiveOf))
                    .ifPresent(primitive -> types.put(current, primitive));
        }

        @Override
        public void error(SAXParseException e) {
            complaints.add(current == null ? "" : XmlTrees.path(current) + ": ", e.getMessage());
        }

        @Override
        public void fatalError(SAXParseException e) {
            error(e);
        }
    }
}
