import jakarta.xml.bind.JAXB;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.URI;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import org.ggf.schemas.graap._2007._03.ws_agreement.*;
import org.oasis_open.docs.wsrf.rp_2.QueryExpressionType;
import org.oasis_open.docs.wsrf.rp_2.QueryResourcePropertiesType;
import org.ogf.schemas.graap._2009._11.ws_agreement_negotiation.*;
import org.ogf.schemas.graap._2009._11.ws_agreement_negotiation.ObjectFactory;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/**
 * A client all of whose types wsimport (JAX-WS RI) or wsdl2java (CXF) has made from the WSDL; it is compiled with either.
 *
 * <p>Usage: [ACCEPTANCE=URL] GeneratedClient BASE_URL soap11|soap12
 */
public final class GeneratedClient {

    private static final String WSAG = "http://schemas.ggf.org/graap/2007/03/ws-agreement";
    private static final String JOB = "<j:JobDefinition xmlns:j='http://schemas.ggf.org/jsdl/2005/11/jsdl'><j:JobDescription>"
            + "<j:Resources><j:CandidateHosts><j:HostName>%s</j:HostName></j:CandidateHosts>"
            + "<j:TotalResourceCount><j:Exact>%d</j:Exact></j:TotalResourceCount></j:Resources>"
            + "</j:JobDescription></j:JobDefinition>";
    private static final String TIME = "<t:TimeConstraint"
            + " xmlns:t='http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions'><t:Duration>30</t:Duration></t:TimeConstraint>";

    private static String soap;

    private static String base;
    private static AgreementFactory factory;
    private static AgreementTemplateType template;

    public static void main(String[] arguments) throws Exception {
        base = arguments[0] + "/services/";
        soap = arguments[1].equals("soap11") ? "Soap11" : "Soap12";
        factory = port(base + "AgreementFactory", "AgreementFactory", AgreementFactory.class);
        template = (AgreementTemplateType) first(factory.getResourceProperty(wsag("Template")));
        System.out.println("template " + template.getContext().getTemplateName() + " " + template.getContext().getTemplateId());

        try {
            factory.createAgreement(input(offer(terms(2, "mars"))));
        } catch (ContinuingFault refused) {
            System.out.println("refused " + refused.getFaultInfo().getErrorCode().getContent().get(0));
        }
        String address = find(factory.createAgreement(input(offer(terms(2, "fzj", "scai")))), "Address");
        System.out.println("agreement " + address);
        var agreement = agreement(address);
        System.out.println("state " + state(agreement));
        var expression = new QueryExpressionType();
        expression.setDialect("http://www.w3.org/TR/1999/REC-xpath-19991116");
        expression.getContent().add("count(//*[local-name()='ServiceDescriptionTerm'])");
        var query = new QueryResourcePropertiesType();
        query.setQueryExpression(expression);
        System.out.println("terms " + find(agreement.queryResourceProperties(query), "Value"));

        pending();
        negotiate();
        agreement.terminate(new TerminateInputType());
        System.out.println("state " + state(agreement));
        try {
            agreement.terminate(new TerminateInputType());
        } catch (ContinuingFault ended) {
            System.out.println("fault " + ended.getFaultInfo().getErrorCode().getContent().get(0));
        }
    }

    private static void pending() throws Exception {
        var input = new CreatePendingAgreementInputType();
        if (System.getenv("ACCEPTANCE") != null) {
            input.setAgreementAcceptanceEPR(reference(System.getenv("ACCEPTANCE")));
        }
        input.setAgreementOffer(offer(terms(2, "fzj", "scai")));
        var pending = agreement(find(factory.createPendingAgreement(input), "Address"));
        for (int i = 0; i < 300 && state(pending).equals("Pending"); i++) {
            Thread.sleep(100);
        }
        System.out.println("pending " + state(pending));
        pending.terminate(new TerminateInputType());
    }

    private static void negotiate() throws Exception {
        String root = template.getContext().getTemplateId() + "-" + template.getContext().getTemplateName();
        var type = new NegotiationType();
        type.setNegotiation(new NegotiationType.Negotiation());
        var negotiation = port(initiate(type), "Negotiation", Negotiation.class);
        var advice = counterOffer(negotiation, root, advisory(), 2);
        var held = counterOffer(negotiation, advice.getOfferId(), solicited(), 2);
        var extension = new NegotiationExtensionType();
        extension.setNegotiationOfferContext(context(held.getOfferId(), acceptable()));
        String negotiated = create(held, new ObjectFactory().createNegotiationExtension(extension));
        System.out.println("negotiated " + state(agreement(negotiated)));
        negotiation.terminate(new NegotiationTerminateInputType());

        var replaced = new NegotiationType.Renegotiation();
        replaced.setResponderAgreementEPR(reference(negotiated));
        type = new NegotiationType();
        type.setRenegotiation(replaced);
        String again = initiate(type);
        var larger = counterOffer(port(again, "Negotiation", Negotiation.class), root, solicited(), 4);
        var replacing = new RenegotiationExtensionType();
        replacing.setResponderNegotiationEPR(reference(again));
        replacing.setResponderAgreementEPR(reference(negotiated));
        replacing.setNegotiationOfferContext(context(larger.getOfferId(), acceptable()));
        var made = agreement(create(larger, new ObjectFactory().createRenegotiationExtension(replacing)));
        System.out.println("renegotiated " + state(made));
        System.out.println("replaced " + state(agreement(negotiated)));
        made.terminate(new TerminateInputType());
    }

    /** @return the address of the negotiation */
    private static String initiate(NegotiationType type) throws Exception {
        var context = new NegotiationContextType();
        context.setNegotiationType(type);
        context.setAgreementResponder(NegotiationRoleType.NEGOTIATION_RESPONDER);
        var input = new InitiateNegotiationInputType();
        input.setNegotiationContext(context);
        var initiator = port(base + "NegotiationFactory", "NegotiationFactory", NegotiationFactory.class);
        return find(initiator.initiateNegotiation(input), "Address");
    }

    private static NegotiationOfferType counterOffer(
            Negotiation negotiation, String parent, NegotiationOfferStateType wanted, int nodes) throws Exception {
        var offer = fill(new NegotiationOfferType(), terms(nodes, "fzj", "scai"));
        offer.setNegotiationOfferContext(context(parent, wanted));
        offer.setNegotiationConstraints(new NegotiationConstraintSectionType());
        var input = new NegotiateInputType();
        input.getNegotiationOffer().add(offer);
        var counter = negotiation.negotiate(input).getNegotiationCounterOffer().get(0);
        var state = counter.getNegotiationOfferContext().getState();
        System.out.println("counter offer "
                + (state.getAdvisory() != null ? "Advisory" : state.getAcceptable() != null ? "Acceptable" : "Rejected"));
        return counter;
    }

    private static NegotiationOfferStateType advisory() {
        var state = new NegotiationOfferStateType();
        state.setAdvisory(new InnerNegotiationStateType());
        return state;
    }

    private static NegotiationOfferStateType solicited() {
        var state = new NegotiationOfferStateType();
        state.setSolicited(new InnerNegotiationStateType());
        return state;
    }

    private static NegotiationOfferStateType acceptable() {
        var state = new NegotiationOfferStateType();
        state.setAcceptable(new InnerNegotiationStateType());
        return state;
    }

    private static NegotiationOfferContextType context(String parent, NegotiationOfferStateType state) {
        var context = new NegotiationOfferContextType();
        context.setCounterOfferTo(parent);
        context.setCreator(NegotiationRoleType.NEGOTIATION_INITIATOR);
        context.setState(state);
        return context;
    }

    /** @return the address of an agreement that is the counter offer */
    private static String create(NegotiationOfferType counter, JAXBElement<?> extension) throws Exception {
        var input = input(offer(counter.getTerms()));
        input.getAny().add(extension);
        return find(factory.createAgreement(input), "Address");
    }

    private static W3CEndpointReference reference(String address) {
        return new W3CEndpointReferenceBuilder().address(address).build();
    }

    private static Agreement agreement(String address) throws Exception {
        return port(address, "Agreement", Agreement.class);
    }

    private static <T> T port(String address, String name, Class<T> type) throws Exception {
        var port = Service.create(URI.create(address + "?wsdl").toURL(), wsag(name + "Service"))
                .getPort(wsag(name + soap + "Port"), type);
        // SOAP 1.2 answers the sender's mistakes with status 400, where CXF looks for a fault only if told so.
        ((BindingProvider) port).getRequestContext().put("org.apache.cxf.transport.process_fault_on_http_400", true);
        return port;
    }

    private static QName wsag(String name) {
        return new QName(WSAG, name);
    }

    private static Object first(org.oasis_open.docs.wsrf.rp_2.PropertyValuesType values) {
        return ((JAXBElement<?>) values.getAny().get(0)).getValue();
    }

    private static String state(Agreement agreement) throws Exception {
        return ((AgreementStateType) first(agreement.getResourceProperty(wsag("AgreementState")))).getState().value();
    }

    /** The text of the first element of this name in a message. JAX-WS shows the address of an endpoint reference only so. */
    private static String find(Object message, String tag) {
        var writer = new StringWriter();
        JAXB.marshal(message, writer);
        var found = Pattern.compile("<(?:\\w+:)?" + tag + "[ >][^<]*").matcher(writer.toString());
        return found.find() ? found.group().replaceFirst("[^>]*>", "") : "none";
    }

    private static CreateAgreementInputType input(AgreementType offer) {
        var input = new CreateAgreementInputType();
        input.setAgreementOffer(offer);
        return input;
    }

    private static AgreementType offer(TermTreeType terms) {
        var offer = fill(new AgreementType(), terms);
        offer.setAgreementId("generated-" + UUID.randomUUID());
        return offer;
    }

    private static <T extends AgreementType> T fill(T offer, TermTreeType terms) {
        var context = new AgreementContextType();
        context.setServiceProvider(template.getContext().getServiceProvider());
        context.setTemplateId(template.getContext().getTemplateId());
        context.setTemplateName(template.getContext().getTemplateName());
        offer.setName(template.getName());
        offer.setContext(context);
        offer.setTerms(terms);
        return offer;
    }

    private static TermTreeType terms(int nodes, String... sites) throws Exception {
        var all = new TermCompositorType();
        for (var site : sites) {
            all.getAllOrExactlyOneOrOneOrMore().add(term("RESOURCE_" + site, JOB.formatted(site, nodes)));
        }
        all.getAllOrExactlyOneOrOneOrMore().add(term("TIME_CONSTRAINT", TIME));
        var terms = new TermTreeType();
        terms.setAll(all);
        return terms;
    }

    private static JAXBElement<ServiceDescriptionTermType> term(String name, String content) throws Exception {
        var parsers = DocumentBuilderFactory.newInstance();
        parsers.setNamespaceAware(true);
        Element element = parsers.newDocumentBuilder().parse(new InputSource(new StringReader(content))).getDocumentElement();
        var term = new ServiceDescriptionTermType();
        term.setName(name);
        term.setServiceName("META-JOB");
        term.setAny(element);
        return new org.ggf.schemas.graap._2007._03.ws_agreement.ObjectFactory().createTermCompositorTypeServiceDescriptionTerm(term);
    }
}
