package org.metasched.soap;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.XMLConstants;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.OfferWriter;
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

    private static final String XS = XMLConstants.W3C_XML_SCHEMA_NS_URI;
    private static final String XMLNS = XMLConstants.XMLNS_ATTRIBUTE_NS_URI;
    /** Sites that the template itself shows as an example. */
    private static final int MOST_SHOWN = 3;
    /** Ten years, as the longest duration. */
    private static final int MOST_MINUTES = 5_260_000;
    /** Pattern of a date and time with a zone, also in the form that an XML Schema processor gives it. */
    private static final String ZONED = ".*(Z|[+\\-][0-9]{2}:[0-9]{2})\\s*";

    private static final String OFFER = "/wsag:AgreementOffer";
    private static final String COUNT = "//jsdl:TotalResourceCount/*[self::jsdl:Exact or self::jsdl:LowerBoundedRange]";
    /** The most sizes of sites that get an item of their own; the smallest get one first. */
    private static final int MOST_SIZES = 64;

    private static final String TERM = OFFER + "/wsag:Terms//wsag:ServiceDescriptionTerm";

    private CoAllocationTemplate() {}

    /**
     * The template over some sites.
     *
     * @param sites all that may be asked for, at least one
     * @param nodes number of nodes of each site, as far as it is known
     */
    public static AgreementTemplate of(List<SiteId> sites, Map<SiteId, Integer> nodes) {
        var template = XmlTrees.add(XmlTrees.newDocument(), XmlNames.WSAG, "Template");
        declarePrefix(template, "wsag", XmlNames.WSAG);
        declarePrefix(template, "jsdl", XmlNames.JSDL);
        declarePrefix(template, "t", XmlNames.SCHEDULING);
        declarePrefix(template, "xs", XS);
        template.setAttributeNS(XmlNames.WSAG, "wsag:TemplateId", ID);
        XmlTrees.add(template, XmlNames.WSAG, "Name", NAME);
        var context = XmlTrees.add(template, XmlNames.WSAG, "Context");
        XmlTrees.add(context, XmlNames.WSAG, "ServiceProvider", "AgreementResponder");
        XmlTrees.add(context, XmlNames.WSAG, "TemplateId", ID);
        XmlTrees.add(context, XmlNames.WSAG, "TemplateName", NAME);
        var all = XmlTrees.add(XmlTrees.add(template, XmlNames.WSAG, "Terms"), XmlNames.WSAG, "All");
        sites.stream().limit(MOST_SHOWN).forEach(s -> resourceTerm(all, s));
        timeTerm(all);
        constraints(XmlTrees.add(template, XmlNames.WSAG, "CreationConstraints"), sites, nodes);
        return new AgreementTemplate(new TemplateKey(NAME, ID), new OfferDocument(XmlTrees.print(template)));
    }

    private static void resourceTerm(Element all, SiteId site) {
        var term = term(all, "RESOURCE_" + site);
        var resources = XmlTrees.add(
                XmlTrees.add(XmlTrees.add(term, XmlNames.JSDL, "JobDefinition"), XmlNames.JSDL, "JobDescription"),
                XmlNames.JSDL,
                "Resources");
        XmlTrees.add(XmlTrees.add(resources, XmlNames.JSDL, "CandidateHosts"), XmlNames.JSDL, "HostName", site.value());
        XmlTrees.add(XmlTrees.add(resources, XmlNames.JSDL, "TotalResourceCount"), XmlNames.JSDL, "Exact", "1");
    }

    private static void timeTerm(Element all) {
        var constraint = XmlTrees.add(term(all, "TIME_CONSTRAINT"), XmlNames.SCHEDULING, "TimeConstraint");
        XmlTrees.add(constraint, XmlNames.SCHEDULING, "Duration", "60");
    }

    private static Element term(Element all, String name) {
        var term = XmlTrees.add(all, XmlNames.WSAG, "ServiceDescriptionTerm");
        term.setAttributeNS(XmlNames.WSAG, "wsag:Name", name);
        term.setAttributeNS(XmlNames.WSAG, "wsag:ServiceName", OfferWriter.SERVICE);
        return term;
    }

    private static void constraints(Element section, List<SiteId> sites, Map<SiteId, Integer> nodes) {
        enumeration(item(section, "Template", OFFER + "/wsag:Context/wsag:TemplateName", "1"), NAME);
        enumeration(item(section, "Provider", OFFER + "/wsag:Context/wsag:ServiceProvider", "1"), "AgreementResponder");
        var site = item(section, SITE_ITEM, TERM + "//jsdl:CandidateHosts/jsdl:HostName", "0_TO_N");
        sites.forEach(s -> enumeration(site, s.value()));
        nodes(section, sites, nodes);
        var minutes = item(section, "Minutes", TERM + "/t:TimeConstraint/t:Duration", "0_TO_N");
        facet(minutes, "minInclusive", "1");
        facet(minutes, "maxInclusive", Integer.toString(MOST_MINUTES));
        for (var time : List.of("StartTime", "EndTime")) {
            facet(item(section, time, TERM + "/t:TimeConstraint/t:" + time, "0_TO_N"), "pattern", ZONED);
        }
    }

    private static Element item(Element section, String name, String location, String multiplicity) {
        var item = XmlTrees.add(section, XmlNames.WSAG, "Item");
        item.setAttributeNS(XmlNames.WSAG, "wsag:Name", name);
        XmlTrees.add(
                item,
                XmlNames.WSAG,
                "Location",
                "declare namespace wsag='" + XmlNames.WSAG + "';declare namespace jsdl='" + XmlNames.JSDL
                        + "';declare namespace t='" + XmlNames.SCHEDULING + "';declare namespace ms='"
                        + XmlNames.METASCHED
                        + "';$this" + location);
        var constraint = XmlTrees.add(item, XmlNames.WSAG, "ItemConstraint");
        XmlTrees.add(
                XmlTrees.add(item, XmlNames.WSAG4J_ENGINE, "ConstraintAnnotation"),
                XmlNames.WSAG4J_ENGINE,
                "Multiplicity",
                multiplicity);
        return constraint;
    }

    /** Adds the bounds over all sites, if the sizes of all are known, and that of each site for terms that name this site only. */
    private static void nodes(Element section, List<SiteId> sites, Map<SiteId, Integer> nodes) {
        var count = item(section, "Nodes", TERM + "[not(.//ms:Split)]" + COUNT, "0_TO_N");
        var split = item(section, "Nodes of several sites", TERM + "[.//ms:Split]" + COUNT, "0_TO_N");
        List.of(count, split).forEach(bound -> facet(bound, "minInclusive", "1"));
        if (nodes.keySet().containsAll(sites)) {
            var known = sites.stream().mapToLong(nodes::get).summaryStatistics();
            facet(count, "maxInclusive", Long.toString(known.getMax()));
            facet(split, "maxInclusive", Long.toString(known.getSum()));
        }
        var bySize = new TreeMap<Integer, Set<String>>();
        sites.stream()
                .filter(nodes::containsKey)
                .forEach(s -> bySize.computeIfAbsent(nodes.get(s), n -> new TreeSet<>())
                        .add(s.value()));
        bySize.entrySet().stream().limit(MOST_SIZES).forEach(size -> {
            var at = item(
                    section,
                    "Nodes at " + String.join(", ", size.getValue()),
                    TERM + "[count(.//jsdl:HostName) = 1 and contains(' " + String.join(" ", size.getValue())
                            + " ', concat(' ', normalize-space(.//jsdl:HostName), ' '))]" + COUNT,
                    "0_TO_N");
            facet(at, "maxInclusive", Integer.toString(size.getKey()));
        });
    }

    private static void enumeration(Element constraint, String value) {
        facet(constraint, "enumeration", value);
    }

    private static void facet(Element constraint, String kind, String value) {
        XmlTrees.add(constraint, XS, kind).setAttribute("value", value);
    }

    private static void declarePrefix(Element element, String prefix, String namespace) {
        element.setAttributeNS(XMLNS, "xmlns:" + prefix, namespace);
    }
}
