package org.metasched.soap;

import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import java.util.Optional;
import javax.xml.transform.dom.DOMResult;
import org.metasched.agreement.OfferDocument;
import org.metasched.wsag.addressing.EndpointReferenceType;
import org.metasched.wsag.addressing.ObjectFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Where an initiator wants to hear what became of a pending offer: kept as text with the agreement. */
final class AcceptanceReference {

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

    static Optional<String> address(OfferDocument reference) {
        return Xml.childText(root(reference), Names.ADDRESSING, "Address").filter(a -> !a.isEmpty());
    }

    /** Elements that go into the header of every message to it. */
    static java.util.List<Element> parameters(OfferDocument reference) {
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
