package org.metasched.soap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.transform.dom.DOMSource;
import javax.xml.validation.Schema;
import javax.xml.validation.Validator;
import javax.xml.xpath.XPathExpressionException;
import org.metasched.client.xml.ObjectPool;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.soap.CreationConstraints.Violation;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * One item of a template's creation constraints: the location in the offer, how often it may occur, and the allowed content.
 *
 * <p>The constraint is written in XML Schema, as facets or as a model group. It is checked by a small schema made of it: for facets a restriction
 * of the node's own primitive type, for a model group a type with just that content. An item without a constraint bounds only how often its
 * location occurs. Schemas are compiled once and kept.
 */
final class ConstraintItem {

    private static final String XS = XMLConstants.W3C_XML_SCHEMA_NS_URI;
    private static final Set<String> MODEL_GROUPS = Set.of("sequence", "choice", "all", "group");
    private static final String CHECKED = "checked-content";

    /** The most values whose complaints are remembered, and the most characters of such a value. */
    private static final int MOST_KNOWN = 1000;

    private static final int LONGEST_KNOWN = 100;

    final String name;
    final LocationPath location;
    private final Multiplicity multiplicity;
    private final Element constraint;
    private final List<Element> content;
    private final Map<String, ObjectPool<Validator>> compiled = new ConcurrentHashMap<>();
    private final Map<String, List<String>> known = new ConcurrentHashMap<>();

    /** @throws IllegalArgumentException when its location or its multiplicity cannot be read */
    ConstraintItem(Element item) {
        this.name = item.getAttributeNS(XmlNames.WSAG, "Name");
        this.location =
                LocationPath.of(XmlTrees.child(item, XmlNames.WSAG, "Location").orElseThrow());
        this.multiplicity = Multiplicity.of(item);
        this.constraint = XmlTrees.child(item, XmlNames.WSAG, "ItemConstraint").orElseThrow();
        this.content = XmlTrees.children(constraint);
    }

    /** Nodes of an offer to which its location leads. */
    List<Node> selected(Document offer) {
        try {
            return location.select(offer);
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException("its location selects no nodes: " + e.getMessage(), e);
        }
    }

    /**
     * Tries the item on an offer, without judging it.
     *
     * @throws IllegalArgumentException when the item can judge no offer, as its location or its facets are of no use
     */
    void tryOn(Document offer, OfferSchema.Findings findings) {
        try {
            selected(offer).stream().filter(node -> !content.isEmpty()).forEach(node -> complaints(node, findings));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("item " + name + ": " + e.getMessage(), e);
        }
    }

    List<Violation> violations(Document offer, OfferSchema.Findings findings) {
        List<Node> selected;
        try {
            selected = selected(offer);
        } catch (IllegalArgumentException e) {
            return List.of(new Violation(name, String.valueOf(e.getMessage()), Optional.empty()));
        }
        var violations = new ArrayList<Violation>();
        multiplicity
                .objection(selected.size())
                .ifPresent(o -> violations.add(new Violation(name, location + " " + o, Optional.empty())));
        for (var node : content.isEmpty() ? List.<Node>of() : selected) {
            for (var text : violations(node, findings)) {
                violations.add(new Violation(name, text, Optional.of(node)));
            }
        }
        return violations;
    }

    private List<String> violations(Node node, OfferSchema.Findings findings) {
        try {
            return complaints(node, findings);
        } catch (IllegalArgumentException e) {
            return List.of("the constraint cannot be applied to " + node.getNodeName() + ": " + e.getMessage());
        }
    }

    private List<String> complaints(Node node, OfferSchema.Findings findings) {
        if (!isModelGroup()) {
            return complaints(findings.primitive(node).orElse("string"), node.getTextContent());
        }
        if (!(node instanceof Element element)) {
            return List.of("it selects an attribute, which has no content.");
        }
        var namespace = element.getNamespaceURI() == null ? "" : element.getNamespaceURI();
        return OfferSchema.complaints(
                compiled.computeIfAbsent(namespace, this::modelGroup), contentOf(element, namespace));
    }

    /** The complaints about a value. Short ones, such as names of sites, are remembered, as they come again. */
    private List<String> complaints(String primitive, String text) {
        if (text.length() > LONGEST_KNOWN) {
            return newComplaints(primitive, text);
        }
        if (known.size() > MOST_KNOWN) {
            known.clear();
        }
        return known.computeIfAbsent(primitive + " " + text, value -> newComplaints(primitive, text));
    }

    private List<String> newComplaints(String primitive, String text) {
        var validators = compiled.computeIfAbsent(primitive, this::facets);
        return OfferSchema.complaints(validators, valueDocument(text)).stream()
                .map(complaint -> complaint.replace(" for type '#AnonType_" + CHECKED + "'", ""))
                .toList();
    }

    private boolean isModelGroup() {
        return content.size() == 1 && MODEL_GROUPS.contains(content.get(0).getLocalName());
    }

    /** The facets as a restriction of a primitive type, or of the type that stands among them. */
    private ObjectPool<Validator> facets(String primitive) {
        var schema = schemaFor("");
        var element = XmlTrees.add(schema, XS, "element");
        element.setAttribute("name", CHECKED);
        var restriction = XmlTrees.add(XmlTrees.add(element, XS, "simpleType"), XS, "restriction");
        if (content.stream().noneMatch(c -> XmlTrees.is(c, XS, "simpleType"))) {
            restriction.setAttribute("base", "xs:" + primitive);
        }
        content.forEach(c -> XmlTrees.adopt(restriction, c));
        return compile(schema);
    }

    /** A type with just this content; attributes go unchecked. */
    private ObjectPool<Validator> modelGroup(String namespace) {
        var schema = schemaFor(namespace);
        var element = XmlTrees.add(schema, XS, "element");
        element.setAttribute("name", CHECKED);
        var type = XmlTrees.add(element, XS, "complexType");
        XmlTrees.adopt(type, content.get(0));
        XmlTrees.add(type, XS, "anyAttribute").setAttribute("processContents", "skip");
        return compile(schema);
    }

    private Element schemaFor(String namespace) {
        var schema = XmlTrees.add(XmlTrees.newDocument(), XS, "schema");
        schema.setAttribute("elementFormDefault", "qualified");
        for (Node around = constraint; around instanceof Element e; around = e.getParentNode()) {
            XmlTrees.declarePrefixes(e, schema);
        }
        schema.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:xs", XS);
        if (!namespace.isEmpty()) {
            schema.setAttribute("targetNamespace", namespace);
        }
        var needed = isModelGroup()
                ? OfferSchema.FILES.keySet()
                : namespacesOf(constraint).collect(Collectors.toSet());
        OfferSchema.FILES.forEach((imported, file) -> {
            boolean isOwn = imported.equals(namespace);
            if (isOwn || needed.contains(imported)) {
                var reference = XmlTrees.add(schema, XS, isOwn ? "include" : "import");
                reference.setAttribute("schemaLocation", OfferSchema.location(file));
                if (!isOwn) {
                    reference.setAttribute("namespace", imported);
                }
            }
        });
        return schema;
    }

    /** The namespaces of all types that the attributes of facets name, and maybe some more. */
    private static Stream<String> namespacesOf(Element tree) {
        var attributes = tree.getAttributes();
        var own = IntStream.range(0, attributes.getLength())
                .mapToObj(i -> attributes.item(i).getNodeValue())
                .flatMap(value -> Arrays.stream(value.trim().split("\\s+")))
                .map(word -> tree.lookupNamespaceURI(word.contains(":") ? word.substring(0, word.indexOf(':')) : null))
                .filter(Objects::nonNull);
        return Stream.concat(own, XmlTrees.children(tree).stream().flatMap(ConstraintItem::namespacesOf));
    }

    private static ObjectPool<Validator> compile(Element source) {
        Schema schema = OfferSchema.compile(new DOMSource(source.getOwnerDocument()));
        return new ObjectPool<>(schema::newValidator);
    }

    private static Document valueDocument(String text) {
        var document = XmlTrees.newDocument();
        document.appendChild(document.createElement(CHECKED)).setTextContent(text);
        return document;
    }

    /** The node's content under the name that the schema of the check declares. */
    private static Document contentOf(Element element, String namespace) {
        var document = XmlTrees.newDocument();
        var copy = XmlTrees.adopt(document, element);
        document.renameNode(copy, namespace.isEmpty() ? null : namespace, CHECKED);
        return document;
    }

    /** How many nodes an item's location may select; the keys are the words of WSAG4J. */
    private record Multiplicity(String words, int least, int most) {

        private static final Map<String, Multiplicity> KINDS = Map.of(
                "0_TO_N", new Multiplicity("any number of times", 0, Integer.MAX_VALUE),
                "0_TO_1", new Multiplicity("at most once", 0, 1),
                "1", new Multiplicity("exactly once", 1, 1),
                "1_TO_N", new Multiplicity("at least once", 1, Integer.MAX_VALUE));

        static Multiplicity of(Element item) {
            var word = XmlTrees.child(item, XmlNames.WSAG4J_ENGINE, "ConstraintAnnotation")
                    .flatMap(a -> XmlTrees.childText(a, XmlNames.WSAG4J_ENGINE, "Multiplicity"))
                    .orElse("0_TO_N");
            return Optional.ofNullable(KINDS.get(word))
                    .orElseThrow(() -> new IllegalArgumentException(
                            "The multiplicity (" + word + ") must be one of 0_TO_1, 0_TO_N, 1, 1_TO_N."));
        }

        Optional<String> objection(int count) {
            return count >= least && count <= most
                    ? Optional.empty()
                    : Optional.of("it must be there " + words + ", and is there " + count + " times");
        }
    }
}
