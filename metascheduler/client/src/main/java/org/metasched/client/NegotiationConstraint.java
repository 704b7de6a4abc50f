package org.metasched.client;

import javax.xml.XMLConstants;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * A constraint on the answer, at one place of an offer.
 *
 * @param name label for people
 * @param location an XPath 1.0 expression over the agreement offer; prefixes {@code wsag}, {@code jsdl}, {@code t} (time) and {@code ms}
 * @param facet facet of XML Schema, such as {@code maxInclusive}
 * @param value value of the facet
 * @param required whether an answer that does not keep to it is of no use
 */
public record NegotiationConstraint(String name, String location, String facet, String value, boolean required) {

    void write(Element section) {
        var item = XmlTrees.add(section, XmlNames.NEGOTIATION, "Item");
        item.setAttributeNS(XmlNames.WSAG, "wsag:Name", name);
        item.setAttributeNS(XmlNames.NEGOTIATION, "wsag-neg:Type", required ? "Required" : "Optional");
        var place = XmlTrees.add(item, XmlNames.WSAG, "Location", location);
        declarePrefix(place, "jsdl", XmlNames.JSDL);
        declarePrefix(place, "t", XmlNames.SCHEDULING);
        declarePrefix(place, "ms", XmlNames.METASCHED);
        XmlTrees.add(XmlTrees.add(item, XmlNames.WSAG, "ItemConstraint"), XMLConstants.W3C_XML_SCHEMA_NS_URI, facet)
                .setAttribute("value", value);
    }

    private static void declarePrefix(Element element, String prefix, String namespace) {
        element.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:" + prefix, namespace);
    }
}
