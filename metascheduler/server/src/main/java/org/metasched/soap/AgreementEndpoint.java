package org.metasched.soap;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import jakarta.xml.ws.soap.AddressingFeature;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.metasched.adapter.soap.MessageContext;
import org.metasched.agreement.AgreementLifetime;
import org.metasched.agreement.making.OfferService;
import org.metasched.agreement.making.TerminationOutcome;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.overview.DocumentOffers;
import org.metasched.trust.Authorizer;
import org.metasched.wsag.Agreement;
import org.metasched.wsag.ContinuingFault;
import org.metasched.wsag.ResourceNotDestroyedFault;
import org.metasched.wsag.ResourceUnknownFault;
import org.metasched.wsag.TerminateInputType;
import org.metasched.wsag.TerminateOutputType;
import org.metasched.wsag.TerminationTimeChangeRejectedFault;
import org.metasched.wsag.lifetime.Destroy;
import org.metasched.wsag.lifetime.DestroyResponse;
import org.metasched.wsag.lifetime.SetTerminationTime;
import org.metasched.wsag.lifetime.SetTerminationTimeResponse;
import org.w3c.dom.Element;

/**
 * Agreements as WS-Resources: their properties, their end, and the time for which they are remembered after it. The address or the
 * reference parameter of its endpoint reference names an agreement. Thread-safe.
 */
@WebService(
        endpointInterface = "org.metasched.wsag.Agreement",
        targetNamespace = XmlNames.WSAG,
        serviceName = "AgreementService",
        portName = "AgreementSoap12Port",
        wsdlLocation = "classpath:org/metasched/wsdl/agreement.wsdl")
@Addressing(responses = AddressingFeature.Responses.ANONYMOUS)
public final class AgreementEndpoint extends PropertyEndpoint<org.metasched.agreement.Agreement, ResourceUnknownFault>
        implements Agreement {

    /** Last part of its address, before the id. */
    public static final String NAME = "Agreement";

    private static final List<QName> PROPERTIES = Stream.of(
                    Stream.of(("Name AgreementId Context Terms AgreementState GuaranteeTermState ServiceTermState")
                                    .split(" "))
                            .map(n -> new QName(XmlNames.WSAG, n)),
                    Stream.of("CurrentTime", "TerminationTime").map(n -> new QName(XmlNames.LIFETIME, n)),
                    Stream.of(XmlNames.AGREEMENT_EVENT))
            .flatMap(names -> names)
            .toList();

    private final OfferService offers;
    private final AgreementLifetime lifetime;
    private final Authorizer guard;
    private final Clock clock;

    /** @param guard authorizer that decides who may see and end whose agreements */
    public AgreementEndpoint(OfferService offers, AgreementLifetime lifetime, Authorizer guard, Clock clock) {
        super(new AgreementFaults(clock), PROPERTIES);
        this.offers = offers;
        this.guard = guard;
        this.lifetime = lifetime;
        this.clock = clock;
    }

    @Override
    public TerminateOutputType terminate(TerminateInputType request) throws ContinuingFault, ResourceUnknownFault {
        var id = addressed().id();
        try {
            var outcome = offers.end(id, "Terminated on request.");
            if (outcome instanceof TerminationOutcome.Unknown) {
                throw faults.unknown(id.value());
            }
            if (outcome instanceof TerminationOutcome.AlreadyFinal ended) {
                throw alreadyFinal(ended.agreement());
            }
            return new TerminateOutputType();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.continuing(ErrorCode.BUSY, List.of("The service is shutting down; ask again later."));
        }
    }

    private ContinuingFault alreadyFinal(org.metasched.agreement.Agreement agreement) {
        return faults.continuing(
                ErrorCode.AGREEMENT_FINAL,
                List.of("The agreement " + agreement.id() + " has ended already: it is "
                        + agreement.state().term() + "."));
    }

    /** Forgets an agreement that has ended. One that lives stays: {@code Terminate} ends it. */
    @Override
    public DestroyResponse destroy(Destroy request) throws ResourceUnknownFault, ResourceNotDestroyedFault {
        var agreement = addressed();
        if (!lifetime.destroy(agreement.id())) {
            throw faults.notDestroyed("The agreement " + agreement.id() + " is "
                    + agreement.state().term() + " and can be destroyed when it has ended; Terminate ends it.");
        }
        return new DestroyResponse();
    }

    @Override
    public SetTerminationTimeResponse setTerminationTime(SetTerminationTime request)
            throws ResourceUnknownFault, TerminationTimeChangeRejectedFault {
        var agreement = addressed();
        var now = clock.instant();
        var when = requested(request, now);
        try {
            lifetime.terminateAt(agreement, when);
        } catch (IllegalArgumentException e) {
            throw faults.timeRejected(String.valueOf(e.getMessage()));
        }
        var response = new SetTerminationTimeResponse();
        response.setNewTerminationTime(when);
        response.setCurrentTime(now);
        return response;
    }

    private Instant requested(SetTerminationTime request, Instant now) throws TerminationTimeChangeRejectedFault {
        var time = request.getRequestedTerminationTime();
        if (request.getRequestedLifetimeDuration() != null) {
            try {
                return now.plus(request.getRequestedLifetimeDuration());
            } catch (DateTimeException | ArithmeticException e) {
                throw faults.timeRejected("The lifetime (" + request.getRequestedLifetimeDuration() + ") is too long.");
            }
        } else if (time == null || time.getValue() == null) {
            throw faults.timeRejected("No agreement is kept for ever: a time is needed.");
        }
        return time.getValue();
    }

    @Override
    List<Element> values(org.metasched.agreement.Agreement agreement, QName name) {
        if (name.getNamespaceURI().equals(XmlNames.LIFETIME)) {
            return List.of(
                    name.getLocalPart().equals("CurrentTime")
                            ? XmlTrees.add(
                                    XmlTrees.newDocument(),
                                    XmlNames.LIFETIME,
                                    "CurrentTime",
                                    clock.instant().toString())
                            : terminationTime(agreement));
        }
        if (name.equals(XmlNames.AGREEMENT_EVENT)) {
            return offers.history().history(agreement.id()).stream()
                    .map(AgreementDocument::event)
                    .toList();
        }
        return XmlTrees.children(document(agreement), name.getNamespaceURI(), name.getLocalPart())
                .toList();
    }

    private Element terminationTime(org.metasched.agreement.Agreement agreement) {
        var end = lifetime.terminationOf(agreement);
        var element = XmlTrees.add(
                XmlTrees.newDocument(),
                XmlNames.LIFETIME,
                "TerminationTime",
                end.map(Instant::toString).orElse(""));
        if (end.isEmpty()) {
            element.setAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "xsi:nil", "true");
        }
        return element;
    }

    @Override
    Element document(org.metasched.agreement.Agreement agreement) {
        return AgreementDocument.of(agreement, CallContext.sibling(NAME));
    }

    /** The agreement that the message is for; an agreement of another initiator is as unknown as a missing one. */
    @Override
    org.metasched.agreement.Agreement addressed() throws ResourceUnknownFault {
        String id = CallContext.resource(NAME);
        return offers.named(id, a -> guard.permits(MessageContext.call(), DocumentOffers.resource(a)))
                .orElseThrow(() -> faults.unknown(id));
    }
}
