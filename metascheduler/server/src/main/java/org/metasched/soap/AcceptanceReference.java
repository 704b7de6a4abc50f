package org.metasched.soap;

import jakarta.xml.bind.JAXB;
import java.net.URI;
import java.util.List;
import javax.xml.transform.dom.DOMResult;
import org.metasched.adapter.DisplayText;
import org.metasched.agreement.OfferDocument;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.http.OutboundPolicy;
import org.metasched.wsag.addressing.EndpointReferenceType;
import org.metasched.wsag.addressing.ObjectFactory;
import org.w3c.dom.Element;

/** Reference to the endpoint at which an initiator wants to hear the decision about a pending offer. It is kept as text with the agreement. */
final class AcceptanceReference {

    private AcceptanceReference() {}

    static OfferDocument write(EndpointReferenceType reference) {
        var document = XmlTrees.newDocument();
        JAXB.marshal(new ObjectFactory().createEndpointReference(reference), new DOMResult(document));
        return new OfferDocument(XmlTrees.print(document.getDocumentElement()));
    }

    /**
     * The address to call.
     *
     * @throws InvalidOfferException when the policy does not allow it
     */
    static URI checkedAddress(OfferDocument reference, OutboundPolicy policy) {
        String address = address(reference);
        try {
            if (!address.startsWith(XmlNames.ADDRESSING)) {
                return policy.read(address);
            }
            throw notCalled("The address (" + address + ") must be a URL: it stands for no endpoint.");
        } catch (IllegalArgumentException e) {
            throw notCalled(String.valueOf(e.getMessage()));
        }
    }

    private static InvalidOfferException notCalled(String why) {
        return new InvalidOfferException("The address in the AgreementAcceptanceEPR is not called. "
                + DisplayText.of(why) + "\nLeave the reference out if you are going to ask for the state instead.");
    }

    /** The address as it is written, whether or not it can be called. */
    static String address(OfferDocument reference) {
        return XmlTrees.childText(root(reference), XmlNames.ADDRESSING, "Address")
                .orElse("")
                .strip();
    }

    /** Elements that go into the header of every message to the endpoint. */
    static List<Element> parameters(OfferDocument reference) {
        return XmlTrees.child(root(reference), XmlNames.ADDRESSING, "ReferenceParameters").stream()
                .flatMap(p -> XmlTrees.children(p).stream())
                .toList();
    }

    private static Element root(OfferDocument reference) {
        return XmlTrees.parse("endpoint reference", reference.text()).getDocumentElement();
    }
}
