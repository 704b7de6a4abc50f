package org.metasched.soap;

import java.net.URI;
import java.util.Optional;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.wsag.addressing.AttributedURIType;
import org.metasched.wsag.addressing.EndpointReferenceType;
import org.metasched.wsag.addressing.ReferenceParametersType;
import org.w3c.dom.Element;

/**
 * Endpoint references of agreements. The agreement's id is the last part of the address, so that a client without WS-Addressing needs no
 * more than a URL. It is also a reference parameter, as WSRF clients expect.
 */
final class EndpointReferences {

    private EndpointReferences() {}

    static EndpointReferenceType of(URI agreements, String id) {
        var address = new AttributedURIType();
        address.setValue(agreements + "/" + id);
        var parameters = new ReferenceParametersType();
        parameters
                .getAny()
                .add(XmlTrees.add(XmlTrees.newDocument(), XmlNames.METASCHED, XmlNames.RESOURCE_ID.getLocalPart(), id));
        var reference = new EndpointReferenceType();
        reference.setAddress(address);
        reference.setReferenceParameters(parameters);
        return reference;
    }

    /** Writes an endpoint reference into an element. */
    static void write(Element reference, URI agreements, String id) {
        XmlTrees.add(reference, XmlNames.ADDRESSING, "Address", agreements + "/" + id);
        XmlTrees.add(
                XmlTrees.add(reference, XmlNames.ADDRESSING, "ReferenceParameters"),
                XmlNames.METASCHED,
                XmlNames.RESOURCE_ID.getLocalPart(),
                id);
    }

    /** The id in an endpoint reference of ours: its reference parameter, else the last part of its address. */
    static Optional<String> resourceId(Element reference) {
        return XmlTrees.child(reference, XmlNames.ADDRESSING, "ReferenceParameters")
                .flatMap(p -> XmlTrees.childText(p, XmlNames.METASCHED, XmlNames.RESOURCE_ID.getLocalPart()))
                .or(() -> XmlTrees.childText(reference, XmlNames.ADDRESSING, "Address")
                        .map(a -> a.substring(a.lastIndexOf('/') + 1)));
    }
}
