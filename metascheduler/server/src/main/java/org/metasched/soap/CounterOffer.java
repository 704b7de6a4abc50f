package org.metasched.soap;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.soap.XmlText;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Answer of the responder to an offer in a negotiation: the offer, with the slot that was found or the reasons of a refusal. */
final class CounterOffer {

    final String id = "urn:uuid:" + UUID.randomUUID();
    final Element root;
    private final Element context;
    private final Element state;

    /**
     * @param offer the offer that is answered
     * @param offerId the id of that offer
     * @param stateName name of the state's element
     * @param until time at which the hold ends; empty if nothing is held
     */
    CounterOffer(Element offer, String offerId, String stateName, Optional<Instant> until) {
        root = XmlTrees.add(XmlTrees.newDocument(), XmlNames.NEGOTIATION, "NegotiationCounterOffer");
        root.setAttributeNS(XmlNames.NEGOTIATION, "wsag-neg:OfferId", id);
        XmlTrees.children(offer).stream()
                .filter(e -> XmlNames.WSAG.equals(e.getNamespaceURI()))
                .forEach(e -> XmlTrees.adopt(root, e));
        context = XmlTrees.add(root, XmlNames.NEGOTIATION, "NegotiationOfferContext");
        XmlTrees.add(context, XmlNames.NEGOTIATION, "CounterOfferTo", offerId);
        until.ifPresent(u -> XmlTrees.add(context, XmlNames.NEGOTIATION, "ExpirationTime", u.toString()));
        XmlTrees.add(context, XmlNames.NEGOTIATION, "Creator", "NegotiationResponder");
        state = XmlTrees.add(XmlTrees.add(context, XmlNames.NEGOTIATION, "State"), XmlNames.NEGOTIATION, stateName);
        XmlTrees.add(root, XmlNames.NEGOTIATION, "NegotiationConstraints");
    }

    /** Adds the reasons of a refusal. */
    CounterOffer because(ErrorCode code, List<String> reasons) {
        var refusal = XmlTrees.add(state, XmlNames.METASCHED, "Refusal", XmlText.of(String.join("\n", reasons)));
        refusal.setAttribute("code", code.name());
        return this;
    }

    /** Writes the slot into the time term, if there is exactly one: the same offer then asks for this slot. */
    CounterOffer at(Instant start, Instant end) {
        var times = XmlTrees.child(root, XmlNames.WSAG, "Terms").stream()
                .flatMap(t -> XmlTrees.descendants(t, XmlNames.WSAG, "ServiceDescriptionTerm"))
                .flatMap(t -> XmlTrees.children(t).stream())
                .filter(TimeTerm::describes)
                .toList();
        if (times.size() == 1) {
            var time = times.get(0);
            XmlTrees.children(time).stream()
                    .filter(e -> !e.getLocalName().equals("Duration"))
                    .forEach(time::removeChild);
            insert(time, "EndTime", end);
            insert(time, "StartTime", start);
        }
        return this;
    }

    /** Adds the site and the slot of a part to the context. */
    void addSlot(String term, SiteId site, Instant start, Instant end) {
        var slot = XmlTrees.add(context, XmlNames.METASCHED, "Slot");
        slot.setAttribute("term", term);
        slot.setAttribute("site", site.value());
        slot.setAttribute("start", start.toString());
        slot.setAttribute("end", end.toString());
    }

    private static void insert(Element time, String name, Instant instant) {
        String prefix = time.getPrefix() == null ? "" : time.getPrefix() + ":";
        var element = time.getOwnerDocument().createElementNS(time.getNamespaceURI(), prefix + name);
        element.setTextContent(instant.toString());
        time.insertBefore(element, time.getFirstChild());
    }

    /** The agreement offer that a negotiation offer holds. */
    static Document offer(Element negotiationOffer) {
        var document = XmlTrees.newDocument();
        var root = XmlTrees.add(document, XmlNames.WSAG, "AgreementOffer");
        XmlTrees.children(negotiationOffer).stream()
                .filter(e -> XmlNames.WSAG.equals(e.getNamespaceURI()))
                .forEach(e -> XmlTrees.adopt(root, e));
        return document;
    }
}
