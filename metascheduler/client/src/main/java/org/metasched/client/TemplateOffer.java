package org.metasched.client;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.metasched.agreement.OfferDocument;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Makes offers of a template's own terms. */
public final class TemplateOffer {

    private TemplateOffer() {}

    /**
     * Times that replace those of a template; where one is absent, the template's own stays.
     *
     * @param duration whole minutes
     */
    public record Times(Optional<Instant> earliest, Optional<Instant> deadline, Optional<Duration> duration) {

        public Times {
            duration.filter(span -> !span.equals(Duration.ofMinutes(span.toMinutes())))
                    .ifPresent(span -> {
                        throw new IllegalArgumentException(
                                "The duration (" + span + ") of an offer from a template must be whole minutes.");
                    });
        }
    }

    /** The offer that a template itself is. */
    public static Document of(Element template) {
        var offer = XmlTrees.add(XmlTrees.newDocument(), XmlNames.WSAG, "AgreementOffer");
        XmlTrees.declarePrefixes(template, offer);
        XmlTrees.children(template).stream()
                .filter(part -> !XmlTrees.is(part, XmlNames.WSAG, "CreationConstraints"))
                .forEach(part -> XmlTrees.adopt(offer, part));
        return offer.getOwnerDocument();
    }

    /**
     * The offer of a template at other times.
     *
     * @param id the initiator's own name for the agreement
     * @param initiator subject of the initiator; empty: the sender
     */
    public static Document of(OfferDocument template, String id, String initiator, Times times) {
        var document = of(XmlTrees.parse("template", template.text()).getDocumentElement());
        var offer = document.getDocumentElement();
        offer.setAttributeNS(XmlNames.WSAG, "wsag:AgreementId", id);
        if (!initiator.isEmpty()) {
            var context = XmlTrees.child(offer, XmlNames.WSAG, "Context").orElseThrow();
            XmlTrees.child(context, XmlNames.WSAG, "AgreementInitiator").ifPresent(context::removeChild);
            var element = XmlTrees.add(context, XmlNames.WSAG, "AgreementInitiator", initiator);
            context.insertBefore(element, context.getFirstChild());
        }
        XmlTrees.descendants(offer, XmlNames.SCHEDULING, "TimeConstraint")
                .toList()
                .forEach(constraint -> set(constraint, times));
        return document;
    }

    /** Replaces the times of a time constraint, in the order of its schema. */
    private static void set(Element constraint, Times times) {
        var texts = new LinkedHashMap<String, Optional<String>>();
        texts.put("StartTime", times.earliest.map(Instant::toString));
        texts.put("EndTime", times.deadline.map(Instant::toString));
        texts.put("Duration", times.duration.map(span -> Long.toString(span.toMinutes())));
        texts.forEach((name, value) -> {
            var old = XmlTrees.child(constraint, XmlNames.SCHEDULING, name);
            var text = value.or(() -> old.map(XmlTrees::text));
            old.ifPresent(constraint::removeChild);
            text.ifPresent(newText -> XmlTrees.add(constraint, XmlNames.SCHEDULING, name, newText));
        });
    }
}
