package org.metasched.client;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.metasched.adapter.JobStatus;
import org.metasched.agreement.AgreementEvent;
import org.metasched.client.AgreementView.SiteView;
import org.metasched.client.xml.Names;
import org.metasched.client.xml.Xml;
import org.w3c.dom.Element;

/** Reads the documents that the service shows of agreements, for its clients. */
final class AgreementReading {

    private AgreementReading() {}

    /** @param root {@code wsag:AgreementProperties} */
    static AgreementView view(Element root) {
        var state = Xml.child(root, Names.WSAG, "AgreementState")
                .orElseThrow(() -> new IllegalArgumentException("The answer shows no agreement state."));
        return view(
                Xml.childText(root, Names.WSAG, "AgreementId").orElse(""),
                Xml.childText(state, Names.WSAG, "State").orElse(""),
                Xml.child(state, Names.METASCHED, "CoAllocation"));
    }

    /** @param entry {@code ms:AgreementEntry} */
    static AgreementView entry(Element entry) {
        return view(
                entry.getAttribute("id"),
                entry.getAttribute("state"),
                Xml.child(entry, Names.METASCHED, "CoAllocation"));
    }

    /** @param element {@code ms:AgreementEvent} */
    static AgreementEvent event(Element element) {
        return new AgreementEvent(
                Instant.parse(element.getAttribute("at")),
                AgreementEvent.Kind.valueOf(element.getAttribute("kind")),
                element.getTextContent());
    }

    private static AgreementView view(String id, String state, Optional<Element> whole) {
        return new AgreementView(
                id,
                state,
                whole.flatMap(w -> instant(w, "start")),
                whole.flatMap(w -> instant(w, "end")),
                whole.map(AgreementReading::sites).orElse(List.of()),
                whole.map(w -> number(w, "rounds")).orElse(0),
                whole.map(w -> number(w, "calls")).orElse(0),
                whole.flatMap(w -> Xml.childText(w, Names.METASCHED, "Reason")));
    }

    private static List<SiteView> sites(Element whole) {
        return Xml.children(whole, Names.METASCHED, "Reservation")
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
        return Xml.child(reservation, Names.METASCHED, "Job")
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
        return Xml.children(parent, Names.METASCHED, name)
                .map(Element::getTextContent)
                .toList();
    }

    /** @param document {@code wsag-neg:NegotiationCounterOffer} */
    static CounterOffer counterOffer(Element document) {
        var context = Xml.child(document, Names.NEGOTIATION, "NegotiationOfferContext")
                .orElseThrow(() -> new IllegalArgumentException("The counter offer has no context."));
        var state = Xml.child(context, Names.NEGOTIATION, "State").stream()
                .flatMap(s -> Xml.children(s).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The counter offer has no state."));
        var refusal = Xml.child(state, Names.METASCHED, "Refusal");
        return new CounterOffer(
                document.getAttributeNS(Names.NEGOTIATION, "OfferId"),
                CounterOffer.State.valueOf(state.getLocalName().toUpperCase(Locale.ROOT)),
                Xml.childText(context, Names.NEGOTIATION, "ExpirationTime").map(Instant::parse),
                Xml.children(context, Names.METASCHED, "Slot")
                        .map(s -> new CounterOffer.Slot(
                                s.getAttribute("term"),
                                s.getAttribute("site"),
                                Instant.parse(s.getAttribute("start")),
                                Instant.parse(s.getAttribute("end"))))
                        .toList(),
                refusal.map(r -> r.getAttribute("code")),
                refusal.map(Xml::text),
                Negotiation.offer(document));
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
