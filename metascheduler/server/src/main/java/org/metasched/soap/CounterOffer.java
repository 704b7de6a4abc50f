package org.metasched.soap;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.soap.XmlText;
import org.metasched.client.xml.Names;
import org.metasched.client.xml.Xml;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Writes our answers to the offers of a negotiation: the offer itself, with the slot that was found written into it. */
final class CounterOffer {

    private final String id = "urn:uuid:" + UUID.randomUUID();
    private final Element root;
    private final Element context;
    private final Element state;

    /**
     * @param offer that it answers
     * @param offerId of that one
     * @param word the state of this one
     */
    CounterOffer(Element offer, String offerId, String word, Optional<Instant> until) {
        root = Xml.add(Xml.newDocument(), Names.NEGOTIATION, "NegotiationCounterOffer");
        root.setAttributeNS(Names.NEGOTIATION, "wsag-neg:OfferId", id);
        Xml.children(offer).stream()
                .filter(e -> Names.WSAG.equals(e.getNamespaceURI()))
                .forEach(e -> Xml.adopt(root, e));
        context = Xml.add(root, Names.NEGOTIATION, "NegotiationOfferContext");
        Xml.add(context, Names.NEGOTIATION, "CounterOfferTo", offerId);
        until.ifPresent(u -> Xml.add(context, Names.NEGOTIATION, "ExpirationTime", u.toString()));
        Xml.add(context, Names.NEGOTIATION, "Creator", "NegotiationResponder");
        state = Xml.add(Xml.add(context, Names.NEGOTIATION, "State"), Names.NEGOTIATION, word);
        Xml.add(root, Names.NEGOTIATION, "NegotiationConstraints");
    }

    String id() {
        return id;
    }

    Element document() {
        return root;
    }

    /** Why it is rejected. */
    CounterOffer because(ErrorCode code, List<String> reasons) {
        var refusal = Xml.add(state, Names.METASCHED, "Refusal", XmlText.of(String.join("\n", reasons)));
        refusal.setAttribute("code", code.name());
        return this;
    }

    /** When: into the one time term, if there is one, so that an offer of just this content asks for just this slot. */
    CounterOffer at(Instant start, Instant end) {
        writeTimes(start, end);
        return this;
    }

    /** When and where a part is served, beside the state. */
    void add(String term, SiteId site, Instant start, Instant end) {
        var slot = Xml.add(context, Names.METASCHED, "Slot");
        slot.setAttribute("term", term);
        slot.setAttribute("site", site.value());
        slot.setAttribute("start", start.toString());
        slot.setAttribute("end", end.toString());
    }

    private void writeTimes(Instant start, Instant end) {
        var times = Xml.child(root, Names.WSAG, "Terms").stream()
                .flatMap(t -> Xml.descendants(t, Names.WSAG, "ServiceDescriptionTerm"))
                .flatMap(t -> Xml.children(t).stream())
                .filter(TimeTerm::describes)
                .toList();
        if (times.size() == 1) {
            var time = times.get(0);
            Xml.children(time).stream()
                    .filter(e -> !e.getLocalName().equals("Duration"))
                    .forEach(time::removeChild);
            insert(time, "EndTime", end);
            insert(time, "StartTime", start);
        }
    }

    private static void insert(Element time, String name, Instant instant) {
        String prefix = time.getPrefix() == null ? "" : time.getPrefix() + ":";
        var element = time.getOwnerDocument().createElementNS(time.getNamespaceURI(), prefix + name);
        element.setTextContent(instant.toString());
        time.insertBefore(element, time.getFirstChild());
    }

    /** The agreement offer that a negotiation offer holds. */
    static Document offer(Element negotiationOffer) {
        var document = Xml.newDocument();
        var root = Xml.add(document, Names.WSAG, "AgreementOffer");
        Xml.children(negotiationOffer).stream()
                .filter(e -> Names.WSAG.equals(e.getNamespaceURI()))
                .forEach(e -> Xml.adopt(root, e));
        return document;
    }
}
