package org.metasched.soap;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import jakarta.xml.ws.soap.AddressingFeature;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.soap.MessageContext;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.OngoingNegotiations;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.overview.DocumentOffers;
import org.metasched.trust.Authorizer;
import org.metasched.wsag.ContinuingFault;
import org.metasched.wsag.NegotiationFactory;
import org.metasched.wsag.negotiation.InitiateNegotiationInputType;
import org.metasched.wsag.negotiation.InitiateNegotiationOutputType;
import org.w3c.dom.Element;

/** Service that begins negotiations (GFD.193, section 5): about a new agreement, or about one that replaces another. Thread-safe. */
@WebService(
        endpointInterface = "org.metasched.wsag.NegotiationFactory",
        targetNamespace = XmlNames.WSAG,
        serviceName = "NegotiationFactoryService",
        portName = "NegotiationFactorySoap12Port",
        wsdlLocation = "classpath:org/metasched/wsdl/agreement.wsdl")
@Addressing(responses = AddressingFeature.Responses.ANONYMOUS)
public final class NegotiationFactoryEndpoint implements NegotiationFactory {

    /** Last part of the service's address. */
    public static final String NAME = "NegotiationFactory";

    private static final int LONGEST_CONTEXT = 64 * 1024;

    private final OfferService offers;
    private final OngoingNegotiations negotiations;
    private final Authorizer authorizer;
    private final AgreementFaults faults;
    private final Clock clock;
    private final OfferSchema schema = new OfferSchema();

    /** @param authorizer decides who may have whose agreement replaced */
    public NegotiationFactoryEndpoint(
            OfferService offers, OngoingNegotiations negotiations, Authorizer authorizer, Clock clock) {
        this.offers = offers;
        this.negotiations = negotiations;
        this.authorizer = authorizer;
        this.faults = new AgreementFaults(clock);
        this.clock = clock;
    }

    @Override
    public InitiateNegotiationOutputType initiateNegotiation(InitiateNegotiationInputType request)
            throws ContinuingFault {
        try {
            var context = context(request.getNegotiationContextAndInitiatorNegotiationEPRAndNoncriticalExtension());
            var id = open(context);
            var response = new InitiateNegotiationOutputType();
            response.setCreatedNegotiationEPR(EndpointReferences.of(CallContext.sibling(NegotiationEndpoint.NAME), id));
            return response;
        } catch (InvalidOfferException e) {
            throw faults.invalid(e);
        }
    }

    private String open(Element context) {
        Optional<Instant> expiration = XmlTrees.childText(context, XmlNames.NEGOTIATION, "ExpirationTime")
                .map(t -> TimeTerm.instant("NegotiationContext", "ExpirationTime", t));
        var now = clock.instant();
        if (expiration.filter(e -> !e.isAfter(now)).isPresent()) {
            throw new InvalidOfferException("The ExpirationTime of the NegotiationContext (" + expiration.get()
                    + ") must be later than now, which is " + now + ".");
        }
        nameResponder(context);
        return negotiations
                .open(
                        MessageContext.call().subject().name(),
                        XmlTrees.print(context),
                        renegotiated(context),
                        expiration)
                .orElseThrow(() -> new InvalidOfferException(
                        ErrorCode.BUSY, List.of("Too many negotiations are open; repeat the request later.")));
    }

    /** Adds the NegotiationResponder if the initiator left it out. */
    private static void nameResponder(Element context) {
        if (XmlTrees.child(context, XmlNames.NEGOTIATION, "NegotiationResponder")
                .isEmpty()) {
            var responder = XmlTrees.add(
                    context,
                    XmlNames.NEGOTIATION,
                    "NegotiationResponder",
                    CallContext.sibling(NAME).toString());
            var after = XmlTrees.child(context, XmlNames.NEGOTIATION, "AgreementResponder")
                    .orElseThrow();
            context.insertBefore(responder, after);
        }
    }

    /** The negotiation's context in a message, checked. */
    private Element context(List<Element> content) {
        for (var element : content) {
            if (!XmlNames.NEGOTIATION.equals(element.getNamespaceURI())) {
                throw new InvalidOfferException(
                        ErrorCode.EXTENSION_NOT_UNDERSTOOD,
                        List.of("The critical extension " + element.getNodeName() + " is not known here."));
            }
        }
        var context = content.stream()
                .filter(e -> XmlTrees.is(e, XmlNames.NEGOTIATION, "NegotiationContext"))
                .findFirst()
                .orElseThrow(() -> new InvalidOfferException("The message has no NegotiationContext."));
        if (XmlTrees.print(context).length() > LONGEST_CONTEXT) {
            throw new InvalidOfferException(
                    "The NegotiationContext must not be longer than " + LONGEST_CONTEXT + " characters.");
        }
        var complaints = schema.examine(context).complaints();
        if (!complaints.isEmpty()) {
            throw new InvalidOfferException(ErrorCode.OFFER_INVALID, complaints);
        }
        var responder = XmlTrees.childText(context, XmlNames.NEGOTIATION, "AgreementResponder")
                .orElse("");
        if (!responder.equals("NegotiationResponder")) {
            throw new InvalidOfferException("The AgreementResponder (" + responder
                    + ") must be the NegotiationResponder: this service decides about offers and makes none.");
        }
        return context;
    }

    /** The agreement that is to be replaced; empty for a negotiation about a new one. */
    private Optional<AgreementId> renegotiated(Element context) {
        var reference = XmlTrees.child(context, XmlNames.NEGOTIATION, "NegotiationType")
                .flatMap(t -> XmlTrees.child(t, XmlNames.NEGOTIATION, "Renegotiation"))
                .flatMap(r -> XmlTrees.child(r, XmlNames.NEGOTIATION, "ResponderAgreementEPR"));
        if (reference.isEmpty()) {
            return Optional.empty();
        }
        var id = EndpointReferences.resourceId(reference.get()).orElse("");
        var replacing = MessageContext.call().during(AgreementEndpoint.NAME + "/Terminate");
        var agreement = Optional.of(id)
                .filter(AgreementId::isForm)
                .map(AgreementId::new)
                .filter(AgreementId::isRandom)
                .flatMap(offers::find)
                .filter(a -> authorizer.permits(replacing, DocumentOffers.resource(a)))
                .orElseThrow(() -> new InvalidOfferException(
                        ErrorCode.AGREEMENT_UNKNOWN, List.of("There is no agreement (" + id + ") here to replace.")));
        if (agreement.state().isFinal()) {
            throw NegotiationEndpoint.ended(agreement);
        }
        return Optional.of(agreement.id());
    }
}
