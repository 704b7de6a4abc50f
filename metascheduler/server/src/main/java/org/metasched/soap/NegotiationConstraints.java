package org.metasched.soap;

import java.util.List;
import java.util.Set;
import javax.xml.xpath.XPathExpressionException;
import org.metasched.client.xml.Names;
import org.metasched.client.xml.Xml;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * What the initiator of a negotiation says of the answer to an offer (GFD.193, {@code NegotiationConstraints}): a counter offer that breaks a
 * required item is of no use to it, an optional one is passed over. The items are a stranger's: their locations are bounded, and of XML Schema
 * they may use facets only, without patterns.
 */
final class NegotiationConstraints {

    private static final int MOST = 32;
    private static final Set<String> FACETS = Set.of(
            "length",
            "minLength",
            "maxLength",
            "minInclusive",
            "maxInclusive",
            "minExclusive",
            "maxExclusive",
            "enumeration",
            "totalDigits",
            "fractionDigits");

    private final List<Element> required;

    /**
     * @param offer a valid {@code wsag-neg:NegotiationOffer}
     * @throws InvalidOfferException when an item cannot be checked
     */
    NegotiationConstraints(Element offer) {
        var section =
                Xml.child(offer, Names.NEGOTIATION, "NegotiationConstraints").orElseThrow();
        var items = Xml.children(section, Names.NEGOTIATION, "Item").toList();
        if (items.size() > MOST || Xml.child(section, Names.WSAG, "Constraint").isPresent()) {
            throw new InvalidOfferException(
                    "NegotiationConstraints may have " + MOST + " items, and no Constraint, which has no language.");
        }
        items.forEach(NegotiationConstraints::check);
        this.required = items.stream()
                .filter(i -> i.getAttributeNS(Names.NEGOTIATION, "Type").equals("Required"))
                .toList();
    }

    private static void check(Element item) {
        var constraint = Xml.child(item, Names.WSAG, "ItemConstraint").orElseThrow();
        try {
            PathCost.checkForm(Xml.childText(item, Names.WSAG, "Location").orElse(""));
            for (var facet : Xml.children(constraint)) {
                if (!FACETS.contains(facet.getLocalName())
                        || !Xml.children(facet).isEmpty()) {
                    throw new IllegalArgumentException("its ItemConstraint (" + facet.getNodeName()
                            + ") must be one of " + FACETS.stream().sorted().toList());
                }
            }
            new ConstraintItem(item);
        } catch (XPathExpressionException | IllegalArgumentException e) {
            throw new InvalidOfferException(
                    Xml.path(item) + "[" + item.getAttributeNS(Names.WSAG, "Name") + "]: " + e.getMessage() + ".");
        }
    }

    /**
     * What a counter offer breaks; empty when nothing.
     *
     * @param offer the agreement offer in it
     */
    List<String> broken(Document offer, OfferSchema schema) {
        var findings = schema.examine(offer.getDocumentElement());
        return required.stream()
                .flatMap(item -> broken(item, offer, findings).stream())
                .toList();
    }

    private static List<String> broken(Element item, Document offer, OfferSchema.Findings findings) {
        var place = Xml.child(item, Names.WSAG, "Location").orElseThrow();
        try {
            PathCost.check(LocationPath.of(place).toString(), offer);
        } catch (IllegalArgumentException e) {
            return List.of("item " + item.getAttributeNS(Names.WSAG, "Name") + ": " + e.getMessage());
        }
        return new ConstraintItem(item)
                .violations(offer, findings).stream()
                        .map(v -> "negotiation constraint: " + v)
                        .toList();
    }
}
