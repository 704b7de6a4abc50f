package org.metasched.soap;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.namespace.NamespaceContext;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpression;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.jspecify.annotations.Nullable;
import org.metasched.client.xml.Spares;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The location of a constraint item: an XPath 1.0 expression over the offer. Two ways of writing are read: WSAG4J's, with
 * {@code declare namespace} clauses and {@code $this} for the offer's document, and the specification's plain XPath with the
 * prefixes that are in scope.
 */
final class LocationPath {

    private static final Pattern DECLARATION =
            Pattern.compile("\\G\\s*declare\\s+namespace\\s+([\\w.-]+)\\s*=\\s*(?:'([^']*)'|\"([^\"]*)\")\\s*;");
    private static final Pattern THIS = Pattern.compile("\\$this(\\s*/)?");

    private final String text;
    private final String path;
    private final Prefixes prefixes;
    private final Spares<XPathExpression> expressions = new Spares<>(this::compiled);

    private LocationPath(String text, String path, Prefixes prefixes) {
        this.text = text;
        this.path = path;
        this.prefixes = prefixes;
    }

    /** @throws IllegalArgumentException when it is not an XPath expression */
    static LocationPath of(Element location) {
        String text = location.getTextContent().strip();
        Map<String, String> declared = new HashMap<>();
        var clause = DECLARATION.matcher(text);
        int end = 0;
        while (clause.find()) {
            declared.put(clause.group(1), clause.group(2) == null ? clause.group(3) : clause.group(2));
            end = clause.end();
        }
        String path = THIS.matcher(text.substring(end)).replaceAll("/").strip();
        var read = new LocationPath(text, path, new Prefixes(declared, location));
        read.expressions.with(compiled -> compiled);
        return read;
    }

    /** The nodes of an offer that it leads to. */
    NodeList select(Document offer) throws XPathExpressionException {
        return expressions.with(path -> (NodeList) path.evaluate(offer.getDocumentElement(), XPathConstants.NODESET));
    }

    XPathExpression compiled() {
        try {
            var factory = XPathFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            var xpath = factory.newXPath();
            xpath.setNamespaceContext(prefixes);
            return xpath.compile(path);
        } catch (XPathExpressionException | javax.xml.xpath.XPathFactoryConfigurationException e) {
            throw new IllegalArgumentException(
                    "The location (" + text + ") is not an XPath expression: "
                            + String.valueOf(e.getMessage()).replaceFirst("^[\\w.]+Exception: ", ""),
                    e);
        }
    }

    /** Without its declarations. */
    @Override
    public String toString() {
        return path;
    }

    /** Declared prefixes first, then those in scope. */
    private record Prefixes(Map<String, String> declared, Element scope) implements NamespaceContext {

        @Override
        public String getNamespaceURI(String prefix) {
            String found = declared.get(prefix);
            if (found == null) {
                found = scope.lookupNamespaceURI(prefix);
            }
            return found == null ? XMLConstants.NULL_NS_URI : found;
        }

        @Override
        public @Nullable String getPrefix(String namespace) {
            return null;
        }

        @Override
        public Iterator<String> getPrefixes(String namespace) {
            return java.util.Collections.emptyIterator();
        }
    }
}
