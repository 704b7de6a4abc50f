package org.metasched.soap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.namespace.NamespaceContext;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpression;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import javax.xml.xpath.XPathFactoryConfigurationException;
import org.jspecify.annotations.Nullable;
import org.metasched.client.xml.ObjectPool;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The location of a constraint item: an XPath 1.0 expression over the offer. Two ways of writing are read: WSAG4J's, with {@code declare
 * namespace} clauses and {@code $this} for the offer's document, and the specification's plain XPath with the prefixes that are in scope.
 */
final class LocationPath {

    private static final Pattern DECLARATION =
            Pattern.compile("\\G\\s*declare\\s+namespace\\s+([\\w.-]+)\\s*=\\s*(?:'([^']*)'|\"([^\"]*)\")\\s*;");
    /** A step of an absolute path: to elements of a name, or to any that fulfil a predicate. */
    private static final Pattern STEP =
            Pattern.compile("\\G(//?)(?:([\\w.-]+):([\\w.-]+)|\\*(?=\\[))(?:\\[([^\\[\\]]*)])?");

    /** The state of a service term, in the document of an agreement's properties. */
    private static final Pattern SERVICE_STATE = Pattern.compile(
            "(?:/([\\w.-]+):AgreementProperties//?|//)?([\\w.-]+):ServiceTermState"
                    + "(?:\\[\\s*@([\\w.-]+):termName\\s*=\\s*(?:'([^']*)'|\"([^\"]*)\")\\s*])?/([\\w.-]+):State(?:/text\\(\\))?");

    /** The namespace of a step to elements of any name. */
    private static final String ANY = "*";

    private static final Pattern THIS = Pattern.compile("\\$this(\\s*/)?");

    private final String text;
    private final String path;
    private final Prefixes prefixes;
    private final ObjectPool<XPathExpression> expressions = new ObjectPool<>(this::compiled);
    /** The steps; empty when the path has anything but names and predicates of known forms. */
    private final List<Step> steps;

    private LocationPath(String text, String path, Prefixes prefixes) {
        this.text = text;
        this.path = path;
        this.prefixes = prefixes;
        this.steps = steps(path, prefixes);
    }

    private static List<Step> steps(String path, Prefixes prefixes) {
        List<Step> steps = new ArrayList<>();
        int end = 0;
        for (var step = STEP.matcher(path); step.find(); end = step.end()) {
            var predicate = Optional.ofNullable(step.group(4))
                    .map(text -> StepPredicate.of(text, prefixes::getNamespaceURI))
                    .orElse(Optional.of(element -> true));
            var namespace = step.group(2) == null ? ANY : prefixes.getNamespaceURI(step.group(2));
            if (predicate.isEmpty() || namespace.isEmpty()) {
                return List.of();
            }
            steps.add(new Step(step.group(1).equals("//"), namespace, String.valueOf(step.group(3)), predicate.get()));
        }
        // A walk has a bit for each step and one for the end, in a long that is not negative.
        return end == path.length() && steps.size() < Long.SIZE - 1 ? steps : List.of();
    }

    /** A step of a path: to the children of a name, or to all descendants, for which the predicate holds. */
    private record Step(boolean isDeep, String namespace, String name, Predicate<Element> predicate) {
        boolean takes(Element element) {
            return (namespace.equals(ANY) || XmlTrees.is(element, namespace, name)) && predicate.test(element);
        }
    }

    /**
     * The location in the text of an element.
     *
     * @throws IllegalArgumentException when it is not an XPath expression
     */
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
        var locationPath = new LocationPath(text, path, new Prefixes(declared, location));
        locationPath.expressions.with(compiled -> compiled);
        return locationPath;
    }

    /** The nodes of an offer to which the path leads, in their order. A path that was split into steps needs no XPath processor. */
    List<Node> select(Document offer) throws XPathExpressionException {
        if (!steps.isEmpty()) {
            var selected = new ArrayList<Node>();
            walk(offer, 1, selected);
            return selected;
        }
        var nodes =
                expressions.with(path -> (NodeList) path.evaluate(offer.getDocumentElement(), XPathConstants.NODESET));
        return IntStream.range(0, nodes.getLength()).mapToObj(nodes::item).toList();
    }

    /** @param open bit i is set when step i may be taken from the parent */
    private void walk(Node parent, long open, List<Node> selected) {
        for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (!(child instanceof Element element)) {
                continue;
            }
            long next = 0;
            for (int i = 0; i < steps.size(); i++) {
                var step = steps.get(i);
                if ((open & (1L << i)) != 0) {
                    next |= step.isDeep() ? 1L << i : 0;
                    // Bit i + 1: the next step may be taken from this element.
                    next |= step.takes(element) ? 2L << i : 0;
                }
            }
            if ((next & (1L << steps.size())) != 0) {
                selected.add(child);
            }
            if (next != 0) {
                walk(child, next, selected);
            }
        }
    }

    /**
     * The service term to whose state the path leads, whatever the states are; empty where the path has another form.
     *
     * @param terms service terms that have a state
     * @throws IllegalArgumentException when the path leads to the states of none or several of them
     */
    Optional<String> serviceState(List<String> terms) {
        var form = SERVICE_STATE.matcher(path);
        if (!form.matches()
                || !IntStream.of(1, 2, 3, 6)
                        .mapToObj(form::group)
                        .filter(Objects::nonNull)
                        .allMatch(prefix -> prefixes.getNamespaceURI(prefix).equals(XmlNames.WSAG))) {
            return Optional.empty();
        }
        var wanted = Optional.ofNullable(form.group(4)).or(() -> Optional.ofNullable(form.group(5)));
        var selected = terms.stream()
                .filter(term -> wanted.isEmpty() || wanted.get().equals(term))
                .toList();
        if (selected.size() != 1) {
            throw new IllegalArgumentException(
                    "it leads to the states of " + selected.size() + " terms, not of one of " + terms);
        }
        return Optional.of(selected.get(0));
    }

    XPathExpression compiled() {
        try {
            var factory = XPathFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            var xpath = factory.newXPath();
            xpath.setNamespaceContext(prefixes);
            return xpath.compile(path);
        } catch (XPathExpressionException | XPathFactoryConfigurationException e) {
            throw new IllegalArgumentException(
                    "The location (" + text + ") is not an XPath expression: "
                            + String.valueOf(e.getMessage()).replaceFirst("^[\\w.]+Exception: ", ""),
                    e);
        }
    }

    /** The path without its declarations. */
    @Override
    public String toString() {
        return path;
    }

    /** Namespaces by the prefixes of the {@code declare namespace} clauses first, then by those in scope. */
    private record Prefixes(Map<String, String> declared, Element scope) implements NamespaceContext {

        @Override
        public String getNamespaceURI(String prefix) {
            return Optional.ofNullable(declared.get(prefix))
                    .or(() -> Optional.ofNullable(scope.lookupNamespaceURI(prefix)))
                    .orElse(XMLConstants.NULL_NS_URI);
        }

        @Override
        public @Nullable String getPrefix(String namespace) {
            return null;
        }

        @Override
        public Iterator<String> getPrefixes(String namespace) {
            return Collections.emptyIterator();
        }
    }
}
