package org.metasched.soap;

import java.util.List;
import org.metasched.adapter.DisplayText;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * Service references of an offer (GFD.192, section 4.2.4). A reference with the anonymous address means a service of the same offer; the state of
 * its term then names the agreement and the reservations. Other references are refused.
 */
final class ServiceReferences {

    private static final String ANONYMOUS = XmlNames.ADDRESSING + "/anonymous";

    private ServiceReferences() {}

    /** @throws InvalidOfferException when a reference has another address, or names a service that the offer does not describe */
    static void check(Element terms) {
        var services = services(terms);
        XmlTrees.descendants(terms, XmlNames.WSAG, "ServiceReference").forEach(reference -> {
            var place = "Term " + reference.getAttributeNS(XmlNames.WSAG, "Name") + ": ";
            var service = reference.getAttributeNS(XmlNames.WSAG, "ServiceName");
            if (!services.contains(service)) {
                throw new InvalidOfferException(place + "the reference is to service (" + service
                        + "), which the offer does not describe; it has " + services + ".");
            }
            var content = XmlTrees.children(reference).get(0);
            var address = XmlTrees.childText(content, XmlNames.ADDRESSING, "Address");
            if (!XmlTrees.is(content, XmlNames.ADDRESSING, "EndpointReference")
                    || XmlTrees.children(content).size() != 1
                    || !address.orElse("").equals(ANONYMOUS)) {
                throw new InvalidOfferException(place + "no existing service can be referred to ("
                        + DisplayText.of(address.orElse(content.getNodeName()))
                        + "). A wsa:EndpointReference of nothing but the Address " + ANONYMOUS
                        + " is answered with the reference of the service.");
            }
        });
    }

    /** Names of the services that an offer describes. */
    static List<String> services(Element offer) {
        return XmlTrees.descendants(offer, XmlNames.WSAG, "ServiceDescriptionTerm")
                .map(term -> term.getAttributeNS(XmlNames.WSAG, "ServiceName"))
                .distinct()
                .toList();
    }
}
