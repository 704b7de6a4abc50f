package org.metasched.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import org.metasched.agreement.OfferDocument;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/** The creation constraints of a template in words. */
public final class TemplateBounds {

    private static final Map<String, String> FACETS = Map.of(
            "minInclusive", "at least ",
            "maxInclusive", "at most ",
            "minExclusive", "more than ",
            "maxExclusive", "less than ",
            "pattern", "matching ",
            "maxLength", "no longer than ");

    private TemplateBounds() {}

    /**
     * The bounds by the names of their items, in their order; an item without facets is left out.
     *
     * @throws IllegalArgumentException when the template is not XML
     */
    public static Map<String, String> of(OfferDocument template) {
        Map<String, String> bounds = new LinkedHashMap<>();
        var root = XmlTrees.parse("template", template.text()).getDocumentElement();
        XmlTrees.child(root, XmlNames.WSAG, "CreationConstraints").stream()
                .flatMap(section -> XmlTrees.children(section, XmlNames.WSAG, "Item"))
                .forEach(item -> XmlTrees.child(item, XmlNames.WSAG, "ItemConstraint").stream()
                        .map(TemplateBounds::words)
                        .filter(words -> !words.isEmpty())
                        .forEach(words -> bounds.put(item.getAttributeNS(XmlNames.WSAG, "Name"), words)));
        return bounds;
    }

    private static String words(Element constraint) {
        List<String> allowed = new ArrayList<>();
        List<String> words = new ArrayList<>();
        for (var facet : XmlTrees.children(constraint)) {
            if (XmlTrees.is(facet, XMLConstants.W3C_XML_SCHEMA_NS_URI, "enumeration")) {
                allowed.add(facet.getAttribute("value"));
            } else if (FACETS.containsKey(facet.getLocalName())) {
                words.add(FACETS.get(facet.getLocalName()) + facet.getAttribute("value"));
            }
        }
        if (!allowed.isEmpty()) {
            words.add(0, (allowed.size() == 1 ? "" : "one of ") + String.join(", ", allowed));
        }
        return String.join(", ", words);
    }
}
