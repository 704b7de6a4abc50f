package org.metasched.soap;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import jakarta.xml.ws.soap.AddressingFeature;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.soap.MessageContext;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.NegotiationBook.Offer;
import org.metasched.agreement.making.NegotiationResult;
import org.metasched.agreement.making.NegotiationResult.Allocated;
import org.metasched.agreement.making.NegotiationResult.Declined;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.OfferService.Replacing;
import org.metasched.agreement.making.OfferTree;
import org.metasched.agreement.making.OngoingNegotiations;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;
import org.metasched.wsag.ContinuingFault;
import org.metasched.wsag.Negotiation;
import org.metasched.wsag.ResourceUnknownFault;
import org.metasched.wsag.negotiation.AdvertiseInputType;
import org.metasched.wsag.negotiation.AdvertiseOutputType;
import org.metasched.wsag.negotiation.NegotiateInputType;
import org.metasched.wsag.negotiation.NegotiateOutputType;
import org.metasched.wsag.negotiation.NegotiationTerminateInputType;
import org.metasched.wsag.negotiation.NegotiationTerminateOutputType;
import org.w3c.dom.Element;

/**
 * Negotiations as WS-Resources (GFD.193, section 5). An advisory offer is answered by slots that the sites could grant now and do not hold. A
 * solicited or acceptable offer is answered by slots that are held until the time that the counter offer names. A request that cannot be met is
 * answered by a rejected counter offer, not a fault. Thread-safe.
 */
@WebService(
        endpointInterface = "org.metasched.wsag.Negotiation",
        targetNamespace = XmlNames.WSAG,
        serviceName = "NegotiationService",
        portName = "NegotiationSoap12Port",
        wsdlLocation = "classpath:org/metasched/wsdl/agreement.wsdl")
@Addressing(responses = AddressingFeature.Responses.ANONYMOUS)
public final class NegotiationEndpoint extends PropertyEndpoint<OfferTree, ResourceUnknownFault>
        implements Negotiation {

    /** Last part of its address, before the id. */
    public static final String NAME = "Negotiation";

    private static final Duration USUAL_HOLD = Duration.ofMinutes(5);
    private static final Duration LONGEST_HOLD = Duration.ofMinutes(30);
    private static final int MOST_AT_ONCE = 16;
    private static final List<QName> PROPERTIES = Stream.of(
                    "NegotiationContext", "NegotiableTemplate", "NegotiationOffer")
            .map(n -> new QName(XmlNames.NEGOTIATION, n))
            .toList();

    private final OfferService offers;
    private final OngoingNegotiations negotiations;
    private final Authorizer guard;
    private final Clock clock;
    private final OfferSchema schema = new OfferSchema();
    private final OfferDocuments documents;

    /** @param guard authorizer that decides who may see and continue a negotiation */
    public NegotiationEndpoint(
            OfferService offers,
            OfferDocuments documents,
            OngoingNegotiations negotiations,
            Authorizer guard,
            Clock clock) {
        super(new AgreementFaults(clock), PROPERTIES);
        this.offers = offers;
        this.negotiations = negotiations;
        this.guard = guard;
        this.clock = clock;
        this.documents = documents;
    }

    @Override
    public NegotiateOutputType negotiate(NegotiateInputType request) throws ContinuingFault, ResourceUnknownFault {
        var answers = new NegotiateOutputType();
        answers.getNegotiationCounterOfferAndAny().addAll(answers(request.getNegotiationOfferAndAny(), true));
        return answers;
    }

    /** Records offers without an answer; a rejected one releases the slots held for the offer that it counters. */
    @Override
    public AdvertiseOutputType advertise(AdvertiseInputType request) throws ContinuingFault, ResourceUnknownFault {
        var unused = answers(request.getNegotiationOfferAndAny(), false);
        return new AdvertiseOutputType();
    }

    private List<Element> answers(List<Element> sent, boolean isAsked) throws ContinuingFault, ResourceUnknownFault {
        var tree = addressed();
        try {
            sent.forEach(this::check);
            if (sent.size() > MOST_AT_ONCE) {
                throw new InvalidOfferException(
                        sent.size() + " offers are more than the " + MOST_AT_ONCE + " that one message may have.");
            }
            return answered(tree, sent, isAsked);
        } catch (InvalidOfferException e) {
            throw faults.invalid(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.continuing(ErrorCode.BUSY, List.of("The service is shutting down."));
        }
    }

    private List<Element> answered(OfferTree tree, List<Element> sent, boolean isAsked) throws InterruptedException {
        var answers = new ArrayList<Element>();
        try {
            for (var offer : sent) {
                answer(tree, offer, isAsked).ifPresent(answers::add);
            }
            return answers;
        } catch (InvalidOfferException e) {
            // The initiator gets a fault instead of the answers so far, so nothing stays held for them.
            for (var answer : answers) {
                negotiations.holds().release(answer.getAttributeNS(XmlNames.NEGOTIATION, "OfferId"));
            }
            throw e;
        }
    }

    private void check(Element offer) {
        if (!XmlTrees.is(offer, XmlNames.NEGOTIATION, "NegotiationOffer")) {
            throw new InvalidOfferException(
                    ErrorCode.EXTENSION_NOT_UNDERSTOOD,
                    List.of("The critical extension " + offer.getNodeName() + " is not known here."));
        }
        var complaints = new ArrayList<>(schema.examine(offer).complaints());
        if (complaints.isEmpty() && !creator(offer).equals("NegotiationInitiator")) {
            complaints.add("The Creator (" + creator(offer) + ") of an offer that is sent here must be the"
                    + " NegotiationInitiator: the responder makes counter offers.");
        }
        if (!complaints.isEmpty()) {
            throw new InvalidOfferException(ErrorCode.OFFER_INVALID, complaints);
        }
    }

    private static String creator(Element offer) {
        return XmlTrees.child(offer, XmlNames.NEGOTIATION, "NegotiationOfferContext")
                .flatMap(context -> XmlTrees.childText(context, XmlNames.NEGOTIATION, "Creator"))
                .orElse("");
    }

    /** The refusal to renegotiate an agreement in a final state. */
    static InvalidOfferException ended(Agreement agreement) {
        return new InvalidOfferException(
                ErrorCode.AGREEMENT_FINAL,
                List.of("The agreement " + agreement.id() + " has ended already: it is "
                        + agreement.state().term() + " and cannot be replaced."));
    }

    private Optional<Element> answer(OfferTree tree, Element offer, boolean isAsked) throws InterruptedException {
        var context = XmlTrees.child(offer, XmlNames.NEGOTIATION, "NegotiationOfferContext")
                .orElseThrow();
        String state = XmlTrees.child(context, XmlNames.NEGOTIATION, "State")
                .map(s -> XmlTrees.children(s).get(0).getLocalName())
                .orElseThrow();
        String parent = XmlTrees.childText(context, XmlNames.NEGOTIATION, "CounterOfferTo")
                .orElse("");
        var given = offer.getAttributeNS(XmlNames.NEGOTIATION, "OfferId");
        String id = given.isEmpty() ? "urn:uuid:" + UUID.randomUUID() : given;
        if (id.length() > Offer.LONGEST_ID) {
            throw new InvalidOfferException("The OfferId (" + DisplayText.of(id) + ") must not be longer than "
                    + Offer.LONGEST_ID + " characters.");
        }
        boolean isRejected = state.equals("Rejected");
        add(tree, new Offer(id, XmlTrees.print(offer), isRejected));
        if (isRejected && tree.find(parent).isPresent()) {
            negotiations.holds().release(parent);
        }
        if (isRejected || !isAsked) {
            return Optional.empty();
        }
        try {
            checkParent(tree, parent);
            return Optional.of(decide(tree, offer, id, state, context));
        } catch (InvalidOfferException e) {
            return Optional.of(reject(tree, offer, id, e));
        }
    }

    /** @throws InvalidOfferException when the offer that is countered is not of this negotiation, or was rejected */
    private void checkParent(OfferTree tree, String parent) {
        var isFirst = offers.templates().stream()
                .anyMatch(t -> parent.equals(t.key().id() + "-" + t.key().name()));
        var answered = tree.find(parent);
        if (isFirst || answered.filter(n -> !n.rejected()).isPresent()) {
            return;
        }
        String why = answered.isPresent()
                ? "The offer (" + parent + ") was rejected and cannot be countered."
                : "The offer (" + parent
                        + ") is not part of this negotiation; the CounterOfferTo of a first offer is TemplateId-TemplateName.";
        throw new InvalidOfferException(why);
    }

    private Element decide(OfferTree tree, Element offer, String id, String state, Element context)
            throws InterruptedException {
        tree.negotiation()
                .renegotiated()
                .flatMap(offers::find)
                .filter(replaced -> replaced.state().isFinal())
                .ifPresent(replaced -> {
                    throw ended(replaced);
                });
        var read = read(offer);
        var constraints = new NegotiationConstraints(offer);
        if (state.equals("Advisory")) {
            var advice = negotiations.holds().advice(read);
            if (advice.ways().isEmpty()) {
                var code = advice.code().map(ErrorCode::of).orElse(ErrorCode.NO_COMMON_SLOT);
                throw new InvalidOfferException(code, List.of(advice.reason()));
            }
            var way = advice.ways().get(0);
            var counter = new CounterOffer(offer, id, "Advisory", Optional.empty()).at(way.start(), way.end());
            way.pieces().forEach(p -> counter.addSlot(p.part().term(), p.site(), p.start(), p.end()));
            return recordChecked(tree, counter, constraints);
        }
        var until = until(tree, context);
        return hold(tree, new CounterOffer(offer, id, "Acceptable", Optional.of(until)), read, until, constraints);
    }

    private Element hold(
            OfferTree tree,
            CounterOffer counter,
            AgreementOffer read,
            Instant until,
            NegotiationConstraints constraints)
            throws InterruptedException {
        var replaced = tree.negotiation().renegotiated();
        var answer = offers.<NegotiationResult>within(
                new SenderQuota(guard, MessageContext.call().subject()),
                () -> read,
                new Replacing<>(replaced, allowed -> negotiations.holds().hold(counter.id, allowed, until, replaced)),
                Declined::new);
        var held = answer.<Allocated, RuntimeException>fold(allocated -> allocated, declined -> {
            var refusal = declined.refusal();
            throw new InvalidOfferException(ErrorCode.of(refusal.code()), List.of(refusal.reason()));
        });
        for (var part : held.commitments()) {
            var slot = part.reservation().slot();
            counter.addSlot(part.term(), part.site(), slot.start(), slot.end());
        }
        try {
            var slot = held.slot();
            return recordChecked(tree, counter.at(slot.start(), slot.end()), constraints);
        } catch (InvalidOfferException e) {
            negotiations.holds().release(counter.id);
            throw e;
        }
    }

    /** The end of a hold: as the offer asks, at most {@link #LONGEST_HOLD} from now and not after the end of the negotiation. */
    private Instant until(OfferTree tree, Element context) {
        var now = clock.instant();
        var wanted = XmlTrees.childText(context, XmlNames.NEGOTIATION, "ExpirationTime")
                .map(t -> TimeTerm.instant("NegotiationOfferContext", "ExpirationTime", t))
                .filter(t -> t.isAfter(now))
                .orElse(now.plus(USUAL_HOLD));
        return Stream.of(wanted, now.plus(LONGEST_HOLD), tree.negotiation().until())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /**
     * Checks a counter offer and records it.
     *
     * @throws InvalidOfferException when it breaks the initiator's constraints or those of the template
     */
    private Element recordChecked(OfferTree tree, CounterOffer counter, NegotiationConstraints constraints) {
        read(counter.root);
        var broken = constraints.broken(CounterOffer.offer(counter.root), schema);
        if (!broken.isEmpty()) {
            throw new InvalidOfferException(ErrorCode.NO_COMMON_SLOT, broken);
        }
        add(tree, new Offer(counter.id, XmlTrees.print(counter.root), false));
        return counter.root;
    }

    private AgreementOffer read(Element offer) {
        return documents.reader().read(CounterOffer.offer(offer), new InitiatorIdentity(guard, MessageContext.call()));
    }

    private static Element reject(OfferTree tree, Element offer, String id, InvalidOfferException why) {
        var counter = new CounterOffer(offer, id, "Rejected", Optional.empty()).because(why.code, why.complaints);
        add(tree, new Offer(counter.id, XmlTrees.print(counter.root), true));
        return counter.root;
    }

    @Override
    public NegotiationTerminateOutputType terminate(NegotiationTerminateInputType request)
            throws ContinuingFault, ResourceUnknownFault {
        try {
            negotiations.end(addressed().negotiation().id());
            return new NegotiationTerminateOutputType();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.continuing(ErrorCode.BUSY, List.of("The service is shutting down."));
        }
    }

    @Override
    Element document(OfferTree tree) {
        var root = XmlTrees.add(XmlTrees.newDocument(), XmlNames.NEGOTIATION, "NegotiationProperties");
        PROPERTIES.forEach(p -> values(tree, p).forEach(v -> XmlTrees.adopt(root, v)));
        return root;
    }

    @Override
    List<Element> values(OfferTree tree, QName name) {
        return switch (name.getLocalPart()) {
            case "NegotiationContext" -> List.of(renamed(tree.negotiation().context(), name));
            case "NegotiableTemplate" ->
                documents.templates(MessageContext.call()).stream()
                        .map(t -> renamed(t.document().text(), name))
                        .toList();
            default ->
                tree.offers().stream().map(o -> renamed(o.document(), name)).toList();
        };
    }

    /** A stored document under the name of the property that it is. */
    private static Element renamed(String text, QName name) {
        var document = XmlTrees.parse(name.getLocalPart(), text);
        return (Element) document.renameNode(
                document.getDocumentElement(), name.getNamespaceURI(), "wsag-neg:" + name.getLocalPart());
    }

    private static void add(OfferTree tree, Offer offer) {
        if (!tree.add(offer)) {
            throw new InvalidOfferException("The offer (" + offer.id() + ") "
                    + (tree.isFull() ? "exceeds the limit of a negotiation." : "has the OfferId of an earlier one."));
        }
    }

    @Override
    OfferTree addressed() throws ResourceUnknownFault {
        String id = CallContext.resource(NAME);
        return negotiations
                .find(id)
                .filter(t -> guard.permits(
                        MessageContext.call(),
                        new ProtectedResource("Negotiation", id, t.negotiation().owner())))
                .orElseThrow(() -> faults.unknown(
                        ErrorCode.NEGOTIATION_UNKNOWN, "There is no negotiation (" + id + ") here, or it has ended."));
    }
}
