package org.metasched.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.xml.Names;
import org.metasched.client.xml.Xml;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A WS-Agreement client of one metascheduler: SOAP 1.2 with WS-Addressing. Thread-safe.
 *
 * <p>Each call ends in one of three ways: an answer, a fault ({@link AgreementFaultException}), or no answer
 * ({@link IOException}), after which an offer may have been accepted: repeating it with its agreement id tells.
 */
public final class AgreementClient {

    private static final String FACTORY = "AgreementFactory";
    private static final String LIFETIME = "http://docs.oasis-open.org/wsrf/rlw-2";
    private static final String PROPERTIES = "http://docs.oasis-open.org/wsrf/rpw-2";
    private static final String ID = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    private final SoapCalls calls;

    /**
     * @param server base URL, as the server prints it
     * @param patience bound of waiting for one answer; a negotiation over slow sites takes its time
     */
    public AgreementClient(URI server, Duration patience) {
        this(server, patience, Credentials.NONE);
    }

    /** @param credentials who we are there */
    public AgreementClient(URI server, Duration patience, Credentials credentials) {
        this.calls = new SoapCalls(server, patience, credentials);
    }

    /** The templates on offer, each a {@code wsag:Template}. */
    public List<OfferDocument> templates() throws AgreementFaultException, IOException {
        return property(FACTORY, Names.TEMPLATE).stream()
                .map(t -> new OfferDocument(Xml.print(t)))
                .toList();
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
        return show(create("CreateAgreement", List.of(), offer, List.of()));
    }

    /** Offers, and does not wait: the agreement is pending. */
    public AgreementView createPending(Document offer) throws AgreementFaultException, IOException {
        return show(create("CreatePendingAgreement", List.of(), offer, List.of()));
    }

    /** Offers, and is called back when it is decided; the state tells too. */
    public AgreementView createPending(Document offer, Acceptances.Expected acceptance)
            throws AgreementFaultException, IOException {
        var reference = Xml.add(Xml.newDocument(), Names.WSAG, "AgreementAcceptanceEPR");
        Xml.add(reference, Names.ADDRESSING, "Address", acceptance.address().toString());
        return show(create("CreatePendingAgreement", List.of(reference), offer, List.of()));
    }

    /**
     * @param before what stands before the offer
     * @param after what stands after it: extensions that the service must know
     * @return the agreement's id
     */
    String create(String operation, List<Element> before, Document offer, List<Element> after)
            throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.WSAG, operation + "Input");
        before.forEach(e -> Xml.adopt(request, e));
        Xml.adopt(request, offer.getDocumentElement());
        after.forEach(e -> Xml.adopt(request, e));
        return created(calls.call(FACTORY, Names.WSAG, operation, request), Names.WSAG, "CreatedAgreementEPR");
    }

    /** What an endpoint reference in an answer names: its reference parameter. */
    static String created(Element answer, String namespace, String reference) throws IOException {
        return Xml.child(answer, namespace, reference)
                .flatMap(r -> Xml.child(r, Names.ADDRESSING, "ReferenceParameters"))
                .flatMap(p -> Xml.childText(p, Names.METASCHED, Names.RESOURCE_ID.getLocalPart()))
                .filter(id -> id.matches(ID))
                .orElseThrow(() -> new IOException("The endpoint reference in the answer names nothing."));
    }

    /** The agreement's states, and what it got. */
    public AgreementView show(String id) throws AgreementFaultException, IOException {
        return AgreementReading.view(
                properties(agreement(id)).orElseThrow(() -> new IOException("The answer holds no agreement.")));
    }

    /** All that the service shows of an agreement: {@code wsag:AgreementProperties}, with the offer word by word. */
    public OfferDocument document(String id) throws AgreementFaultException, IOException {
        return new OfferDocument(Xml.print(
                properties(agreement(id)).orElseThrow(() -> new IOException("The answer holds no document."))));
    }

    /** What happened to an agreement, the first first. */
    public List<AgreementEvent> history(String id) throws AgreementFaultException, IOException {
        return property(agreement(id), Names.AGREEMENT_EVENT).stream()
                .map(AgreementReading::event)
                .toList();
    }

    /** One resource property of an agreement, such as {@code wsag:GuaranteeTermState}: each value as XML. */
    public List<String> property(String id, String namespace, String name) throws AgreementFaultException, IOException {
        return property(agreement(id), new QName(namespace, name)).stream()
                .map(Xml::print)
                .toList();
    }

    /**
     * What an XPath 1.0 expression finds in the agreement's document, within the service's bounds: elements as XML, all else as text.
     *
     * @param expression with the prefixes {@code wsag} and {@code ms}
     */
    public List<String> query(String id, String expression) throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.PROPERTIES, "QueryResourceProperties");
        var query = Xml.add(request, Names.PROPERTIES, "QueryExpression", expression);
        query.setAttribute("Dialect", "http://www.w3.org/TR/1999/REC-xpath-19991116");
        query.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsag", Names.WSAG);
        query.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:ms", Names.METASCHED);
        var answer = calls.call(agreement(id), PROPERTIES, "QueryResourceProperties/QueryResourceProperties", request);
        return Xml.children(answer).stream()
                .filter(found -> !found.hasAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil"))
                .map(found -> Xml.is(found, Names.METASCHED, "Value") ? Xml.text(found) : Xml.print(found))
                .toList();
    }

    /** The newest first. */
    public List<AgreementView> list() throws AgreementFaultException, IOException {
        return property(FACTORY, Names.AGREEMENT_ENTRY).stream()
                .map(AgreementReading::entry)
                .toList();
    }

    /** Gives everything back. */
    public AgreementView terminate(String id) throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.WSAG, "TerminateInput");
        Xml.add(request, Names.METASCHED, "Reason", "Terminated by the initiator.");
        calls.call(agreement(id), Names.WSAG, "Terminate", request);
        return show(id);
    }

    /** Lets the service forget an agreement that has ended. */
    public void destroy(String id) throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.LIFETIME, "Destroy");
        calls.call(agreement(id), LIFETIME, "ImmediateResourceTermination/Destroy", request);
    }

    /** Says until when the service remembers an agreement after its end. */
    public void rememberUntil(String id, Instant time) throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.LIFETIME, "SetTerminationTime");
        Xml.add(request, Names.LIFETIME, "RequestedTerminationTime", time.toString());
        calls.call(agreement(id), LIFETIME, "ScheduledResourceTermination/SetTerminationTime", request);
    }

    /** Begins a negotiation about a new agreement; it binds nobody. */
    public Negotiation negotiate() throws AgreementFaultException, IOException {
        return Negotiation.begin(this, calls, Optional.empty());
    }

    /** Begins a negotiation about an agreement that is to replace one. */
    public Negotiation renegotiate(String id) throws AgreementFaultException, IOException {
        agreement(id);
        return Negotiation.begin(this, calls, Optional.of(id));
    }

    private List<Element> property(String path, QName name) throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.PROPERTIES, "GetResourceProperty", "p:" + name.getLocalPart());
        request.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:p", name.getNamespaceURI());
        return Xml.children(calls.call(path, PROPERTIES, "GetResourceProperty/GetResourceProperty", request));
    }

    private Optional<Element> properties(String path) throws AgreementFaultException, IOException {
        var request = Xml.add(Xml.newDocument(), Names.PROPERTIES, "GetResourcePropertyDocument");
        return Xml.children(calls.call(
                        path, PROPERTIES, "GetResourcePropertyDocument/GetResourcePropertyDocument", request))
                .stream()
                .findFirst();
    }

    static String agreement(String id) {
        if (!id.matches(ID)) {
            throw new IllegalArgumentException("The agreement id (" + id.replaceAll("\\p{Cntrl}", "?")
                    + ") must be 1 to 64 letters, digits, '.', '_' or '-'.");
        }
        return "Agreement/" + id;
    }
}
