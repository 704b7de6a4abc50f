package org.metasched.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.OfferDocument;
import org.metasched.agreement.TemplateKey;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A WS-Agreement client of one metascheduler: SOAP 1.2 with WS-Addressing. Thread-safe.
 *
 * <p>A call throws {@link AgreementFaultException} for a fault, and {@link IOException} if no answer arrives, or one that is no SOAP
 * message. Content that a metascheduler would not send may end in an unchecked exception. A fault of the creation whose code is
 * neither {@code SERVICE_FAILED} nor empty means that there is no agreement. After any other exception, also one from reading the new
 * agreement, there may be one: repeat the offer with the same {@code wsag:AgreementId}. Without that id, the repetition is another offer.
 */
public final class AgreementClient {

    private static final String FACTORY = "AgreementFactory";
    private static final String LIFETIME = "http://docs.oasis-open.org/wsrf/rlw-2";
    private static final String PROPERTIES = "http://docs.oasis-open.org/wsrf/rpw-2";
    private static final String ID = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    private final SoapCalls calls;

    /**
     * @param server base URL, as the server prints it
     * @param patience longest wait for one answer, which may be that of a negotiation over slow sites
     */
    public AgreementClient(URI server, Duration patience) {
        this(server, patience, Credentials.NONE);
    }

    /** @param credentials credentials of the user at the server */
    public AgreementClient(URI server, Duration patience, Credentials credentials) {
        this.calls = new SoapCalls(server, patience, credentials);
    }

    /** The templates on offer, each a {@code wsag:Template}. */
    public List<OfferDocument> templates() throws AgreementFaultException, IOException {
        return property(FACTORY, XmlNames.TEMPLATE, t -> new OfferDocument(XmlTrees.print(t)));
    }

    /** Name and id of a template. */
    public static TemplateKey keyOf(OfferDocument template) {
        var context = XmlTrees.child(
                        XmlTrees.parse("template", template.text()).getDocumentElement(), XmlNames.WSAG, "Context")
                .orElseThrow(() -> new IllegalArgumentException("The template has no context."));
        return new TemplateKey(
                XmlTrees.childText(context, XmlNames.WSAG, "TemplateName").orElse(""),
                XmlTrees.childText(context, XmlNames.WSAG, "TemplateId").orElse(""));
    }

    /**
     * Reads an offer that was written by hand.
     *
     * @param file name of the file, for messages
     * @throws IllegalArgumentException when the text is no offer, with line and column where it is not XML
     */
    public static Document offer(String file, String text) {
        var document = XmlTrees.parse(file, text);
        if (!XmlTrees.is(document.getDocumentElement(), XmlNames.WSAG, "AgreementOffer")) {
            throw new IllegalArgumentException(
                    file + ": the root element must be AgreementOffer in namespace " + XmlNames.WSAG + ", and is "
                            + document.getDocumentElement().getNodeName() + ".");
        }
        return document;
    }

    /** The XML text of an offer. */
    public static String text(Document offer) {
        return XmlTrees.print(offer);
    }

    /** Makes an offer, and waits for the decision. */
    public AgreementView create(Document offer) throws AgreementFaultException, IOException {
        return make("CreateAgreement", List.of(), offer, List.of());
    }

    /** Makes an offer, and does not wait: the agreement is pending. */
    public AgreementView createPending(Document offer) throws AgreementFaultException, IOException {
        return make("CreatePendingAgreement", List.of(), offer, List.of());
    }

    /** Makes an offer whose decision is sent to the given address; the agreement's state tells it too. */
    public AgreementView createPending(Document offer, AcceptanceListener.Expected acceptance)
            throws AgreementFaultException, IOException {
        var reference = XmlTrees.add(XmlTrees.newDocument(), XmlNames.WSAG, "AgreementAcceptanceEPR");
        XmlTrees.add(
                reference, XmlNames.ADDRESSING, "Address", acceptance.address().toString());
        return make("CreatePendingAgreement", List.of(reference), offer, List.of());
    }

    /**
     * Makes an agreement and shows it.
     *
     * @param before elements of the request before the offer
     * @param after elements of the request after the offer: extensions that the service must know
     * @throws IOException also when the agreement is made and cannot be shown; the message names it
     */
    AgreementView make(String operation, List<Element> before, Document offer, List<Element> after)
            throws AgreementFaultException, IOException {
        var request = XmlTrees.add(XmlTrees.newDocument(), XmlNames.WSAG, operation + "Input");
        before.forEach(e -> XmlTrees.adopt(request, e));
        XmlTrees.adopt(request, offer.getDocumentElement());
        after.forEach(e -> XmlTrees.adopt(request, e));
        var answer = calls.call(FACTORY, XmlNames.WSAG, operation, request);
        return seen(createdId(answer, XmlNames.WSAG, "CreatedAgreementEPR"), "made");
    }

    /** The agreement after a call that had its effect. */
    private AgreementView seen(String id, String effect) throws IOException {
        try {
            return show(id);
        } catch (AgreementFaultException | IOException | RuntimeException e) {
            throw new IOException(
                    "The agreement " + id + " was " + effect + ", but cannot be shown: " + e.getMessage(), e);
        }
    }

    /** The resource id in the endpoint reference of an answer. */
    static String createdId(Element answer, String namespace, String reference) throws IOException {
        return XmlTrees.child(answer, namespace, reference)
                .flatMap(r -> XmlTrees.child(r, XmlNames.ADDRESSING, "ReferenceParameters"))
                .flatMap(p -> XmlTrees.childText(p, XmlNames.METASCHED, XmlNames.RESOURCE_ID.getLocalPart()))
                .filter(id -> id.matches(ID))
                .orElseThrow(() -> new IOException("The endpoint reference in the answer has no resource id."));
    }

    /** The agreement's states, and what it got. */
    public AgreementView show(String id) throws AgreementFaultException, IOException {
        return AgreementReading.view(properties(pathOf(id)));
    }

    /** All that the service shows of an agreement: {@code wsag:AgreementProperties}, with the offer word by word. */
    public OfferDocument document(String id) throws AgreementFaultException, IOException {
        return new OfferDocument(XmlTrees.print(properties(pathOf(id))));
    }

    /** Events of an agreement, the oldest first. */
    public List<AgreementEvent> history(String id) throws AgreementFaultException, IOException {
        return property(pathOf(id), XmlNames.AGREEMENT_EVENT, AgreementReading::event);
    }

    /** One resource property of an agreement, such as {@code wsag:GuaranteeTermState}: each value as XML. */
    public List<String> property(String id, String namespace, String name) throws AgreementFaultException, IOException {
        return property(pathOf(id), new QName(namespace, name), XmlTrees::print);
    }

    /**
     * Result of an XPath 1.0 expression over the agreement's document, within the service's bounds: elements as XML, all else as text.
     *
     * @param expression XPath expression with the prefixes {@code wsag} and {@code ms}
     */
    public List<String> query(String id, String expression) throws AgreementFaultException, IOException {
        var request = XmlTrees.add(XmlTrees.newDocument(), XmlNames.PROPERTIES, "QueryResourceProperties");
        var query = XmlTrees.add(request, XmlNames.PROPERTIES, "QueryExpression", expression);
        query.setAttribute("Dialect", "http://www.w3.org/TR/1999/REC-xpath-19991116");
        query.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsag", XmlNames.WSAG);
        query.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:ms", XmlNames.METASCHED);
        var answer = calls.call(pathOf(id), PROPERTIES, "QueryResourceProperties/QueryResourceProperties", request);
        return XmlTrees.children(answer).stream()
                .filter(result -> !result.hasAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil"))
                .map(result -> XmlTrees.is(result, XmlNames.METASCHED, "Value")
                        ? XmlTrees.text(result)
                        : XmlTrees.print(result))
                .toList();
    }

    /** The agreements that the service lists, the newest first. */
    public List<AgreementView> list() throws AgreementFaultException, IOException {
        return property(FACTORY, XmlNames.AGREEMENT_ENTRY, AgreementReading::entry);
    }

    /** Ends an agreement, and gives back its reservations. */
    public AgreementView terminate(String id) throws AgreementFaultException, IOException {
        var request = XmlTrees.add(XmlTrees.newDocument(), XmlNames.WSAG, "TerminateInput");
        XmlTrees.add(request, XmlNames.METASCHED, "Reason", "Terminated on request.");
        calls.call(pathOf(id), XmlNames.WSAG, "Terminate", request);
        return seen(id, "ended");
    }

    /** Lets the service forget an agreement that has ended. */
    public void destroy(String id) throws AgreementFaultException, IOException {
        var request = XmlTrees.add(XmlTrees.newDocument(), XmlNames.LIFETIME, "Destroy");
        calls.call(pathOf(id), LIFETIME, "ImmediateResourceTermination/Destroy", request);
    }

    /** Sets the time until which the service remembers an agreement after its end. */
    public void rememberUntil(String id, Instant time) throws AgreementFaultException, IOException {
        var request = XmlTrees.add(XmlTrees.newDocument(), XmlNames.LIFETIME, "SetTerminationTime");
        XmlTrees.add(request, XmlNames.LIFETIME, "RequestedTerminationTime", time.toString());
        calls.call(pathOf(id), LIFETIME, "ScheduledResourceTermination/SetTerminationTime", request);
    }

    /** Begins a negotiation about a new agreement; it is not binding. */
    public NegotiationClient negotiate() throws AgreementFaultException, IOException {
        return NegotiationClient.begin(this, calls, Optional.empty());
    }

    /** Begins a negotiation about an agreement that is to replace the named one. */
    public NegotiationClient renegotiate(String id) throws AgreementFaultException, IOException {
        return NegotiationClient.begin(this, calls, Optional.of(id));
    }

    private <T> List<T> property(String path, QName name, Function<Element, T> reading)
            throws AgreementFaultException, IOException {
        var request = XmlTrees.add(
                XmlTrees.newDocument(), XmlNames.PROPERTIES, "GetResourceProperty", "p:" + name.getLocalPart());
        request.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:p", name.getNamespaceURI());
        var answer = calls.call(path, PROPERTIES, "GetResourceProperty/GetResourceProperty", request);
        return XmlTrees.children(answer).stream().map(reading).toList();
    }

    private Element properties(String path) throws AgreementFaultException, IOException {
        var request = XmlTrees.add(XmlTrees.newDocument(), XmlNames.PROPERTIES, "GetResourcePropertyDocument");
        return XmlTrees.children(calls.call(
                        path, PROPERTIES, "GetResourcePropertyDocument/GetResourcePropertyDocument", request))
                .stream()
                .findFirst()
                .orElseThrow(() -> new IOException("The answer holds no agreement."));
    }

    /** The path of an agreement below {@code /services/}. */
    static String pathOf(String id) {
        if (!id.matches(ID)) {
            throw new IllegalArgumentException("The agreement id (" + id.replaceAll("\\p{Cntrl}", "?")
                    + ") must be 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit.");
        }
        return "Agreement/" + id;
    }
}
