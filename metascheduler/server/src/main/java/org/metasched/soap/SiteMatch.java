package org.metasched.soap;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.metasched.adapter.SiteId;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * Properties of the machine in {@code jsdl:Resources} that no adapter reserves, as a ClassAd expression over the site's ad. A site whose ad lacks
 * the attribute does not match. An exact value and a lower bound both mean at least that value, cut to a whole unit of the ad.
 */
final class SiteMatch {

    /** An attribute of an ad with its unit in JSDL. */
    private record Attribute(String name, long unit) {}

    private static final Map<String, Attribute> AMOUNTS = new TreeMap<>(Map.of(
            "IndividualCPUSpeed", new Attribute("CpuMegahertz", 1_000_000),
            "IndividualPhysicalMemory", new Attribute("Memory", 1 << 20),
            "IndividualVirtualMemory", new Attribute("VirtualMemory", 1 << 10),
            "IndividualDiskSpace", new Attribute("Disk", 1 << 10)));

    private SiteMatch() {}

    /**
     * The expression; empty if no such property is asked for.
     *
     * @param hosts sites of which it must be one; empty for any
     */
    static Optional<String> of(Element resources, List<SiteId> hosts) {
        var clauses = new ArrayList<String>();
        AMOUNTS.forEach((name, attribute) -> XmlTrees.child(resources, XmlNames.JSDL, name)
                .ifPresent(range -> clauses.add(amount(range, attribute))));
        XmlTrees.child(resources, XmlNames.JSDL, "OperatingSystem").ifPresent(system -> system(system, clauses));
        if (clauses.isEmpty()) {
            return Optional.empty();
        }
        if (!hosts.isEmpty()) {
            clauses.add(hosts.stream()
                    .map(host -> "(TARGET.Site ?: TARGET.Name) == " + OfferVariables.quoted(host.value()))
                    .collect(Collectors.joining(" || ", "(", ")")));
        }
        return Optional.of(String.join(" && ", clauses));
    }

    private static void system(Element system, List<String> clauses) {
        XmlTrees.child(system, XmlNames.JSDL, "OperatingSystemType")
                .flatMap(type -> XmlTrees.childText(type, XmlNames.JSDL, "OperatingSystemName"))
                .ifPresent(name -> clauses.add("TARGET.OpSys == " + OfferVariables.quoted(name)));
        XmlTrees.childText(system, XmlNames.JSDL, "OperatingSystemVersion")
                .ifPresent(version -> clauses.add("TARGET.OpSysVer == " + OfferVariables.quoted(version)));
    }

    /** The clause that an attribute is in any part of a range. */
    private static String amount(Element range, Attribute attribute) {
        var parts = new ArrayList<String>();
        for (var part : XmlTrees.children(range)) {
            String name = part.getLocalName();
            if (name.equals("Range")) {
                parts.add(XmlTrees.children(part).stream()
                        .map(bound ->
                                compare(attribute, bound, bound.getLocalName().equals("UpperBound")))
                        .collect(Collectors.joining(" && ", "(", ")")));
            } else {
                parts.add(compare(attribute, part, name.equals("UpperBoundedRange")));
            }
        }
        return "(" + String.join(" || ", parts) + ")";
    }

    private static String compare(Attribute attribute, Element bound, boolean isUpper) {
        double value = RangeValue.number(bound) / attribute.unit();
        return "TARGET." + attribute.name() + (isUpper ? " <= " : " >= ") + (isUpper ? value : Math.floor(value));
    }
}
