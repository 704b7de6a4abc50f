import jakarta.xml.bind.JAXB;
import jakarta.xml.bind.JAXBElement;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Service;
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
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/**
 * A client all of whose types wsimport (JAX-WS RI) or wsdl2java (CXF) has made from the WSDL; it is compiled with either.
 *
 * <p>Usage: GeneratedClient BASE_URL soap11|soap12
 */
public final class GeneratedClient {

    private static final String WSAG = "http://schemas.ggf.org/graap/2007/03/ws-agreement";
    private static final String JOB = "<j:JobDefinition xmlns:j='http://schemas.ggf.org/jsdl/2005/11/jsdl'><j:JobDescription>"
            + "<j:Resources><j:CandidateHosts><j:HostName>%s</j:HostName></j:CandidateHosts>"
            + "<j:TotalResourceCount><j:Exact>2</j:Exact></j:TotalResourceCount></j:Resources>"
            + "</j:JobDescription></j:JobDefinition>";
    private static final String TIME = "<t:TimeConstraint"
            + " xmlns:t='http://schemas.wsag4j.org/2009/07/wsag4j-scheduling-extensions'><t:Duration>30</t:Duration></t:TimeConstraint>";

    private static String soap;

    public static void main(String[] arguments) throws Exception {
        soap = arguments[1].equals("soap11") ? "Soap11" : "Soap12";
        var factory = port(arguments[0] + "/services/AgreementFactory", "AgreementFactory", AgreementFactory.class);
        var template = (AgreementTemplateType) first(factory.getResourceProperty(wsag("Template")));
        System.out.println("template " + template.getContext().getTemplateName() + " " + template.getContext().getTemplateId());

        try {
            factory.createAgreement(offer(template, "mars"));
        } catch (ContinuingFault refused) {
            System.out.println("refused " + refused.getFaultInfo().getErrorCode().getContent().get(0));
        }
        var created = factory.createAgreement(offer(template, "fzj", "scai"));
        String address = find(created, "Address");
        System.out.println("agreement " + address);

        var agreement = port(address, "Agreement", Agreement.class);
        System.out.println("state " + state(agreement));
        var expression = new QueryExpressionType();
        expression.setDialect("http://www.w3.org/TR/1999/REC-xpath-19991116");
        expression.getContent().add("count(//*[local-name()='ServiceDescriptionTerm'])");
        var query = new QueryResourcePropertiesType();
        query.setQueryExpression(expression);
        System.out.println("terms " + find(agreement.queryResourceProperties(query), "Value"));
        agreement.terminate(new TerminateInputType());
        System.out.println("state " + state(agreement));
        try {
            agreement.terminate(new TerminateInputType());
        } catch (ContinuingFault ended) {
            System.out.println("fault " + ended.getFaultInfo().getErrorCode().getContent().get(0));
        }
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

    /** The two generators take an endpoint reference for different classes, so its text is looked at. */
    private static String find(Object message, String tag) {
        var writer = new StringWriter();
        JAXB.marshal(message, writer);
        var found = Pattern.compile("<(?:\\w+:)?" + tag + "[ >][^<]*").matcher(writer.toString());
        return found.find() ? found.group().replaceFirst("[^>]*>", "") : "none";
    }

    private static CreateAgreementInputType offer(AgreementTemplateType template, String... sites) throws Exception {
        var all = new TermCompositorType();
        for (var site : sites) {
            all.getAllOrExactlyOneOrOneOrMore().add(term("RESOURCE_" + site, JOB.formatted(site)));
        }
        all.getAllOrExactlyOneOrOneOrMore().add(term("TIME_CONSTRAINT", TIME));
        var terms = new TermTreeType();
        terms.setAll(all);
        var context = new AgreementContextType();
        context.setServiceProvider(template.getContext().getServiceProvider());
        context.setTemplateId(template.getContext().getTemplateId());
        context.setTemplateName(template.getContext().getTemplateName());
        var offer = new AgreementType();
        offer.setAgreementId("generated-" + UUID.randomUUID());
        offer.setName(template.getName());
        offer.setContext(context);
        offer.setTerms(terms);
        var input = new CreateAgreementInputType();
        input.setAgreementOffer(offer);
        return input;
    }

    private static JAXBElement<ServiceDescriptionTermType> term(String name, String content) throws Exception {
        var parsers = DocumentBuilderFactory.newInstance();
        parsers.setNamespaceAware(true);
        Element element = parsers.newDocumentBuilder().parse(new InputSource(new StringReader(content))).getDocumentElement();
        var term = new ServiceDescriptionTermType();
        term.setName(name);
        term.setServiceName("META-JOB");
        term.setAny(element);
        return new ObjectFactory().createTermCompositorTypeServiceDescriptionTerm(term);
    }
}
