package org.metasched.adapter.soap;

import org.apache.cxf.frontend.WSDLGetUtils;
import org.apache.cxf.helpers.DOMUtils;
import org.w3c.dom.Element;

/**
 * Reduces a served WSDL to the one service that the requested address names, at that address, which may name a resource too. Clients that
 * expect one service in a WSDL would otherwise call a wrong one.
 */
final class ServedAddresses extends WSDLGetUtils {

    @Override
    protected void rewriteAddress(String base, Element service, String soap) {
        rewriteAddressProtocolHostPort(base, service, "", soap);
    }

    @Override
    protected void rewriteAddressProtocolHostPort(String base, Element port, String basePath, String soap) {
        int end = base.indexOf(SoapServer.SERVICES + "/") + SoapServer.SERVICES.length();
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
        int services = location.indexOf(SoapServer.SERVICES + "/");
        String path = services < 0
                ? location.substring(Math.max(0, location.lastIndexOf('/')))
                : location.substring(services + SoapServer.SERVICES.length());
        int next = path.indexOf('/', 1);
        return next < 0 ? path : path.substring(0, next);
    }
}
