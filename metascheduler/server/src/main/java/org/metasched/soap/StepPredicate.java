package org.metasched.soap;

import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * Predicates of a location's steps, in the forms that the server's own template uses. These need no XPath processor, which would copy the offer for
 * each path.
 */
final class StepPredicate {

    private static final String QNAME = "[\\w.-]+:[\\w.-]+";
    private static final Pattern NAME = Pattern.compile("(?:\\.//|self::)([\\w.-]+):([\\w.-]+)");
    private static final Pattern HAS = Pattern.compile("\\.//" + QNAME);
    private static final Pattern HAS_NOT = Pattern.compile("not\\(\\.//" + QNAME + "\\)");
    private static final Pattern ONE_OF = Pattern.compile("self::" + QNAME + "(?: or self::" + QNAME + ")*");
    private static final Pattern AMONG = Pattern.compile("count\\(\\.//(" + QNAME
            + ")\\) = (\\d{1,4}) and contains\\('([^']*)', concat\\(' ', normalize-space\\(\\.//\\1\\), ' '\\)\\)");
    private static final Pattern SPACES = Pattern.compile("[ \\t\\r\\n]+");

    private StepPredicate() {}

    /** The name of elements. */
    private record Name(String namespace, String local) {
        int count(Element element) {
            return element.getElementsByTagNameNS(namespace, local).getLength();
        }
    }

    /**
     * Reads a predicate.
     *
     * @param text text between the brackets
     * @param namespaces namespace of a prefix; empty for a prefix that is not declared
     * @return empty when the predicate is of another form
     */
    static Optional<Predicate<Element>> of(String text, UnaryOperator<String> namespaces) {
        var names = NAME.matcher(text)
                .results()
                .map(name -> new Name(namespaces.apply(name.group(1)), name.group(2)))
                .toList();
        if (names.isEmpty() || names.stream().anyMatch(name -> name.namespace.isEmpty())) {
            return Optional.empty();
        }
        var first = names.get(0);
        if (HAS.matcher(text).matches()) {
            return Optional.of(element -> first.count(element) > 0);
        }
        if (HAS_NOT.matcher(text).matches()) {
            return Optional.of(element -> first.count(element) == 0);
        }
        if (ONE_OF.matcher(text).matches()) {
            return Optional.of(element -> names.stream().anyMatch(n -> XmlTrees.is(element, n.namespace, n.local)));
        }
        var among = AMONG.matcher(text);
        return among.matches()
                ? Optional.of(among(first, Integer.parseInt(among.group(2)), among.group(3)))
                : Optional.empty();
    }

    private static Predicate<Element> among(Name name, int count, String texts) {
        return element -> {
            var elements = element.getElementsByTagNameNS(name.namespace, name.local);
            return elements.getLength() == count
                    && texts.contains(
                            " " + (count == 0 ? "" : normalized(elements.item(0).getTextContent())) + " ");
        };
    }

    /** A text normalized as XPath does it: other white space than XML's stays. */
    private static String normalized(String text) {
        return SPACES.matcher(text).replaceAll(" ").replaceFirst("^ ", "").replaceFirst(" $", "");
    }
}
