package org.metasched.soap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.XMLConstants;
import org.metasched.adapter.ResourceText;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * The template of each server: nodes at some of its sites for one common slot. An offer that repeats it is a valid one, for one node at each of
 * the first sites for an hour as soon as possible. Its creation constraints are written in XML Schema, which every client can read.
 */
public final class CoAllocationTemplate {

    public static final String NAME = "CO-ALLOCATION";
    public static final String ID = "1";
    /** The constraint item that lists the sites. */
    static final String SITE_ITEM = "Site";

    /** Sites that the template itself shows as an example. */
    private static final int MOST_SHOWN = 3;
    /** The most sizes of sites that get an item of their own; the smallest get one first. */
    private static final int MOST_SIZES = 64;

    private static final String TEXT = ResourceText.of(CoAllocationTemplate.class, "co-allocation-template.xml")
            .replaceFirst("<!--.*-->", "")
            .replaceAll(">\\s+<", "><")
            .replace(
                    "@NAMESPACES@",
                    "declare namespace wsag='" + XmlNames.WSAG + "';declare namespace jsdl='" + XmlNames.JSDL
                            + "';declare namespace t='" + XmlNames.SCHEDULING + "';declare namespace ms='"
                            + XmlNames.METASCHED + "';");

    private CoAllocationTemplate() {}

    /**
     * The template over some sites.
     *
     * @param sites all that may be asked for, at least one
     * @param nodes number of nodes of each site, as far as it is known
     */
    public static AgreementTemplate of(List<SiteId> sites, Map<SiteId, Integer> nodes) {
        var template = XmlTrees.parse("template", TEXT).getDocumentElement();
        var shown = named(template, "ServiceDescriptionTerm", "RESOURCE_");
        sites.stream()
                .limit(MOST_SHOWN)
                .forEach(site -> XmlTrees.descendants(copy(shown, site.value()), XmlNames.JSDL, "HostName")
                        .forEach(host -> host.setTextContent(site.value())));
        shown.getParentNode().removeChild(shown);
        var names = item(template, SITE_ITEM);
        sites.forEach(site -> facet(names, "enumeration", site.value()));
        if (nodes.keySet().containsAll(sites)) {
            var known = sites.stream().mapToLong(nodes::get).summaryStatistics();
            facet(item(template, "Nodes"), "maxInclusive", Long.toString(known.getMax()));
            facet(item(template, "Nodes of several sites"), "maxInclusive", Long.toString(known.getSum()));
        }
        boundEachSize(item(template, "Nodes at"), sites, nodes);
        return new AgreementTemplate(new TemplateKey(NAME, ID), new OfferDocument(XmlTrees.print(template)));
    }

    /** Copies an item for the sites of each size, for terms that name one site only. */
    private static void boundEachSize(Element item, List<SiteId> sites, Map<SiteId, Integer> nodes) {
        var bySize = new TreeMap<Integer, Set<String>>();
        sites.stream()
                .filter(nodes::containsKey)
                .forEach(s -> bySize.computeIfAbsent(nodes.get(s), n -> new TreeSet<>())
                        .add(s.value()));
        bySize.entrySet().stream().limit(MOST_SIZES).forEach(size -> {
            var bound = copy(item, " " + String.join(", ", size.getValue()));
            var location = XmlTrees.child(bound, XmlNames.WSAG, "Location").orElseThrow();
            location.setTextContent(location.getTextContent().replace("@SITES@", String.join(" ", size.getValue())));
            facet(bound, "maxInclusive", Integer.toString(size.getKey()));
        });
        item.getParentNode().removeChild(item);
    }

    private static Element item(Element template, String name) {
        return named(template, "Item", name);
    }

    private static Element named(Element template, String kind, String name) {
        return XmlTrees.descendants(template, XmlNames.WSAG, kind)
                .filter(element -> element.getAttributeNS(XmlNames.WSAG, "Name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Inserts a copy of an element before it, with a longer name. */
    private static Element copy(Element element, String rest) {
        var copy = (Element) element.getParentNode().insertBefore(element.cloneNode(true), element);
        copy.setAttributeNS(XmlNames.WSAG, "wsag:Name", copy.getAttributeNS(XmlNames.WSAG, "Name") + rest);
        return copy;
    }

    private static void facet(Element item, String kind, String value) {
        var constraint = XmlTrees.child(item, XmlNames.WSAG, "ItemConstraint").orElseThrow();
        XmlTrees.add(constraint, XMLConstants.W3C_XML_SCHEMA_NS_URI, kind).setAttribute("value", value);
    }
}
