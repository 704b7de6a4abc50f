package org.metasched.soap;

import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.metasched.adapter.soap.XmlText;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.Compensation;
import org.metasched.agreement.CompensationAssessment;
import org.metasched.agreement.SiteCommitment;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * An agreement as the resource property document that its parties see. It has the initiator's offer verbatim, then the state of the agreement,
 * of each guarantee and of each service. Slot and reservations stand where the specification leaves room: the common slot in the state of the
 * agreement, each reservation in the state of its term.
 */
final class AgreementDocument {

    private AgreementDocument() {}

    /** @param agreements address of the service of agreements */
    static Element of(Agreement agreement, URI agreements) {
        var offer = XmlTrees.parse(
                        "offer of " + agreement.id(),
                        agreement.offer().document().text())
                .getDocumentElement();
        var root = XmlTrees.add(XmlTrees.newDocument(), XmlNames.WSAG, "AgreementProperties");
        XmlTrees.child(offer, XmlNames.WSAG, "Name").ifPresent(n -> XmlTrees.adopt(root, n));
        XmlTrees.add(root, XmlNames.WSAG, "AgreementId", agreement.id().value());
        XmlTrees.adopt(root, XmlTrees.child(offer, XmlNames.WSAG, "Context").orElseThrow());
        var terms = XmlTrees.adopt(
                root, XmlTrees.child(offer, XmlNames.WSAG, "Terms").orElseThrow());
        var state = XmlTrees.add(root, XmlNames.WSAG, "AgreementState");
        var offered = offer.getAttributeNS(XmlNames.WSAG, "AgreementId");
        var coAllocation = coAllocation(state, agreement);
        if (!offered.isEmpty()) {
            coAllocation.setAttribute("offered", offered);
        }
        XmlTrees.add(state, XmlNames.WSAG, "State", agreement.state().term());
        guarantees(root, agreement);
        services(root, terms, agreement, agreements);
        return root;
    }

    /** An entry for a list of agreements: id, state and slot, without the documents. */
    static Element entry(Agreement agreement) {
        var entry = XmlTrees.add(XmlTrees.newDocument(), XmlNames.METASCHED, "AgreementEntry");
        entry.setAttribute("id", agreement.id().value());
        entry.setAttribute("state", agreement.state().term());
        var unused = coAllocation(entry, agreement);
        return entry;
    }

    static Element event(AgreementEvent event) {
        var element = XmlTrees.add(
                XmlTrees.newDocument(),
                XmlNames.METASCHED,
                XmlNames.AGREEMENT_EVENT.getLocalPart(),
                XmlText.of(event.what()));
        element.setAttribute("at", event.at().toString());
        element.setAttribute("kind", event.kind().name());
        return element;
    }

    private static Element coAllocation(Element parent, Agreement agreement) {
        var coAllocation = XmlTrees.add(parent, XmlNames.METASCHED, "CoAllocation");
        agreement.slot().ifPresent(slot -> {
            coAllocation.setAttribute("start", slot.start().toString());
            coAllocation.setAttribute("end", slot.end().toString());
        });
        coAllocation.setAttribute("rounds", Integer.toString(agreement.effort().rounds()));
        coAllocation.setAttribute("calls", Integer.toString(agreement.effort().calls()));
        agreement.commitments().forEach(c -> reservation(coAllocation, c).setAttribute("term", c.term()));
        var due = agreement.compensations();
        for (int i = 0; i < due.size(); i++) {
            compensation(
                    coAllocation,
                    due.get(i).getKey(),
                    due.get(i).getValue(),
                    agreement.assessments().get(i));
        }
        agreement.reason().ifPresent(r -> XmlTrees.add(coAllocation, XmlNames.METASCHED, "Reason", XmlText.of(r)));
        return coAllocation;
    }

    private static void compensation(Element parent, String term, Compensation due, CompensationAssessment assessment) {
        var element = XmlTrees.add(parent, XmlNames.METASCHED, "Compensation");
        element.setAttribute("term", term);
        element.setAttribute("kind", due.kind().name());
        element.setAttribute("unit", due.unit());
        element.setAttribute("times", Integer.toString(assessment.times()));
        element.setAttribute("total", Double.toString(assessment.total()));
    }

    private static Element reservation(Element parent, SiteCommitment commitment) {
        var reservation = commitment.reservation();
        var element = XmlTrees.add(parent, XmlNames.METASCHED, "Reservation");
        element.setAttribute("site", commitment.site().value());
        element.setAttribute("id", XmlText.of(reservation.id().value()));
        element.setAttribute("amount", Integer.toString(reservation.granted().amount()));
        element.setAttribute("start", reservation.slot().start().toString());
        element.setAttribute("end", reservation.slot().end().toString());
        element.setAttribute("state", commitment.state().name());
        reservation.nodeNames().forEach(n -> XmlTrees.add(element, XmlNames.METASCHED, "Node", XmlText.of(n)));
        commitment.lostNodes().forEach(n -> XmlTrees.add(element, XmlNames.METASCHED, "LostNode", XmlText.of(n)));
        job(element, commitment);
        return element;
    }

    /** Adds the program of a part as {@code ms:Job} to its reservation. */
    private static void job(Element reservation, SiteCommitment commitment) {
        commitment.run().ifPresent(run -> {
            var status = run.status();
            var element = XmlTrees.add(reservation, XmlNames.METASCHED, "Job");
            element.setAttribute("state", status.state().name());
            set(element, "id", status.id());
            status.exitCode().ifPresent(code -> element.setAttribute("exitCode", Integer.toString(code)));
            set(element, "output", status.output());
            set(element, "detail", status.detail());
        });
    }

    private static void set(Element element, String name, String text) {
        if (!text.isEmpty()) {
            element.setAttribute(name, XmlText.of(text));
        }
    }

    private static void guarantees(Element root, Agreement agreement) {
        agreement.guarantees().forEach((name, state) -> {
            var element = XmlTrees.add(root, XmlNames.WSAG, "GuaranteeTermState");
            element.setAttributeNS(XmlNames.WSAG, "wsag:termName", name);
            XmlTrees.add(element, XmlNames.WSAG, "State", state.term());
        });
    }

    /** Adds one state for every term that describes a service or refers to one. */
    private static void services(Element root, Element terms, Agreement agreement, URI agreements) {
        XmlTrees.descendants(terms, XmlNames.WSAG, "ServiceDescriptionTerm").forEach(term -> {
            var name = term.getAttributeNS(XmlNames.WSAG, "Name");
            var pieces = pieces(agreement, commitment -> commitment.term().equals(name));
            var element = service(root, name, agreement, pieces);
            // The specification leaves room for one element.
            var place = pieces.size() > 1 ? XmlTrees.add(element, XmlNames.METASCHED, "Pieces") : element;
            pieces.forEach(piece -> reservation(place, piece));
        });
        XmlTrees.descendants(terms, XmlNames.WSAG, "ServiceReference").forEach(term -> {
            var service = term.getAttributeNS(XmlNames.WSAG, "ServiceName");
            var pieces = pieces(agreement, commitment -> commitment.service().equals(service));
            var element = service(root, term.getAttributeNS(XmlNames.WSAG, "Name"), agreement, pieces);
            if (!pieces.isEmpty()) {
                var reference = XmlTrees.add(element, XmlNames.ADDRESSING, "EndpointReference");
                EndpointReferences.write(reference, agreements, agreement.id().value());
                var metadata = XmlTrees.add(reference, XmlNames.ADDRESSING, "Metadata");
                pieces.forEach(piece -> reservation(metadata, piece));
            }
        });
    }

    private static List<SiteCommitment> pieces(Agreement agreement, Predicate<SiteCommitment> which) {
        return agreement.commitments().stream().filter(which).toList();
    }

    private static Element service(Element root, String name, Agreement agreement, List<SiteCommitment> pieces) {
        var element = XmlTrees.add(root, XmlNames.WSAG, "ServiceTermState");
        element.setAttributeNS(XmlNames.WSAG, "wsag:termName", name);
        var state = pieces.stream()
                .map(piece -> agreement.serviceState(piece.term()))
                .min(Comparator.naturalOrder())
                .orElseGet(() -> agreement.serviceState(name));
        XmlTrees.add(element, XmlNames.WSAG, "State", state.term());
        return element;
    }
}
