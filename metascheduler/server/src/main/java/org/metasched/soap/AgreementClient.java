package org.metasched.soap;

import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.soap.AddressingFeature;
import jakarta.xml.ws.soap.SOAPFaultException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.metasched.adapter.soap.NoAnswer;
import org.metasched.adapter.soap.OutgoingCalls;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.TemplateKey;
import org.metasched.trust.Caller;
import org.metasched.wsag.Agreement;
import org.metasched.wsag.AgreementFactory;
import org.metasched.wsag.AgreementFactoryService;
import org.metasched.wsag.AgreementService;
import org.metasched.wsag.AgreementType;
import org.metasched.wsag.ContinuingFault;
import org.metasched.wsag.CreateAgreementInputType;
import org.metasched.wsag.CreatePendingAgreementInputType;
import org.metasched.wsag.InvalidResourcePropertyQNameFault;
import org.metasched.wsag.ResourceUnknownFault;
import org.metasched.wsag.TerminateInputType;
import org.metasched.wsag.addressing.EndpointReferenceType;
import org.metasched.wsag.fault.BaseFaultType;
import org.metasched.wsag.fault.DescriptionType;
import org.metasched.wsag.property.GetResourcePropertyDocument;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A WS-Agreement client of one metascheduler: SOAP 1.2 with WS-Addressing. Thread-safe.
 *
 * <p>Each call ends in one of three ways: an answer, a fault ({@link AgreementFaultException}), or no answer
 * ({@link IOException}), after which an offer may have been accepted: repeating it with its agreement id tells.
 */
public final class AgreementClient {

    private final URI server;
    private final OutgoingCalls calls;
    private final AgreementFactory factory;

    /**
     * @param server base URL, as the server prints it
     * @param patience bound of waiting for one answer; a negotiation over slow sites takes its time
     */
    public AgreementClient(URI server, Duration patience) {
        this(server, patience, Caller.ANONYMOUS);
    }

    /** @param caller who we are there */
    public AgreementClient(URI server, Duration patience, Caller caller) {
        if (!"http".equals(server.getScheme()) && !"https".equals(server.getScheme())) {
            throw new IllegalArgumentException(
                    "The server's address (" + server + ") must begin with http:// or https://.");
        }
        this.server = server;
        this.calls = new OutgoingCalls(caller, Duration.ofSeconds(10), patience);
        this.factory = calls.at(
                new AgreementFactoryService().getAgreementFactorySoap12Port(new AddressingFeature()),
                service(AgreementFactoryEndpoint.NAME));
    }

    /** The templates on offer, each a {@code wsag:Template}. */
    public List<OfferDocument> templates() throws AgreementFaultException, IOException {
        return call(() -> factory.getResourceProperty(Names.TEMPLATE).getAny().stream()
                .map(t -> new OfferDocument(Xml.print(t)))
                .toList());
    }

    /** Name and id of a template. */
    public static TemplateKey keyOf(OfferDocument template) {
        var context = Xml.child(Xml.parse("template", template.text()).getDocumentElement(), Names.WSAG, "Context")
                .orElseThrow(() -> new IllegalArgumentException("The template has no context."));
        return new TemplateKey(
                Xml.childText(context, Names.WSAG, "TemplateName").orElse(""),
                Xml.childText(context, Names.WSAG, "TemplateId").orElse(""));
    }

    /**
     * Reads an offer that somebody wrote by hand.
     *
     * @param file names it in messages
     * @throws IllegalArgumentException with line and column
     */
    public static Document offer(String file, String text) {
        var document = Xml.parse(file, text);
        if (!Xml.is(document.getDocumentElement(), Names.WSAG, "AgreementOffer")) {
            throw new IllegalArgumentException(file + ": the root element must be AgreementOffer in namespace "
                    + Names.WSAG + ", and is " + document.getDocumentElement().getNodeName() + ".");
        }
        return document;
    }

    /** An offer as text, for a look before it is made. */
    public static String text(Document offer) {
        return Xml.print(offer);
    }

    /** Offers, and waits for the decision. */
    public AgreementView create(Document offer) throws AgreementFaultException, IOException {
        var request = new CreateAgreementInputType();
        request.setAgreementOffer(message(offer));
        return show(idOf(call(() -> factory.createAgreement(request).getCreatedAgreementEPR())));
    }

    /** Offers, and does not wait: the agreement is pending. */
    public AgreementView createPending(Document offer) throws AgreementFaultException, IOException {
        var request = new CreatePendingAgreementInputType();
        request.setAgreementOffer(message(offer));
        return show(idOf(call(() -> factory.createPendingAgreement(request).getCreatedAgreementEPR())));
    }

    public AgreementView show(String id) throws AgreementFaultException, IOException {
        var agreement = agreement(id);
        return call(() -> AgreementReading.view(agreement
                .getResourcePropertyDocument(new GetResourcePropertyDocument())
                .getAny()));
    }

    /** What happened to an agreement, the first first. */
    public List<AgreementEvent> history(String id) throws AgreementFaultException, IOException {
        var agreement = agreement(id);
        return call(() -> agreement.getResourceProperty(Names.AGREEMENT_EVENT).getAny().stream()
                .map(AgreementReading::event)
                .toList());
    }

    /** The newest first. */
    public List<AgreementView> list() throws AgreementFaultException, IOException {
        return call(() -> factory.getResourceProperty(Names.AGREEMENT_ENTRY).getAny().stream()
                .map(AgreementReading::entry)
                .toList());
    }

    public AgreementView terminate(String id) throws AgreementFaultException, IOException {
        var request = new TerminateInputType();
        request.setAny(Xml.add(Xml.newDocument(), Names.METASCHED, "Reason", "Terminated by the initiator."));
        var agreement = agreement(id);
        call(() -> agreement.terminate(request));
        return show(id);
    }

    private Agreement agreement(String id) {
        if (!id.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
            throw new IllegalArgumentException("The agreement id (" + id.replaceAll("\\p{Cntrl}", "?")
                    + ") must be 1 to 64 letters, digits, '.', '_' or '-'.");
        }
        return calls.at(
                new AgreementService().getAgreementSoap12Port(new AddressingFeature()),
                service(AgreementEndpoint.NAME + "/" + id));
    }

    private URI service(String path) {
        String base = server.toString();
        return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + "/services/" + path);
    }

    private static AgreementType message(Document offer) {
        var message = new AgreementType();
        var root = offer.getDocumentElement();
        if (root.hasAttributeNS(Names.WSAG, "AgreementId")) {
            message.setAgreementId(root.getAttributeNS(Names.WSAG, "AgreementId"));
        }
        for (Element child : Xml.children(root)) {
            message.getNameAndContextAndTerms().add(Xml.adopt(Xml.newDocument(), child));
        }
        return message;
    }

    private static String idOf(EndpointReferenceType reference) throws IOException {
        return EndpointReferences.agreementId(reference)
                .orElseThrow(() -> new IOException("The endpoint reference of the agreement does not name it."));
    }

    /** One call with the faults of the services. */
    private interface Call<T> {
        T make() throws ContinuingFault, ResourceUnknownFault, InvalidResourcePropertyQNameFault;
    }

    private <T> T call(Call<T> call) throws AgreementFaultException, IOException {
        try {
            return call.make();
        } catch (ContinuingFault e) {
            throw fault(e.getFaultInfo(), e);
        } catch (ResourceUnknownFault e) {
            throw fault(e.getFaultInfo(), e);
        } catch (InvalidResourcePropertyQNameFault e) {
            throw fault(e.getFaultInfo(), e);
        } catch (SOAPFaultException e) {
            throw new AgreementFaultException("", List.of(Objects.toString(e.getMessage(), "no reason was given")), e);
        } catch (WebServiceException e) {
            throw new IOException(
                    "The server at " + server + " gave no answer: " + NoAnswer.reason(e)
                            + ".\nMaybe it is not running there.",
                    e);
        }
    }

    private static AgreementFaultException fault(BaseFaultType detail, Exception fault) {
        if (detail == null) {
            return new AgreementFaultException("", List.of(Objects.toString(fault.getMessage(), "")), fault);
        }
        var code = detail.getErrorCode() == null
                        || detail.getErrorCode().getContent().isEmpty()
                ? ""
                : detail.getErrorCode().getContent().get(0).toString();
        return new AgreementFaultException(
                code,
                detail.getDescription().stream().map(DescriptionType::getValue).toList(),
                fault);
    }
}
