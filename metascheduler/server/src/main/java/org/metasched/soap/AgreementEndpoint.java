package org.metasched.soap;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import jakarta.xml.ws.soap.AddressingFeature;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.namespace.QName;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementService;
import org.metasched.agreement.TerminationOutcome;
import org.metasched.wsag.Agreement;
import org.metasched.wsag.ContinuingFault;
import org.metasched.wsag.InvalidResourcePropertyQNameFault;
import org.metasched.wsag.ResourceUnknownFault;
import org.metasched.wsag.TerminateInputType;
import org.metasched.wsag.TerminateOutputType;
import org.metasched.wsag.property.GetMultipleResourceProperties;
import org.metasched.wsag.property.GetResourcePropertyDocument;
import org.metasched.wsag.property.PropertyDocumentType;
import org.metasched.wsag.property.PropertyValuesType;
import org.w3c.dom.Element;

/**
 * Agreements as WS-Resources: their properties and their end. Which one is meant says the address or the reference parameter
 * of its endpoint reference. Thread-safe.
 */
@WebService(
        endpointInterface = "org.metasched.wsag.Agreement",
        targetNamespace = Names.WSAG,
        serviceName = "AgreementService",
        portName = "AgreementSoap12Port",
        wsdlLocation = "classpath:org/metasched/wsdl/agreement.wsdl")
@Addressing(responses = AddressingFeature.Responses.ANONYMOUS)
public final class AgreementEndpoint implements Agreement {

    /** Last part of its address, before the id. */
    public static final String NAME = "Agreement";

    private static final List<QName> PROPERTIES = Stream.of(
                    "Name",
                    "AgreementId",
                    "Context",
                    "Terms",
                    "AgreementState",
                    "GuaranteeTermState",
                    "ServiceTermState")
            .map(n -> new QName(Names.WSAG, n))
            .toList();

    private final AgreementService agreements;
    private final AgreementFaults faults;
    private final PropertyReading properties;

    public AgreementEndpoint(AgreementService agreements, Clock clock) {
        this.agreements = agreements;
        this.faults = new AgreementFaults(clock);
        this.properties = new PropertyReading(PROPERTIES, faults);
    }

    @Override
    public PropertyValuesType getResourceProperty(QName name)
            throws InvalidResourcePropertyQNameFault, ResourceUnknownFault {
        var document = document();
        return properties.one(name, n -> values(document, n));
    }

    @Override
    public PropertyValuesType getMultipleResourceProperties(GetMultipleResourceProperties request)
            throws InvalidResourcePropertyQNameFault, ResourceUnknownFault {
        var document = document();
        return properties.several(request, n -> values(document, n));
    }

    @Override
    public PropertyDocumentType getResourcePropertyDocument(GetResourcePropertyDocument request)
            throws ResourceUnknownFault {
        return PropertyReading.document(document());
    }

    @Override
    public TerminateOutputType terminate(TerminateInputType request) throws ContinuingFault, ResourceUnknownFault {
        var id = addressed();
        try {
            var outcome = agreements.terminate(id, "Terminated by the initiator.");
            if (outcome instanceof TerminationOutcome.Unknown) {
                throw faults.unknown(id.value());
            } else if (outcome instanceof TerminationOutcome.AlreadyFinal ended) {
                throw faults.continuing(
                        ErrorCode.AGREEMENT_FINAL,
                        List.of("The agreement " + id + " has ended already: it is "
                                + ended.agreement().state().term() + "."));
            }
            return new TerminateOutputType();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw faults.continuing(ErrorCode.BUSY, List.of("The service is shutting down; ask again later."));
        }
    }

    private static List<Element> values(Element document, QName name) {
        return Xml.children(document, name.getNamespaceURI(), name.getLocalPart())
                .toList();
    }

    private Element document() throws ResourceUnknownFault {
        var id = addressed();
        return AgreementDocument.of(agreements.find(id).orElseThrow(() -> faults.unknown(id.value())));
    }

    /** Both ways of naming an agreement may be used; used together, they must agree. */
    private AgreementId addressed() throws ResourceUnknownFault {
        Optional<String> parameter = CallContext.header(Names.RESOURCE_ID);
        Optional<String> path = CallContext.lastPathPart(NAME);
        if (parameter.isPresent() && path.isPresent() && !parameter.equals(path)) {
            throw faults.unknown(parameter.get() + " at the address of " + path.get());
        }
        var id = path.or(() -> parameter).orElse("without a name");
        try {
            return new AgreementId(id);
        } catch (IllegalArgumentException e) {
            throw faults.unknown(id);
        }
    }
}
