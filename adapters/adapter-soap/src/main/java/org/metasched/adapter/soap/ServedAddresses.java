package org.metasched.adapter.soap;

import org.apache.cxf.frontend.WSDLGetUtils;
import org.apache.cxf.helpers.DOMUtils;
import org.w3c.dom.Element;

/**
 * Leaves in the WSDL that is served the one service that was asked, at the address that was asked, which may name a resource. Clients that know
 * one service a WSDL would send to the wrong one otherwise.
 */
final class ServedAddresses extends WSDLGetUtils {

    @Override
    protected void rewriteAddress(String base, Element service, String soap) {
        rewriteAddressProtocolHostPort(base, service, "", soap);
    }

    @Override
    protected void rewriteAddressProtocolHostPort(String base, Element port, String basePath, String soap) {
        int end = base.indexOf(SoapServer.SERVICES + "/") + SoapServer.SERVICES.length();
        String asked = (base + "/").substring(end, (base + "/").indexOf('/', end + 1));
        for (var address : DOMUtils.findAllElementsByTagNameNS(port, soap, "address")) {
            String name = name(address.getAttribute("location"));
            if (!name.equals(asked)) {
                var service = port.getParentNode();
                service.removeChild(port);
                // One without ports is an error to generators.
                if (DOMUtils.getFirstElement(service) == null && service.getParentNode() != null) {
                    service.getParentNode().removeChild(service);
                }
                return;
            }
            address.setAttribute("location", base);
        }
    }

    /** The name of a location as the file has it, or with a resource after it, as it was written before. */
    private static String name(String location) {
        int services = location.indexOf(SoapServer.SERVICES + "/");
        String path = services < 0
                ? location.substring(Math.max(0, location.lastIndexOf('/')))
                : location.substring(services + SoapServer.SERVICES.length());
        int next = path.indexOf('/', 1);
        return next < 0 ? path : path.substring(0, next);
    }
}
