package org.metasched.client;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.client.CounterOffer.State;
import org.metasched.client.xml.Names;
import org.metasched.client.xml.Xml;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * One negotiation with a metascheduler (WS-Agreement Negotiation 1.0): offers and counter offers that bind nobody, until one is accepted as an
 * agreement. What it holds is given back at its own time or by {@link #close}, unless it was accepted. Thread-safe.
 */
public final class Negotiation implements AutoCloseable {

    private final AgreementClient client;
    private final SoapCalls calls;
    private final String id;
    private final Optional<String> replaced;

    private Negotiation(AgreementClient client, SoapCalls calls, String id, Optional<String> replaced) {
        this.client = client;
        this.calls = calls;
        this.id = id;
        this.replaced = replaced;
    }

    static Negotiation begin(AgreementClient client, SoapCalls calls, Optional<String> replaced)
            throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.NEGOTIATION, "InitiateNegotiationInput");
        var context = Xml.add(request, Names.NEGOTIATION, "NegotiationContext");
        var type = Xml.add(context, Names.NEGOTIATION, "NegotiationType");
        if (replaced.isEmpty()) {
            Xml.add(type, Names.NEGOTIATION, "Negotiation");
        } else {
            var kind = Xml.add(type, Names.NEGOTIATION, "Renegotiation");
            reference(calls, kind, "ResponderAgreementEPR", AgreementClient.agreement(replaced.get()));
        }
        Xml.add(context, Names.NEGOTIATION, "AgreementResponder", "NegotiationResponder");
        var answer = calls.call("NegotiationFactory", Names.NEGOTIATION, "InitiateNegotiation", request);
        var id = AgreementClient.created(answer, Names.NEGOTIATION, "CreatedNegotiationEPR");
        return new Negotiation(client, calls, id, replaced);
    }

    /** What could be had now; nothing is held. */
    public CounterOffer advise(Document offer) throws AgreementFaultException, IOException {
        return negotiate(offer, State.ADVISORY, Optional.empty(), Optional.empty(), List.of())
                .orElseThrow(Negotiation::silent);
    }

    /** An answer to accept: what it names is held until its time, the time asked for if the responder grants that. */
    public CounterOffer solicit(Document offer, Optional<Instant> until) throws AgreementFaultException, IOException {
        return negotiate(offer, State.SOLICITED, Optional.empty(), until, List.of())
                .orElseThrow(Negotiation::silent);
    }

    /**
     * Makes an offer.
     *
     * @param answered the counter offer that it answers; nothing: the template
     * @param until when the answer to be held is needed
     * @param constraints what the answer must keep to
     * @return the answer; nothing for an offer that rejects
     */
    public Optional<CounterOffer> negotiate(
            Document offer,
            State state,
            Optional<CounterOffer> answered,
            Optional<Instant> until,
            List<NegotiationConstraint> constraints)
            throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.NEGOTIATION, "NegotiateInput");
        var root = Xml.add(request, Names.NEGOTIATION, "NegotiationOffer");
        root.setAttributeNS(Names.NEGOTIATION, "wsag-neg:OfferId", "urn:uuid:" + UUID.randomUUID());
        Xml.children(offer.getDocumentElement()).forEach(child -> Xml.adopt(root, child));
        context(root, answered.map(CounterOffer::id).orElseGet(() -> template(offer)), state, until);
        var section = Xml.add(root, Names.NEGOTIATION, "NegotiationConstraints");
        constraints.forEach(constraint -> constraint.write(section));
        var answer = calls.call("Negotiation/" + id, Names.NEGOTIATION, "Negotiate", request);
        return Xml.children(answer, Names.NEGOTIATION, "NegotiationCounterOffer")
                .findFirst()
                .map(AgreementReading::counterOffer);
    }

    /** Gives back what is held for a counter offer. */
    public void reject(CounterOffer answered) throws AgreementFaultException, IOException {
        var unused = negotiate(answered.offer(), State.REJECTED, Optional.of(answered), Optional.empty(), List.of());
    }

    /** Makes the agreement of what a counter offer names, and ends the agreement that it is to replace, in one step. */
    public AgreementView accept(CounterOffer answered) throws AgreementFaultException, IOException {
        var extension = Xml.add(
                Xml.newDocument(),
                Names.NEGOTIATION,
                replaced.isEmpty() ? "NegotiationExtension" : "RenegotiationExtension");
        reference(calls, extension, "ResponderNegotiationEPR", "Negotiation/" + id);
        replaced.ifPresent(old -> reference(calls, extension, "ResponderAgreementEPR", AgreementClient.agreement(old)));
        context(extension, answered.id(), State.ACCEPTABLE, Optional.empty());
        return client.show(client.create("CreateAgreement", List.of(), answered.offer(), List.of(extension)));
    }

    /** Ends it, with all that it holds. */
    public void end() throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.NEGOTIATION, "TerminateInput");
        calls.call("Negotiation/" + id, Names.NEGOTIATION, "Terminate", request);
    }

    /** Ends it if it goes on. */
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

    private static void context(Element parent, String answered, State state, Optional<Instant> until) {
        var context = Xml.add(parent, Names.NEGOTIATION, "NegotiationOfferContext");
        Xml.add(context, Names.NEGOTIATION, "CounterOfferTo", answered);
        until.ifPresent(time -> Xml.add(context, Names.NEGOTIATION, "ExpirationTime", time.toString()));
        Xml.add(context, Names.NEGOTIATION, "Creator", "NegotiationInitiator");
        Xml.add(Xml.add(context, Names.NEGOTIATION, "State"), Names.NEGOTIATION, state.word);
    }

    private static void reference(SoapCalls calls, Element parent, String name, String path) {
        var reference = Xml.add(parent, Names.NEGOTIATION, name);
        Xml.add(reference, Names.ADDRESSING, "Address", calls.service(path).toString());
    }

    /** What the first offer counters. */
    private static String template(Document offer) {
        var context = Xml.child(offer.getDocumentElement(), Names.WSAG, "Context")
                .orElseThrow(() -> new IllegalArgumentException("The offer has no context."));
        return Xml.childText(context, Names.WSAG, "TemplateId").orElse("") + "-"
                + Xml.childText(context, Names.WSAG, "TemplateName").orElse("");
    }

    /** The agreement offer in a counter offer, under an agreement id of its own: repeating it makes no second agreement. */
    static Document offer(Element counterOffer) {
        var document = Xml.newDocument();
        var root = Xml.add(document, Names.WSAG, "AgreementOffer");
        root.setAttributeNS(Names.WSAG, "wsag:AgreementId", counterOffer.getAttributeNS(Names.NEGOTIATION, "OfferId"));
        Xml.children(counterOffer).stream()
                .filter(e -> Names.WSAG.equals(e.getNamespaceURI()))
                .forEach(e -> Xml.adopt(root, e));
        return document;
    }

    private static IOException silent() {
        return new IOException("The responder made no counter offer.");
    }
}
