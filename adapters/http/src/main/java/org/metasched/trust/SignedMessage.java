package org.metasched.trust;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.wss4j.common.WSS4JConstants;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * A SOAP envelope with a security header, whose parts stand where they are processed. It has one Header and one Body under the Envelope,
 * one Security under the Header, no element of these names anywhere else, and no identifier twice.
 *
 * @param security the element {@code wsse:Security}
 * @param tokens its child elements
 * @param parts elements that must be signed: the Body, and every header but {@code wsse:Security}
 */
record SignedMessage(Element security, List<Element> tokens, List<Element> parts) {

    private static final Set<String> SOAP =
            Set.of("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope");
    private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";

    /**
     * Reads the parts of a message.
     *
     * @return empty without a security header
     * @throws UntrustedException when a part is not in its place
     */
    static Optional<SignedMessage> in(Document document) throws UntrustedException {
        var security = security(document);
        if (security.isEmpty()) {
            return Optional.empty();
        }
        var all = elements(document.getElementsByTagName("*"));
        Element envelope = document.getDocumentElement();
        Element header = only(all, "Header", envelope);
        Element body = only(all, "Body", envelope);
        UntrustedException.throwIf(
                security.get().getParentNode() != header, "the security header does not stand in the Header");
        refuseEqualIds(all);
        var parts = new ArrayList<>(elements(header.getChildNodes()));
        parts.remove(security.get());
        parts.add(body);
        return Optional.of(
                new SignedMessage(security.get(), elements(security.get().getChildNodes()), parts));
    }

    /**
     * The security header of a message, or of the part of a message before its Body.
     *
     * @throws UntrustedException when there are several, or it is for another receiver
     */
    static Optional<Element> security(Document document) throws UntrustedException {
        var found = elements(document.getElementsByTagNameNS(WSS4JConstants.WSSE_NS, "Security"));
        if (found.size() > 1 || found.stream().anyMatch(SignedMessage::isForAnother)) {
            throw new UntrustedException("several security headers, or one for another receiver");
        }
        return found.stream().findFirst();
    }

    /** The text of {@code wsa:To}, which the message must have once. */
    String to() throws UntrustedException {
        var found = parts.stream().filter(e -> is(e, ADDRESSING, "To")).toList();
        UntrustedException.throwIf(found.size() != 1, "a signed message must say once where it goes (wsa:To)");
        return found.get(0).getTextContent().strip();
    }

    /**
     * Requires that a signature covers the parts and the Timestamp.
     *
     * @param signed covered elements, compared by identity
     */
    void requireSigned(List<@Nullable Element> signed) throws UntrustedException {
        var needed = new ArrayList<>(parts);
        needed.add(tokens.stream()
                .filter(e -> is(e, WSS4JConstants.WSU_NS, "Timestamp"))
                .findFirst()
                .orElseThrow(() -> new UntrustedException("there is no Timestamp")));
        for (Element part : needed) {
            UntrustedException.throwIf(
                    signed.stream().noneMatch(s -> s == part), "the signature does not cover %s", part.getNodeName());
        }
    }

    static List<Element> elements(NodeList nodes) {
        return IntStream.range(0, nodes.getLength())
                .mapToObj(nodes::item)
                .filter(Element.class::isInstance)
                .map(Element.class::cast)
                .toList();
    }

    private static Element only(List<Element> all, String name, Element envelope) throws UntrustedException {
        var found = all.stream().filter(e -> isSoap(e, name)).toList();
        if (!isSoap(envelope, "Envelope")
                || all.stream().filter(e -> isSoap(e, "Envelope")).count() != 1
                || found.size() != 1
                || found.get(0).getParentNode() != envelope) {
            throw new UntrustedException("there must be one " + name + ", in the Envelope: the message may be wrapped");
        }
        return found.get(0);
    }

    private static void refuseEqualIds(List<Element> all) throws UntrustedException {
        var seen = new HashSet<String>();
        for (Element element : all) {
            for (String id : List.of(
                    element.getAttributeNS(WSS4JConstants.WSU_NS, "Id"),
                    element.getAttribute("Id"),
                    element.getAttribute("ID"),
                    element.getAttribute("xml:id"))) {
                UntrustedException.throwIf(!id.isEmpty() && !seen.add(id), "an identifier stands there twice");
            }
        }
    }

    private static boolean isForAnother(Element security) {
        return SOAP.stream().anyMatch(n -> security.hasAttributeNS(n, "actor") || security.hasAttributeNS(n, "role"));
    }

    private static boolean isSoap(Element element, String name) {
        return name.equals(element.getLocalName()) && SOAP.contains(String.valueOf(element.getNamespaceURI()));
    }

    private static boolean is(Element element, String namespace, String name) {
        return name.equals(element.getLocalName()) && namespace.equals(element.getNamespaceURI());
    }
}
