package org.metasched.soap;

import java.util.List;
import java.util.Set;
import javax.xml.xpath.XPathExpressionException;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Constraints of an initiator on the answer to its offer (GFD.193, {@code NegotiationConstraints}). A counter offer that breaks a required
 * item is not sent; an optional item may be broken. Items come from other parties: their XPath locations are bounded in cost, and their
 * constraints are facets of XML Schema, except pattern.
 */
final class NegotiationConstraints {

    private static final int MOST_ITEMS = 32;
    private static final Set<String> FACETS =
            Set.of(("length minLength maxLength minInclusive maxInclusive minExclusive maxExclusive"
                            + " enumeration totalDigits fractionDigits")
                    .split(" "));

    private final List<ConstraintItem> required;

    /**
     * @param offer a valid {@code wsag-neg:NegotiationOffer}
     * @throws InvalidOfferException when an item is not of a form that can be checked
     */
    NegotiationConstraints(Element offer) {
        var section = XmlTrees.child(offer, XmlNames.NEGOTIATION, "NegotiationConstraints")
                .orElseThrow();
        var items = XmlTrees.children(section, XmlNames.NEGOTIATION, "Item").toList();
        if (items.size() > MOST_ITEMS) {
            throw new InvalidOfferException(
                    "NegotiationConstraints has " + items.size() + " items; at most " + MOST_ITEMS + " are allowed.");
        }
        if (XmlTrees.child(section, XmlNames.WSAG, "Constraint").isPresent()) {
            throw new InvalidOfferException(
                    "NegotiationConstraints has a Constraint, for which GFD.193 defines no language.");
        }
        items.forEach(NegotiationConstraints::check);
        this.required = items.stream()
                .filter(i -> i.getAttributeNS(XmlNames.NEGOTIATION, "Type").equals("Required"))
                .map(ConstraintItem::new)
                .toList();
    }

    private static void check(Element item) {
        var constraint = XmlTrees.child(item, XmlNames.WSAG, "ItemConstraint").orElseThrow();
        try {
            PathCost.checkForm(
                    XmlTrees.childText(item, XmlNames.WSAG, "Location").orElse(""));
            for (var facet : XmlTrees.children(constraint)) {
                if (!FACETS.contains(facet.getLocalName())
                        || !XmlTrees.children(facet).isEmpty()) {
                    throw new IllegalArgumentException("its ItemConstraint (" + facet.getNodeName()
                            + ") must be one of " + FACETS.stream().sorted().toList());
                }
            }
            // Throws if the location or the multiplicity cannot be read.
            new ConstraintItem(item);
        } catch (XPathExpressionException | IllegalArgumentException e) {
            throw new InvalidOfferException(XmlTrees.path(item) + "[" + item.getAttributeNS(XmlNames.WSAG, "Name")
                    + "]: " + e.getMessage() + ".");
        }
    }

    /**
     * The required constraints that a counter offer breaks.
     *
     * @param offer the agreement offer in the counter offer
     */
    List<String> broken(Document offer, OfferSchema schema) {
        var findings = schema.examine(offer.getDocumentElement());
        return required.stream()
                .flatMap(item -> broken(item, offer, findings).stream())
                .toList();
    }

    private static List<String> broken(ConstraintItem item, Document offer, OfferSchema.Findings findings) {
        try {
            PathCost.check(item.location.toString(), offer);
        } catch (IllegalArgumentException e) {
            return List.of("negotiation constraint: item " + item.name + ": " + e.getMessage());
        }
        return item.violations(offer, findings).stream()
                .map(v -> "negotiation constraint: " + v)
                .toList();
    }
}
