package org.metasched.client.xml;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerConfigurationException;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** Trees of XML: parsing that refuses document type declarations, printing, and short ways to children. */
public final class XmlTrees {

    private static final String XMLNS = XMLConstants.XMLNS_ATTRIBUTE_NS_URI;

    private static final ObjectPool<DocumentBuilder> BUILDERS = new ObjectPool<>(XmlTrees::builder);
    private static final ObjectPool<Transformer> TRANSFORMERS = new ObjectPool<>(XmlTrees::transformer);

    private XmlTrees() {}

    public static Document newDocument() {
        return BUILDERS.with(DocumentBuilder::newDocument);
    }

    /**
     * Parses a document.
     *
     * @param what name of the document, for messages
     * @throws IllegalArgumentException with line and column when it is not XML, or declares a document type
     */
    public static Document parse(String what, String text) {
        try {
            return BUILDERS.with(builder -> parsed(builder, text));
        } catch (SAXParseException e) {
            throw new IllegalArgumentException(
                    what + ":" + e.getLineNumber() + ":" + e.getColumnNumber() + ": " + e.getMessage(), e);
        } catch (SAXException e) {
            throw new IllegalArgumentException(what + ": " + e.getMessage(), e);
        }
    }

    private static Document parsed(DocumentBuilder builder, String text) throws SAXException {
        try {
            return builder.parse(new InputSource(new StringReader(text)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of a tree, without an XML declaration. */
    public static String print(Node node) {
        try {
            var text = new StringWriter();
            TRANSFORMERS.with(transformer -> {
                transformer.transform(new DOMSource(node), new StreamResult(text));
                return node;
            });
            return text.toString();
        } catch (TransformerException e) {
            throw new IllegalStateException("A tree of XML cannot be printed: " + e.getMessage(), e);
        }
    }

    public static List<Element> children(Node parent) {
        var elements = new ArrayList<Element>();
        for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
            if (n instanceof Element element) {
                elements.add(element);
            }
        }
        return elements;
    }

    public static Stream<Element> children(Node parent, String namespace, String name) {
        return children(parent).stream().filter(e -> is(e, namespace, name));
    }

    public static Optional<Element> child(Node parent, String namespace, String name) {
        return children(parent, namespace, name).findFirst();
    }

    /** The descendants of a name, in the order of the document. */
    public static Stream<Element> descendants(Element root, String namespace, String name) {
        var nodes = root.getElementsByTagNameNS(namespace, name);
        return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item).map(Element.class::cast);
    }

    /** Text of the first child of a name, without white space around it. */
    public static Optional<String> childText(Node parent, String namespace, String name) {
        return child(parent, namespace, name).map(XmlTrees::text);
    }

    /** The text of an element, without white space around it. */
    public static String text(Element element) {
        return element.getTextContent().strip();
    }

    /**
     * Path of local names from the root. In brackets behind an element stands its WS-Agreement name or, without one, its number if an
     * element of the same local name precedes it.
     */
    public static String path(Node node) {
        if (node instanceof Attr attribute) {
            return path(attribute.getOwnerElement()) + "/@" + attribute.getLocalName();
        }
        if (!(node instanceof Element element)) {
            return "";
        }
        String name = element.getAttributeNS(XmlNames.WSAG, "Name");
        int number = 1;
        for (Node n = node.getPreviousSibling(); n != null; n = n.getPreviousSibling()) {
            number += n instanceof Element && element.getLocalName().equals(n.getLocalName()) ? 1 : 0;
        }
        String which = !name.isEmpty() ? "[" + name + "]" : number > 1 ? "[" + number + "]" : "";
        return path(node.getParentNode()) + "/" + element.getLocalName() + which;
    }

    public static boolean is(Node node, String namespace, String name) {
        return name.equals(node.getLocalName()) && namespace.equals(node.getNamespaceURI());
    }

    /** Adds an element in a namespace, with the prefix that we use for it. */
    public static Element add(Node parent, String namespace, String name) {
        var document = parent instanceof Document d ? d : parent.getOwnerDocument();
        var element = document.createElementNS(namespace, prefix(namespace) + ":" + name);
        parent.appendChild(element);
        return element;
    }

    public static Element add(Node parent, String namespace, String name, String text) {
        var element = add(parent, namespace, name);
        element.setTextContent(text);
        return element;
    }

    /** Copies a tree into another document, with the prefixes that were declared around it. */
    public static Element adopt(Node parent, Element tree) {
        var document = parent instanceof Document d ? d : parent.getOwnerDocument();
        var copy = (Element) document.importNode(tree, true);
        for (Node around = tree.getParentNode(); around instanceof Element e; around = e.getParentNode()) {
            declarePrefixes(e, copy);
        }
        parent.appendChild(copy);
        return copy;
    }

    /** Declares the prefixes of one element on another, except those that the other declares itself. */
    public static void declarePrefixes(Element from, Element to) {
        var attributes = from.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            var attribute = attributes.item(i);
            boolean isPrefix = XMLNS.equals(attribute.getNamespaceURI()) && "xmlns".equals(attribute.getPrefix());
            if (isPrefix && !to.hasAttributeNS(XMLNS, attribute.getLocalName())) {
                to.setAttributeNS(XMLNS, attribute.getNodeName(), attribute.getNodeValue());
            }
        }
    }

    private static String prefix(String namespace) {
        return switch (namespace) {
            case XmlNames.WSAG -> "wsag";
            case XmlNames.NEGOTIATION -> "wsag-neg";
            case XmlNames.JSDL -> "jsdl";
            case XmlNames.JSDL_POSIX -> "jsdl-posix";
            case XmlNames.SCHEDULING -> "t";
            case XmlNames.ADDRESSING -> "wsa";
            case XmlNames.LIFETIME -> "wsrf-rl";
            case XmlNames.METASCHED -> "ms";
            case XmlNames.WSAG4J_ENGINE -> "e";
            case XMLConstants.W3C_XML_SCHEMA_NS_URI -> "xs";
            default -> "n";
        };
    }

    private static Transformer transformer() {
        try {
            var factory = TransformerFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            var transformer = factory.newTransformer();
            transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            return transformer;
        } catch (TransformerConfigurationException e) {
            throw new IllegalStateException("The JDK's own XML transformer lacks a feature: " + e.getMessage(), e);
        }
    }

    private static DocumentBuilder builder() {
        try {
            var factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setNamespaceAware(true);
            factory.setXIncludeAware(false);
            factory.setExpandEntityReferences(false);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            // Walks of a tree recurse.
            factory.setAttribute("jdk.xml.maxElementDepth", "200");
            var builder = factory.newDocumentBuilder();
            // Throws fatal errors, where the default prints them too; there are no others without validation.
            builder.setErrorHandler(new DefaultHandler());
            return builder;
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("The JDK's own XML parser lacks a feature: " + e.getMessage(), e);
        }
    }
}
