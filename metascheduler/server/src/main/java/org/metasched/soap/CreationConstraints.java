package org.metasched.soap;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.client.TemplateOffer;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The creation constraints of one template, ready to be applied to offers. Thread-safe.
 *
 * <p>An offer is checked against every item, so that its maker is told all faults at once. Global constraints
 * ({@code wsag:Constraint}) have no language of their own and cannot be checked: a template that has them is not accepted.
 */
record CreationConstraints(List<ConstraintItem> items, Optional<FixedTerms> fixed) {

    /** The same constraints for offers that must also repeat all terms to which no item leads. */
    CreationConstraints withFixedTerms(Element template) {
        return new CreationConstraints(items, Optional.of(new FixedTerms(TemplateOffer.of(template), items)));
    }

    /**
     * @param template a {@code wsag:Template} element
     * @throws IllegalArgumentException when the template is not one, or has an item that cannot be checked
     */
    static CreationConstraints of(Element template, OfferSchema schema) {
        var findings = schema.examine(template);
        if (!findings.complaints().isEmpty()) {
            throw new IllegalArgumentException(
                    "The template is not valid: " + String.join("; ", findings.complaints()));
        }
        var section =
                XmlTrees.child(template, XmlNames.WSAG, "CreationConstraints").orElseThrow();
        if (XmlTrees.child(section, XmlNames.WSAG, "Constraint").isPresent()) {
            throw new IllegalArgumentException("The template has a global constraint, which cannot be checked.");
        }
        return new CreationConstraints(
                XmlTrees.children(section, XmlNames.WSAG, "Item")
                        .map(ConstraintItem::new)
                        .toList(),
                Optional.empty());
    }

    /**
     * A fault of an offer.
     *
     * @param item name of the constraint item
     * @param where the node that is not as it must be; empty when the fault is the number of nodes
     */
    record Violation(String item, String text, Optional<Node> where) {

        @Override
        public String toString() {
            return "item " + item + ": "
                    + where.map(n -> XmlTrees.path(n) + ": ").orElse("") + text;
        }
    }

    /** @throws IllegalArgumentException when an item can judge no offer */
    void tryOn(Document offer, OfferSchema.Findings findings) {
        items.forEach(item -> item.tryOn(offer, findings));
    }

    /** Violations of an offer that is valid by the schema; empty when there are none. */
    List<Violation> violations(Document offer, OfferSchema.Findings findings) {
        return Stream.concat(
                        items.stream().flatMap(item -> item.violations(offer, findings).stream()),
                        fixed.stream().flatMap(terms -> terms.difference(offer).stream()))
                .toList();
    }
}
