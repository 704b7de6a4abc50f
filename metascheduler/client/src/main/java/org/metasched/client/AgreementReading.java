package org.metasched.client;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.metasched.adapter.JobStatus;
import org.metasched.agreement.AgreementEvent;
import org.metasched.client.AgreementView.SiteView;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/** Reads the documents that the service shows of agreements, for its clients. */
final class AgreementReading {

    private AgreementReading() {}

    /** An agreement from its properties, {@code wsag:AgreementProperties}. */
    static AgreementView view(Element root) {
        var state = XmlTrees.child(root, XmlNames.WSAG, "AgreementState")
                .orElseThrow(() -> new IllegalArgumentException("The answer shows no agreement state."));
        return view(
                XmlTrees.childText(root, XmlNames.WSAG, "AgreementId").orElse(""),
                XmlTrees.childText(state, XmlNames.WSAG, "State").orElse(""),
                XmlTrees.child(state, XmlNames.METASCHED, "CoAllocation"),
                root);
    }

    /** An agreement from its entry in a list, {@code ms:AgreementEntry}. */
    static AgreementView entry(Element entry) {
        return view(
                entry.getAttribute("id"),
                entry.getAttribute("state"),
                XmlTrees.child(entry, XmlNames.METASCHED, "CoAllocation"),
                entry);
    }

    /** An event from an {@code ms:AgreementEvent}. */
    static AgreementEvent event(Element element) {
        return new AgreementEvent(
                Instant.parse(element.getAttribute("at")),
                AgreementEvent.Kind.valueOf(element.getAttribute("kind")),
                element.getTextContent());
    }

    /**
     * An agreement from its parts.
     *
     * @param properties element that has the label and the context of the agreement, where there are any
     */
    private static AgreementView view(String id, String state, Optional<Element> coAllocation, Element properties) {
        var context = XmlTrees.child(properties, XmlNames.WSAG, "Context");
        var template = context.flatMap(c -> XmlTrees.childText(c, XmlNames.WSAG, "TemplateName"));
        return new AgreementView(
                id,
                state,
                coAllocation.flatMap(element -> instant(element, "start")),
                coAllocation.flatMap(element -> instant(element, "end")),
                coAllocation.map(AgreementReading::sites).orElse(List.of()),
                coAllocation.map(element -> number(element, "rounds")).orElse(0),
                coAllocation.map(element -> number(element, "calls")).orElse(0),
                coAllocation.flatMap(element -> XmlTrees.childText(element, XmlNames.METASCHED, "Reason")),
                XmlTrees.childText(properties, XmlNames.WSAG, "Name")
                        .filter(name -> !name.isBlank() && !name.equals(template.orElse(""))),
                context.map(c -> texts(c, "User")).orElse(List.of()),
                context.flatMap(c -> XmlTrees.childText(c, XmlNames.METASCHED, "Project")));
    }

    private static List<SiteView> sites(Element coAllocation) {
        return XmlTrees.children(coAllocation, XmlNames.METASCHED, "Reservation")
                .map(r -> new SiteView(
                        r.getAttribute("site"),
                        r.getAttribute("id"),
                        number(r, "amount"),
                        instant(r, "start").orElseThrow(),
                        instant(r, "end").orElseThrow(),
                        r.getAttribute("state"),
                        texts(r, "Node"),
                        texts(r, "LostNode"),
                        job(r)))
                .toList();
    }

    private static Optional<JobStatus> job(Element reservation) {
        return XmlTrees.child(reservation, XmlNames.METASCHED, "Job")
                .map(job -> new JobStatus(
                        JobStatus.State.valueOf(job.getAttribute("state")),
                        job.getAttribute("id"),
                        Optional.of(job.getAttribute("exitCode"))
                                .filter(code -> !code.isEmpty())
                                .map(Integer::valueOf),
                        job.getAttribute("output"),
                        job.getAttribute("detail")));
    }

    private static List<String> texts(Element parent, String name) {
        return XmlTrees.children(parent, XmlNames.METASCHED, name)
                .map(Element::getTextContent)
                .toList();
    }

    /** A counter offer from a {@code wsag-neg:NegotiationCounterOffer}. */
    static ReceivedCounterOffer counterOffer(Element document) {
        var context = XmlTrees.child(document, XmlNames.NEGOTIATION, "NegotiationOfferContext")
                .orElseThrow(() -> new IllegalArgumentException("The counter offer has no context."));
        var state = XmlTrees.child(context, XmlNames.NEGOTIATION, "State").stream()
                .flatMap(s -> XmlTrees.children(s).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The counter offer has no state."));
        var refusal = XmlTrees.child(state, XmlNames.METASCHED, "Refusal");
        return new ReceivedCounterOffer(
                document.getAttributeNS(XmlNames.NEGOTIATION, "OfferId"),
                ReceivedCounterOffer.State.valueOf(state.getLocalName().toUpperCase(Locale.ROOT)),
                XmlTrees.childText(context, XmlNames.NEGOTIATION, "ExpirationTime")
                        .map(Instant::parse),
                XmlTrees.children(context, XmlNames.METASCHED, "Slot")
                        .map(s -> new ReceivedCounterOffer.Slot(
                                s.getAttribute("term"),
                                s.getAttribute("site"),
                                Instant.parse(s.getAttribute("start")),
                                Instant.parse(s.getAttribute("end"))))
                        .toList(),
                refusal.map(r -> r.getAttribute("code")),
                refusal.map(XmlTrees::text),
                NegotiationClient.offer(document));
    }

    private static Optional<Instant> instant(Element element, String attribute) {
        return element.hasAttribute(attribute)
                ? Optional.of(Instant.parse(element.getAttribute(attribute)))
                : Optional.empty();
    }

    private static int number(Element element, String attribute) {
        return element.hasAttribute(attribute) ? Integer.parseInt(element.getAttribute(attribute)) : 0;
    }
}
