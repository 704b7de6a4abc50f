package org.metasched.soap;

import java.net.URI;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import org.metasched.agreement.Agreement;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * The factory as the service group of its agreements (WS-ServiceGroup 1.2, section 4). Its members are the agreements that exist, so an entry is
 * no resource of its own, and there is no registration.
 */
final class ServiceGroup {

    private static final String NAMESPACE = "http://docs.oasis-open.org/wsrf/sg-2";

    static final QName ENTRY = new QName(NAMESPACE, "Entry");
    static final QName RULE = new QName(NAMESPACE, "MembershipContentRule");

    private ServiceGroup() {}

    /** The rule of membership: members are agreements, and an entry has what a list tells of an agreement. */
    static Element rule() {
        var rule = XmlTrees.add(XmlTrees.newDocument(), NAMESPACE, RULE.getLocalPart());
        rule.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:wsag", XmlNames.WSAG);
        rule.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns:ms", XmlNames.METASCHED);
        rule.setAttribute("MemberInterfaces", "wsag:Agreement");
        rule.setAttribute("ContentElements", "ms:" + XmlNames.AGREEMENT_ENTRY.getLocalPart());
        return rule;
    }

    /** @param agreements address of the service of agreements */
    static Element entry(URI agreements, Agreement agreement) {
        var entry = XmlTrees.add(XmlTrees.newDocument(), NAMESPACE, ENTRY.getLocalPart());
        XmlTrees.add(entry, NAMESPACE, "ServiceGroupEntryEPR")
                .setAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "xsi:nil", "true");
        var member = XmlTrees.add(entry, NAMESPACE, "MemberServiceEPR");
        EndpointReferences.write(member, agreements, agreement.id().value());
        XmlTrees.adopt(XmlTrees.add(entry, NAMESPACE, "Content"), AgreementDocument.entry(agreement));
        return entry;
    }
}
