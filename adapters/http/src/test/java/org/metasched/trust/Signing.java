package org.metasched.trust;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.io.StringWriter;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.wss4j.common.WSEncryptionPart;
import org.apache.wss4j.common.crypto.Merlin;
import org.apache.wss4j.dom.WSConstants;
import org.apache.wss4j.dom.message.WSSecHeader;
import org.apache.wss4j.dom.message.WSSecSignature;
import org.apache.wss4j.dom.message.WSSecTimestamp;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** A client that signs its messages, for tests. */
public final class Signing {

    static final String SOAP = "http://www.w3.org/2003/05/soap-envelope";
    static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
    static final String DS = WSConstants.SIG_NS;
    static final String WSU = WSConstants.WSU_NS;
    static final String WSSE = WSConstants.WSSE_NS;

    private final KeyStore store;
    private final String password;
    String signature = WSConstants.RSA_SHA256;
    String digest = WSConstants.SHA256;
    String canonical = WSConstants.C14N_EXCL_OMIT_COMMENTS;
    int keyIdentifier = WSConstants.BST_DIRECT_REFERENCE;
    int lifeSeconds = 300;
    boolean wholeChain;
    List<String> parts = List.of("Body", "Timestamp", "To", "Action", "MessageID", "ReplyTo");

    public Signing(Authentication.Tls files) {
        this(KeyMaterial.of(files).get().store(), KeyMaterial.of(files).get().password());
    }

    Signing(KeyStore store, String password) {
        this.store = store;
        this.password = password;
    }

    Signing with(Consumer<Signing> change) {
        var changed = new Signing(store, password);
        change.accept(changed);
        return changed;
    }

    public Document sign(Document message) throws Exception {
        var header = new WSSecHeader(message);
        header.insertSecurityHeader();
        var stamp = new WSSecTimestamp(header);
        stamp.setTimeToLive(lifeSeconds);
        stamp.build();
        var signed = new WSSecSignature(header);
        signed.setUserInfo(store.aliases().nextElement(), password);
        signed.setKeyIdentifierType(keyIdentifier);
        signed.setSignatureAlgorithm(signature);
        signed.setDigestAlgo(digest);
        signed.setSigCanonicalization(canonical);
        signed.setAddInclusivePrefixes(false);
        signed.setUseSingleCertificate(!wholeChain);
        var elements = new ArrayList<WSEncryptionPart>();
        for (String part : parts) {
            Element found = first(message, part);
            if (found != null) {
                elements.add(new WSEncryptionPart(part, found.getNamespaceURI(), "Element"));
            }
        }
        signed.getParts().addAll(elements);
        var keys = new Merlin();
        keys.setKeyStore(store);
        keys.loadProperties(new Properties(), Signing.class.getClassLoader(), null);
        signed.build(keys);
        return message;
    }

    /** @param to of addressing; no header without it */
    static Document message(String to) throws Exception {
        return parse("<s:Envelope xmlns:s=\"" + SOAP + "\"><s:Header xmlns:a=\"" + ADDRESSING + "\">"
                + (to.isEmpty() ? "" : "<a:To>" + to + "</a:To>") + "<a:Action>urn:pay</a:Action></s:Header>"
                + "<s:Body><x xmlns=\"urn:x\">pay</x></s:Body></s:Envelope>");
    }

    static Document withPassword(String to, String name, String password, String type) throws Exception {
        String profile = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0";
        return parse(text(message(to))
                .replace(
                        "</s:Header>",
                        "<w:Security xmlns:w=\"" + WSSE + "\"><w:UsernameToken><w:Username>" + name
                                + "</w:Username><w:Password Type=\"" + profile + type + "\">" + password
                                + "</w:Password></w:UsernameToken></w:Security></s:Header>"));
    }

    /** Both steps of a verification, of a message that is there whole. */
    static Optional<Subject> verify(MessageVerifier by, Document message, boolean secure, String here)
            throws UntrustedException {
        var verification = by.begin(secure, "192.0.2.1");
        boolean hasHeader = verification.checkHead(message);
        var subject = verification.subject(message, here::equals);
        assertThat(subject.isPresent()).isEqualTo(hasHeader);
        return subject;
    }

    public static Document parse(String text) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    public static String text(Document message) throws Exception {
        var out = new StringWriter();
        var transformer = TransformerFactory.newInstance().newTransformer();
        transformer.setOutputProperty("omit-xml-declaration", "yes");
        transformer.transform(new DOMSource(message), new StreamResult(out));
        return out.toString();
    }

    static Element first(Document message, String name) {
        return (Element) message.getElementsByTagNameNS("*", name).item(0);
    }

    static String id(Element element) {
        return element.getAttributeNS(WSU, "Id");
    }

    static Element takeBody(Document message) {
        var body = first(message, "Body");
        return (Element) body.getParentNode().removeChild(body);
    }

    static Element wrapper(Document message) {
        return (Element) first(message, "Header").appendChild(message.createElementNS("urn:wrap", "wrap"));
    }

    static Element evilBody(Document message, String id) {
        var body = message.createElementNS(SOAP, "s:Body");
        body.appendChild(message.createElementNS("urn:x", "x")).setTextContent("pay the attacker");
        if (!id.isEmpty()) {
            body.setAttributeNS(WSU, "u:Id", id);
        }
        return (Element) message.getDocumentElement().appendChild(body);
    }
}
