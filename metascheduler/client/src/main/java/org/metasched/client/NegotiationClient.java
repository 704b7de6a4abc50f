package org.metasched.client;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.client.ReceivedCounterOffer.State;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * One negotiation with a metascheduler (WS-Agreement Negotiation 1.0): offers and counter offers without obligation, until one is accepted as an
 * agreement. Reservations that it holds are given back when their time is up or by {@link #close}, unless they were accepted. Thread-safe.
 */
public final class NegotiationClient implements AutoCloseable {

    private final AgreementClient client;
    private final SoapCalls calls;
    private final String id;
    private final Optional<String> replaced;

    private NegotiationClient(AgreementClient client, SoapCalls calls, String id, Optional<String> replaced) {
        this.client = client;
        this.calls = calls;
        this.id = id;
        this.replaced = replaced;
    }

    static NegotiationClient begin(AgreementClient client, SoapCalls calls, Optional<String> replaced)
            throws AgreementFaultException, IOException {
        var request = XmlTrees.add(XmlTrees.newDocument(), XmlNames.NEGOTIATION, "InitiateNegotiationInput");
        var context = XmlTrees.add(request, XmlNames.NEGOTIATION, "NegotiationContext");
        var type = XmlTrees.add(context, XmlNames.NEGOTIATION, "NegotiationType");
        if (replaced.isEmpty()) {
            XmlTrees.add(type, XmlNames.NEGOTIATION, "Negotiation");
        } else {
            var kind = XmlTrees.add(type, XmlNames.NEGOTIATION, "Renegotiation");
            addReference(calls, kind, "ResponderAgreementEPR", AgreementClient.pathOf(replaced.get()));
        }
        XmlTrees.add(context, XmlNames.NEGOTIATION, "AgreementResponder", "NegotiationResponder");
        var answer = calls.call("NegotiationFactory", XmlNames.NEGOTIATION, "InitiateNegotiation", request);
        var id = AgreementClient.createdId(answer, XmlNames.NEGOTIATION, "CreatedNegotiationEPR");
        return new NegotiationClient(client, calls, id, replaced);
    }

    /** Asks what could be had now; nothing is held. */
    public ReceivedCounterOffer advise(Document offer) throws AgreementFaultException, IOException {
        return negotiate(offer, State.ADVISORY, Optional.empty(), Optional.empty(), List.of())
                .orElseThrow(NegotiationClient::noCounterOffer);
    }

    /** Asks for an answer that can be accepted. Its reservations are held until its own {@code until}, which may differ from the requested one. */
    public ReceivedCounterOffer solicit(Document offer, Optional<Instant> until)
            throws AgreementFaultException, IOException {
        return negotiate(offer, State.SOLICITED, Optional.empty(), until, List.of())
                .orElseThrow(NegotiationClient::noCounterOffer);
    }

    /**
     * Makes an offer.
     *
     * @param answered counter offer that this offer answers; empty if it answers the template
     * @param until time until which the answer is to be held
     * @param constraints constraints of the answer
     * @return the answer; empty for an offer that rejects
     */
    public Optional<ReceivedCounterOffer> negotiate(
            Document offer,
            State state,
            Optional<ReceivedCounterOffer> answered,
            Optional<Instant> until,
            List<NegotiationConstraint> constraints)
            throws AgreementFaultException, IOException {
        var request = XmlTrees.add(XmlTrees.newDocument(), XmlNames.NEGOTIATION, "NegotiateInput");
        var root = XmlTrees.add(request, XmlNames.NEGOTIATION, "NegotiationOffer");
        root.setAttributeNS(XmlNames.NEGOTIATION, "wsag-neg:OfferId", "urn:uuid:" + UUID.randomUUID());
        XmlTrees.children(offer.getDocumentElement()).forEach(child -> XmlTrees.adopt(root, child));
        addContext(root, answered.map(ReceivedCounterOffer::id).orElseGet(() -> template(offer)), state, until);
        var section = XmlTrees.add(root, XmlNames.NEGOTIATION, "NegotiationConstraints");
        constraints.forEach(constraint -> constraint.write(section));
        var answer = calls.call("Negotiation/" + id, XmlNames.NEGOTIATION, "Negotiate", request);
        return XmlTrees.children(answer, XmlNames.NEGOTIATION, "NegotiationCounterOffer")
                .findFirst()
                .map(AgreementReading::counterOffer);
    }

    /** Gives back what is held for a counter offer. */
    public void reject(ReceivedCounterOffer answered) throws AgreementFaultException, IOException {
        var unused = negotiate(answered.offer(), State.REJECTED, Optional.of(answered), Optional.empty(), List.of());
    }

    /** Makes an agreement of a counter offer, and ends the agreement that it is to replace, in one step. */
    public AgreementView accept(ReceivedCounterOffer answered) throws AgreementFaultException, IOException {
        var extension = XmlTrees.add(
                XmlTrees.newDocument(),
                XmlNames.NEGOTIATION,
                replaced.isEmpty() ? "NegotiationExtension" : "RenegotiationExtension");
        addReference(calls, extension, "ResponderNegotiationEPR", "Negotiation/" + id);
        replaced.ifPresent(old -> addReference(calls, extension, "ResponderAgreementEPR", AgreementClient.pathOf(old)));
        addContext(extension, answered.id(), State.ACCEPTABLE, Optional.empty());
        return client.make("CreateAgreement", List.of(), answered.offer(), List.of(extension));
    }

    /** Ends the negotiation, and gives back all that it holds. */
    public void end() throws AgreementFaultException, IOException {
        var request = XmlTrees.add(XmlTrees.newDocument(), XmlNames.NEGOTIATION, "TerminateInput");
        calls.call("Negotiation/" + id, XmlNames.NEGOTIATION, "Terminate", request);
    }

    /** Ends the negotiation if it goes on. */
    @Override
    public void close() throws IOException {
        try {
            end();
        } catch (AgreementFaultException e) {
            if (!e.code().equals("NEGOTIATION_UNKNOWN")) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    private static void addContext(Element parent, String answered, State state, Optional<Instant> until) {
        var context = XmlTrees.add(parent, XmlNames.NEGOTIATION, "NegotiationOfferContext");
        XmlTrees.add(context, XmlNames.NEGOTIATION, "CounterOfferTo", answered);
        until.ifPresent(time -> XmlTrees.add(context, XmlNames.NEGOTIATION, "ExpirationTime", time.toString()));
        XmlTrees.add(context, XmlNames.NEGOTIATION, "Creator", "NegotiationInitiator");
        XmlTrees.add(XmlTrees.add(context, XmlNames.NEGOTIATION, "State"), XmlNames.NEGOTIATION, state.word);
    }

    private static void addReference(SoapCalls calls, Element parent, String name, String path) {
        var reference = XmlTrees.add(parent, XmlNames.NEGOTIATION, name);
        XmlTrees.add(
                reference, XmlNames.ADDRESSING, "Address", calls.address(path).toString());
    }

    /** Id and name of the template, to which a first offer is the counter offer. */
    private static String template(Document offer) {
        var context = XmlTrees.child(offer.getDocumentElement(), XmlNames.WSAG, "Context")
                .orElseThrow(() -> new IllegalArgumentException("The offer has no context."));
        return XmlTrees.childText(context, XmlNames.WSAG, "TemplateId").orElse("") + "-"
                + XmlTrees.childText(context, XmlNames.WSAG, "TemplateName").orElse("");
    }

    /** The agreement offer in a counter offer, under an agreement id of its own: repeating it makes no second agreement. */
    static Document offer(Element counterOffer) {
        var document = XmlTrees.newDocument();
        var root = XmlTrees.add(document, XmlNames.WSAG, "AgreementOffer");
        root.setAttributeNS(
                XmlNames.WSAG, "wsag:AgreementId", counterOffer.getAttributeNS(XmlNames.NEGOTIATION, "OfferId"));
        XmlTrees.children(counterOffer).stream()
                .filter(e -> XmlNames.WSAG.equals(e.getNamespaceURI()))
                .forEach(e -> XmlTrees.adopt(root, e));
        return document;
    }

    private static IOException noCounterOffer() {
        return new IOException("The responder made no counter offer.");
    }
}
