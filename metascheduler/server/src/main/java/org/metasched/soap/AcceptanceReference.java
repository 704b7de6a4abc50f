package org.metasched.soap;

import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import javax.xml.transform.dom.DOMResult;
import org.metasched.adapter.text.Shown;
import org.metasched.agreement.OfferDocument;
import org.metasched.wsag.addressing.EndpointReferenceType;
import org.metasched.wsag.addressing.ObjectFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Where an initiator wants to hear what became of a pending offer: kept as text with the agreement. */
final class AcceptanceReference {

    private static final Logger LOG = LoggerFactory.getLogger(AcceptanceReference.class);
    private static final JAXBContext CONTEXT = context();

    private AcceptanceReference() {}

    static OfferDocument write(EndpointReferenceType reference) {
        try {
            var result = new DOMResult(Xml.newDocument());
            CONTEXT.createMarshaller().marshal(new ObjectFactory().createEndpointReference(reference), result);
            return new OfferDocument(Xml.print(((Document) result.getNode()).getDocumentElement()));
        } catch (JAXBException e) {
            throw new IllegalStateException("An endpoint reference cannot be written: " + e.getMessage(), e);
        }
    }

    /**
     * The address to call.
     *
     * @throws InvalidOfferException when nobody can be called there
     */
    static URI callable(OfferDocument reference) {
        String address =
                Xml.childText(root(reference), Names.ADDRESSING, "Address").orElse("");
        try {
            var uri = new URI(address);
            boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (web && uri.getHost() != null && !address.startsWith(Names.ADDRESSING)) {
                return uri;
            }
        } catch (URISyntaxException e) {
            LOG.debug("An acceptance reference has no address that could be read", e);
        }
        throw new InvalidOfferException(
                "The address (" + Shown.of(address) + ") in the AgreementAcceptanceEPR must be one"
                        + " that can be called: http:// or https:// and a host.\nLeave the reference out if you are going to ask"
                        + " for the state instead.");
    }

    /** Elements that go into the header of every message to it. */
    static List<Element> parameters(OfferDocument reference) {
        return Xml.child(root(reference), Names.ADDRESSING, "ReferenceParameters").stream()
                .flatMap(p -> Xml.children(p).stream())
                .toList();
    }

    private static Element root(OfferDocument reference) {
        return Xml.parse("endpoint reference", reference.text()).getDocumentElement();
    }

    private static JAXBContext context() {
        try {
            return JAXBContext.newInstance(EndpointReferenceType.class);
        } catch (JAXBException e) {
            throw new IllegalStateException("The binding of endpoint references cannot be used: " + e.getMessage(), e);
        }
    }
}
