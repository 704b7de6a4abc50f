package org.metasched.adapter.soap;

import org.apache.cxf.frontend.WSDLGetUtils;
import org.apache.cxf.helpers.DOMUtils;
import org.w3c.dom.Element;

/**
 * Removes every service from a served WSDL but that of the requested address, and gives it that address, which may end with the name of a
 * resource. Clients that expect one service in a WSDL would otherwise call a wrong one.
 */
final class ServedAddresses extends WSDLGetUtils {

    @Override
    protected void rewriteAddress(String base, Element port, String soap) {
        rewriteAddressProtocolHostPort(base, port, "", soap);
    }

    @Override
    protected void rewriteAddressProtocolHostPort(String base, Element port, String basePath, String soap) {
        int end = base.lastIndexOf(SoapServer.SERVICES + "/") + SoapServer.SERVICES.length();
        String requested = (base + "/").substring(end, (base + "/").indexOf('/', end + 1));
        for (var address : DOMUtils.findAllElementsByTagNameNS(port, soap, "address")) {
            if (!name(address.getAttribute("location")).equals(requested)) {
                var service = port.getParentNode();
                service.removeChild(port);
                // A service without ports is an error to generators.
                if (DOMUtils.getFirstElement(service) == null && service.getParentNode() != null) {
                    service.getParentNode().removeChild(service);
                }
                return;
            }
            address.setAttribute("location", base);
        }
    }

    /** The service's name in a location of the WSDL file, or in one rewritten before, which may name a resource. */
    private static String name(String location) {
        int services = location.lastIndexOf(SoapServer.SERVICES + "/");
        String path = services < 0
                ? location.substring(Math.max(0, location.lastIndexOf('/')))
                : location.substring(services + SoapServer.SERVICES.length());
        int next = path.indexOf('/', 1);
        return next < 0 ? path : path.substring(0, next);
    }
}
