package org.metasched.adapter.soap;

import org.apache.cxf.frontend.WSDLGetUtils;
import org.apache.cxf.helpers.DOMUtils;
import org.w3c.dom.Element;

/**
 * Writes where services are into the WSDL that is served: the one that was asked at the address that was asked, which may name a resource, any
 * other beside it, by the last part of its address.
 */
final class ServedAddresses extends WSDLGetUtils {

    @Override
    protected void rewriteAddress(String base, Element service, String soap) {
        rewriteAddressProtocolHostPort(base, service, "", soap);
    }

    @Override
    protected void rewriteAddressProtocolHostPort(String base, Element service, String basePath, String soap) {
        int end = base.indexOf(SoapServer.SERVICES + "/") + SoapServer.SERVICES.length();
        String asked = (base + "/").substring(end, (base + "/").indexOf('/', end + 1));
        for (var address : DOMUtils.findAllElementsByTagNameNS(service, soap, "address")) {
            String name = name(address.getAttribute("location"));
            address.setAttribute("location", name.equals(asked) ? base : base.substring(0, end) + name);
        }
    }

    /** As the file has it, or with a resource after it, as it was written before. */
    private static String name(String location) {
        int services = location.indexOf(SoapServer.SERVICES + "/");
        String path = services < 0
                ? location.substring(Math.max(0, location.lastIndexOf('/')))
                : location.substring(services + SoapServer.SERVICES.length());
        int next = path.indexOf('/', 1);
        return next < 0 ? path : path.substring(0, next);
    }
}
