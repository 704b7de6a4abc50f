package org.metasched.soap;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import org.metasched.adapter.DisplayText;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.soap.CreationConstraints.Violation;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Terms that an offer must repeat from its template: all except the nodes to which constraint items lead. A bound of time may be added where the
 * template has none, as it narrows the request. Thread-safe.
 *
 * @param model the offer that the template itself is; synchronised on, as trees are read by one thread at a time
 */
record FixedTerms(Document model, List<ConstraintItem> items) {

    private static final String ITEM = "Terms";

    /** The first difference, in the order of the document. */
    Optional<Violation> difference(Document offer) {
        Set<Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
        synchronized (model) {
            items.forEach(item -> Stream.of(model, offer).forEach(tree -> open.addAll(item.selected(tree))));
            return difference(terms(model), terms(offer), open);
        }
    }

    private static Element terms(Document offer) {
        return XmlTrees.child(offer.getDocumentElement(), XmlNames.WSAG, "Terms")
                .orElseThrow();
    }

    /** @param open nodes to which constraint items lead */
    private static Optional<Violation> difference(Element wanted, Element given, Set<Node> open) {
        boolean isAlike =
                name(wanted).equals(name(given)) && attributes(wanted, open).equals(attributes(given, open));
        boolean isLeaf = XmlTrees.children(wanted).isEmpty();
        if (!isAlike || isLeaf && !XmlTrees.text(wanted).equals(XmlTrees.text(given))) {
            return violation(given, wanted);
        }
        var expected = fixed(wanted, open);
        var actual = fixed(given, open).stream()
                .filter(child -> !isBoundOfTime(child)
                        || expected.stream().anyMatch(term -> name(term).equals(name(child))))
                .toList();
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            var difference = difference(expected.get(i), actual.get(i), open);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return expected.size() == actual.size() ? Optional.empty() : violation(given, wanted);
    }

    private static Optional<Violation> violation(Element given, Element wanted) {
        String text = XmlTrees.path(given) + " must be as in the template, which has there: "
                + DisplayText.of(XmlTrees.print(wanted)
                        .replaceAll(" xmlns:[\\w.-]+=\"[^\"]*\"", "")
                        .replaceAll("\\s+", " ")
                        .strip());
        return Optional.of(new Violation(ITEM, text, Optional.empty()));
    }

    private static List<Element> fixed(Element parent, Set<Node> open) {
        return XmlTrees.children(parent).stream()
                .filter(child -> !open.contains(child))
                .toList();
    }

    private static boolean isBoundOfTime(Element child) {
        return XmlTrees.is(child, XmlNames.SCHEDULING, "StartTime")
                || XmlTrees.is(child, XmlNames.SCHEDULING, "EndTime");
    }

    private static String name(Node node) {
        return "{" + node.getNamespaceURI() + "}" + node.getLocalName();
    }

    private static Map<String, String> attributes(Element element, Set<Node> open) {
        var values = new TreeMap<String, String>();
        var all = element.getAttributes();
        for (int i = 0; i < all.getLength(); i++) {
            var attribute = (Attr) all.item(i);
            if (!open.contains(attribute) && !XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())) {
                values.put(name(attribute), attribute.getValue());
            }
        }
        return values;
    }
}
