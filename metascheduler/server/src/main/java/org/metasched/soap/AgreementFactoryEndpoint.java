package org.metasched.soap;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import jakarta.xml.ws.soap.AddressingFeature;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.metasched.adapter.soap.MessageContext;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.NegotiationBook.Offer;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.RefusalCode;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.CreationOutcome.Refused;
import org.metasched.agreement.making.OfferAdvice.Nearest;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.OfferService.Decision;
import org.metasched.agreement.making.OfferService.Replacing;
import org.metasched.agreement.making.OngoingNegotiations;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.http.OutboundPolicy;
import org.metasched.negotiation.StoreBusyException;
import org.metasched.negotiation.StoreUnavailableException;
import org.metasched.overview.DocumentOffers;
import org.metasched.overview.ListPage;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;
import org.metasched.wsag.AgreementFactory;
import org.metasched.wsag.AgreementType;
import org.metasched.wsag.ContinuingFault;
import org.metasched.wsag.CreateAgreementInputType;
import org.metasched.wsag.CreateAgreementOutputType;
import org.metasched.wsag.CreatePendingAgreementInputType;
import org.metasched.wsag.CreatePendingAgreementOutputType;
import org.metasched.wsag.addressing.EndpointReferenceType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Service that takes offers and shows templates. {@code CreateAgreement} is answered only when every reservation is confirmed and the agreement
 * is durable; repeating an offer gives the first agreement again. Thread-safe.
 */
@WebService(
        endpointInterface = "org.metasched.wsag.AgreementFactory",
        targetNamespace = XmlNames.WSAG,
        serviceName = "AgreementFactoryService",
        portName = "AgreementFactorySoap12Port",
        wsdlLocation = "classpath:org/metasched/wsdl/agreement.wsdl")
@Addressing(responses = AddressingFeature.Responses.ANONYMOUS)
public final class AgreementFactoryEndpoint extends PropertyEndpoint<OfferService, RuntimeException>
        implements AgreementFactory {

    /** Last part of its address. */
    public static final String NAME = "AgreementFactory";

    private static final Logger LOG = LoggerFactory.getLogger(AgreementFactoryEndpoint.class);
    /** Agreements in a list, the newest ones. */
    private static final int MOST_LISTED = 1000;

    private final OfferService offers;
    private final Authorizer guard;
    private final OutboundPolicy outbound;
    private final OngoingNegotiations negotiations;
    private final OfferDocuments documents;

    /**
     * @param negotiations negotiations of whose counter offers agreements may be made
     * @param guard authorizer that decides who may offer, and whose agreements are listed to whom
     * @param outbound policy of calls to the addresses that offers name
     */
    public AgreementFactoryEndpoint(
            OfferService offers,
            OfferDocuments documents,
            OngoingNegotiations negotiations,
            Authorizer guard,
            OutboundPolicy outbound,
            Clock clock) {
        super(
                new AgreementFaults(clock),
                List.of(XmlNames.TEMPLATE, XmlNames.AGREEMENT_ENTRY, ServiceGroup.ENTRY, ServiceGroup.RULE));
        this.offers = offers;
        this.negotiations = negotiations;
        this.guard = guard;
        this.outbound = outbound;
        this.documents = documents;
    }

    @Override
    public CreateAgreementOutputType createAgreement(CreateAgreementInputType request) throws ContinuingFault {
        var decision = decision(request.getAny(), offers::offer);
        var response = new CreateAgreementOutputType();
        response.setCreatedAgreementEPR(create(request.getAgreementOffer(), Optional.empty(), decision));
        return response;
    }

    @Override
    public CreatePendingAgreementOutputType createPendingAgreement(CreatePendingAgreementInputType request)
            throws ContinuingFault {
        var decision = decision(request.getAny(), offers::offerPending);
        var acceptance =
                Optional.ofNullable(request.getAgreementAcceptanceEPR()).map(AcceptanceReference::write);
        var response = new CreatePendingAgreementOutputType();
        response.setCreatedAgreementEPR(create(request.getAgreementOffer(), acceptance, decision));
        return response;
    }

    @Override
    OfferService addressed() {
        return offers;
    }

    /** Templates only: the entries may be a thousand documents, and are asked for by name. */
    @Override
    Element document(OfferService service) {
        var root = XmlTrees.add(XmlTrees.newDocument(), XmlNames.WSAG, "AgreementFactoryProperties");
        values(service, XmlNames.TEMPLATE).forEach(t -> XmlTrees.adopt(root, t));
        return root;
    }

    @Override
    List<Element> values(OfferService service, QName name) {
        if (name.equals(XmlNames.TEMPLATE)) {
            return documents.templates(MessageContext.call()).stream()
                    .map(t -> XmlTrees.parse("template", t.document().text()).getDocumentElement())
                    .toList();
        }
        if (name.equals(ServiceGroup.RULE)) {
            return List.of(ServiceGroup.rule());
        }
        // AGREEMENT_ENTRY or ServiceGroup.ENTRY
        var group = CallContext.sibling(AgreementEndpoint.NAME);
        var viewing = MessageContext.call().during(AgreementEndpoint.NAME + "/GetResourceProperty");
        var page = ListPage.of(
                Optional.<AgreementId>empty(),
                MOST_LISTED,
                Integer.MAX_VALUE,
                (last, most) -> service.newest(EnumSet.allOf(AgreementState.class), last, most),
                Agreement::id,
                a -> guard.shows(viewing, DocumentOffers.resource(a)));
        return page.shown().stream()
                .map(a -> name.equals(ServiceGroup.ENTRY) ? ServiceGroup.entry(group, a) : AgreementDocument.entry(a))
                .toList();
    }

    /** The usual decision or, where an extension names a negotiation, that about a negotiated offer, which is made at once. */
    private Decision<CreationOutcome> decision(List<Element> extensions, Decision<CreationOutcome> usual)
            throws ContinuingFault {
        var negotiated = extensions.stream()
                .filter(e -> XmlTrees.is(e, XmlNames.NEGOTIATION, "NegotiationExtension")
                        || XmlTrees.is(e, XmlNames.NEGOTIATION, "RenegotiationExtension"))
                .toList();
        var unknown = extensions.stream()
                .filter(e -> !negotiated.contains(e))
                .map(e -> "The critical extension {" + e.getNamespaceURI() + "}" + e.getLocalName()
                        + " is not known here. Send it as a NoncriticalExtension if it may be passed over.");
        var tooMany = negotiated.stream()
                .skip(1)
                .map(e -> "There is another extension about a negotiation; only one of them may be sent.");
        var problems = Stream.concat(unknown, tooMany).toList();
        if (!problems.isEmpty()) {
            throw faults.continuing(ErrorCode.EXTENSION_NOT_UNDERSTOOD, problems);
        }
        if (negotiated.isEmpty()) {
            return usual;
        }
        var replaced = XmlTrees.child(negotiated.get(0), XmlNames.NEGOTIATION, "ResponderAgreementEPR")
                .flatMap(EndpointReferences::resourceId);
        return new Replacing<>(
                replaced.filter(AgreementId::isForm).map(AgreementId::new),
                offer -> negotiated(negotiated.get(0), replaced, offer));
    }

    /** The alternatives of an offer that is a counter offer of this service and not rejected; none for any other offer. */
    private List<AgreementRequest> alternatives(Offer counter, Authorizer.Call call) {
        var root = XmlTrees.parse("counter offer", counter.document()).getDocumentElement();
        return counter.rejected() || !XmlTrees.is(root, XmlNames.NEGOTIATION, "NegotiationCounterOffer")
                ? List.of()
                : documents
                        .reader()
                        .read(CounterOffer.offer(root), new InitiatorIdentity(guard, call))
                        .alternatives();
    }

    /** The agreement that was made of an offer before, or the decision about a negotiated one: it is the counter offer that it names. */
    private CreationOutcome negotiated(Element extension, Optional<String> replaced, AgreementOffer offer)
            throws InterruptedException {
        var earlier = offers.find(offer.key());
        if (earlier.isPresent()) {
            return new CreationOutcome.Created(earlier.get(), true);
        }
        var call = MessageContext.call();
        String name = XmlTrees.child(extension, XmlNames.NEGOTIATION, "NegotiationOfferContext")
                .flatMap(c -> XmlTrees.childText(c, XmlNames.NEGOTIATION, "CounterOfferTo"))
                .orElse("");
        var ongoing = negotiations
                .withOffer(name)
                .filter(t -> guard.shows(
                        call,
                        new ProtectedResource(
                                "Negotiation",
                                t.negotiation().id(),
                                t.negotiation().owner())))
                .orElseThrow(() -> new InvalidOfferException(
                        ErrorCode.NEGOTIATION_UNKNOWN,
                        List.of("The counter offer (" + name + ") is not part of a negotiation that goes on here.")));
        if (!alternatives(ongoing.find(name).orElseThrow(), call).equals(offer.alternatives())) {
            throw new InvalidOfferException(
                    "The offer is not the counter offer (" + name
                            + ") that its NegotiationOfferContext names: its terms must be the same, and it must not be rejected.");
        }
        var renegotiated = ongoing.negotiation().renegotiated();
        if (!replaced.equals(renegotiated.map(AgreementId::value))) {
            throw new InvalidOfferException("The agreement to be replaced (" + replaced.orElse("none")
                    + ") must be that of the negotiation ("
                    + renegotiated.map(AgreementId::value).orElse("none") + ").");
        }
        return offers.renegotiate(offer, Optional.of(name), renegotiated);
    }

    private EndpointReferenceType create(
            AgreementType message, Optional<OfferDocument> acceptance, Decision<CreationOutcome> decision)
            throws ContinuingFault {
        try {
            var quota = new SenderQuota(guard, MessageContext.call().subject());
            var outcome = offers.within(quota, () -> offer(message, acceptance), decision);
            // Computed apart, as a fold throws exceptions of one kind only.
            var nearest = outcome.fold(created -> List.<Nearest>of(), refused -> nearest(message, acceptance, refused));
            CreationOutcome.Created created =
                    outcome.<CreationOutcome.Created, ContinuingFault>fold(made -> made, refused -> {
                        throw faults.refused(refused, nearest);
                    });
            return EndpointReferences.of(
                    CallContext.sibling(AgreementEndpoint.NAME),
                    created.agreement().id().value());
        } catch (InvalidOfferException e) {
            throw faults.invalid(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.continuing(ErrorCode.BUSY, List.of("The service is shutting down; repeat the offer later."));
        } catch (StoreBusyException e) {
            LOG.debug("An offer was sent away: {}", e.getMessage());
            throw faults.continuing(ErrorCode.BUSY, List.of(e.getMessage() + " Offer it again later."));
        } catch (StoreUnavailableException e) {
            LOG.error("An offer could not be decided: {}", e.getMessage());
            throw faults.continuing(
                    ErrorCode.SERVICE_FAILED,
                    List.of("The decision cannot be recorded now. Repeat the offer with the same AgreementId: "
                            + "if it was accepted, the answer is that agreement."));
        }
    }

    /** Requests like a refused one that would be granted, if its context asks for them. */
    private List<Nearest> nearest(AgreementType message, Optional<OfferDocument> acceptance, Refused refused)
            throws InterruptedException {
        boolean isAskedFor = refused.code() != RefusalCode.BUSY
                && refused.code() != RefusalCode.AGREEMENT_ID_TAKEN
                && XmlTrees.child(document(message).getDocumentElement(), XmlNames.WSAG, "Context")
                        .flatMap(context -> XmlTrees.child(context, XmlNames.METASCHED, "Explain"))
                        .isPresent();
        return isAskedFor ? offers.plan(offer(message, acceptance), 1, true).nearest() : List.of();
    }

    private AgreementOffer offer(AgreementType message, Optional<OfferDocument> acceptance) {
        if (message == null) {
            throw new InvalidOfferException("The message has no AgreementOffer.");
        }
        acceptance.ifPresent(reference -> AcceptanceReference.checkedAddress(reference, outbound));
        return documents
                .reader()
                .read(
                        document(message),
                        new InitiatorIdentity(guard, MessageContext.call()),
                        CallContext.messageId(),
                        acceptance);
    }

    /** The offer as one document again: JAXB has its id apart from its elements. */
    private static Document document(AgreementType message) {
        var document = XmlTrees.newDocument();
        var root = XmlTrees.add(document, XmlNames.WSAG, "AgreementOffer");
        if (message.getAgreementId() != null) {
            root.setAttributeNS(XmlNames.WSAG, "wsag:AgreementId", message.getAgreementId());
        }
        message.getNameAndContextAndTerms().forEach(e -> XmlTrees.adopt(root, e));
        return document;
    }
}
