package org.metasched.soap;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import javax.xml.namespace.QName;
import org.apache.cxf.headers.Header;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.apache.cxf.ws.addressing.AddressingProperties;
import org.apache.cxf.ws.addressing.JAXWSAConstants;
import org.metasched.client.xml.XmlNames;
import org.w3c.dom.Element;

/** Context of the message that this thread answers: its headers, and its destination address. */
final class CallContext {

    private CallContext() {}

    /** {@code wsa:MessageID}. */
    static Optional<String> messageId() {
        return Optional.ofNullable(message().get(JAXWSAConstants.ADDRESSING_PROPERTIES_INBOUND))
                .map(AddressingProperties.class::cast)
                .map(AddressingProperties::getMessageID)
                .map(id -> id.getValue())
                .filter(id -> !id.isBlank());
    }

    /** Text of a header, as reference parameters come. */
    static Optional<String> header(QName name) {
        if (!(message().get(Header.HEADER_LIST) instanceof List<?> headers)) {
            return Optional.empty();
        }
        return headers.stream()
                .map(Header.class::cast)
                .filter(h -> name.equals(h.getName()))
                .map(Header::getObject)
                .filter(Element.class::isInstance)
                .map(e -> Element.class.cast(e).getTextContent().strip())
                .findFirst();
    }

    /** The id of the resource that header or address name; where they differ, a text that is the id of none. */
    static String resource(String service) {
        var parameter = header(XmlNames.RESOURCE_ID);
        var path = lastPathPart(service);
        if (parameter.isPresent() && path.isPresent() && !parameter.equals(path)) {
            return parameter.get() + " at the address of " + path.get();
        }
        return path.or(() -> parameter).orElse("without a name");
    }

    /** The part of the path after the service's own address, without slashes. */
    private static Optional<String> lastPathPart(String service) {
        String path = request().getPathInfo();
        String prefix = "/" + service + "/";
        return path != null && path.startsWith(prefix) && path.length() > prefix.length()
                ? Optional.of(path.substring(prefix.length()))
                : Optional.empty();
    }

    /** The address of another service of this server, as the caller can reach it. */
    static URI sibling(String service) {
        var request = request();
        var url = request.getRequestURL();
        String servlet = request.getContextPath() + request.getServletPath();
        int begin = url.indexOf(servlet, url.indexOf("//") + 2);
        return URI.create(url.substring(0, begin) + servlet + "/" + service);
    }

    private static HttpServletRequest request() {
        if (message().get(AbstractHTTPDestination.HTTP_REQUEST) instanceof HttpServletRequest request) {
            return request;
        }
        throw new IllegalStateException("No HTTP request is being answered by this thread.");
    }

    private static Message message() {
        return PhaseInterceptorChain.getCurrentMessage();
    }
}
