package org.metasched.soap;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.xpath.XPathExpressionException;
import org.metasched.adapter.DisplayText;
import org.metasched.agreement.guarantee.ServiceLevels;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * The initiator's own names in its guarantees: variables of the service properties (GFD.192, 4.2.6). As an offer does not change, each name is
 * replaced by the value at its location, which is read once; a location of a service's state becomes {@code ServiceState("TERM")}. The first
 * definition of a name counts; the value of a variable that no expression uses is not read. Not thread-safe.
 */
final class OfferVariables {

    private static final Pattern WORD =
            Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|'(?:[^'\\\\]|\\\\.)*+'|(?<![\\w.])[A-Za-z_]\\w*+(?!\\s*\\()");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}(?:\\.\\d{1,18})?");

    /** The most variables that the expressions of an offer may use: each may be a long search in the offer. */
    private static final int MOST_USED = 64;
    /** The most characters of a value, and of an expression with its values. */
    private static final int LONGEST = 16_384;

    private final Map<String, Element> variables = new HashMap<>();
    private final Map<Element, String> values = new HashMap<>();
    private final Document offer;
    /** Names of the terms that have a state. */
    private final List<String> services;

    /** @param terms a valid {@code wsag:Terms} element in an offer */
    OfferVariables(Element terms) {
        offer = terms.getOwnerDocument();
        services = Stream.of("ServiceDescriptionTerm", "ServiceReference")
                .flatMap(kind -> XmlTrees.descendants(terms, XmlNames.WSAG, kind))
                .map(term -> term.getAttributeNS(XmlNames.WSAG, "Name"))
                .distinct()
                .toList();
        XmlTrees.descendants(terms, XmlNames.WSAG, "Variable").forEach(variable -> {
            var name = variable.getAttributeNS(XmlNames.WSAG, "Name");
            if (ServiceLevels.FACTS.stream().anyMatch(name::equalsIgnoreCase)) {
                throw new InvalidOfferException("Variable " + name
                        + ": expressions know a fact of this name, which would be meant; choose another name.");
            }
            variables.putIfAbsent(name.toLowerCase(Locale.ROOT), variable);
        });
    }

    /** An expression in which the names of variables are replaced by their values. */
    String substituted(String expression) {
        var result = WORD.matcher(expression).replaceAll(word -> {
            var variable = variables.get(word.group().toLowerCase(Locale.ROOT));
            return Matcher.quoteReplacement(
                    variable == null ? word.group() : values.computeIfAbsent(variable, this::value));
        });
        if (result.length() > LONGEST) {
            throw new InvalidOfferException("The expression (" + DisplayText.of(expression) + ") has " + result.length()
                    + " characters with the values of its variables; at most " + LONGEST + " are allowed.");
        }
        ServiceLevels.SERVICE_STATE
                .matcher(result)
                .results()
                .map(ServiceLevels::termIn)
                .forEach(term -> {
                    if (!services.contains(term)) {
                        throw new InvalidOfferException("ServiceState(\"" + term
                                + "\"): the offer has no such service term; it has " + services + ".");
                    }
                });
        return result;
    }

    private String value(Element variable) {
        if (values.size() == MOST_USED) {
            throw new InvalidOfferException("The expressions use more than " + MOST_USED + " variables.");
        }
        var name = variable.getAttributeNS(XmlNames.WSAG, "Name");
        var place = XmlTrees.child(variable, XmlNames.WSAG, "Location").orElseThrow();
        try {
            PathCost.checkForm(place.getTextContent().strip());
            var path = LocationPath.of(place);
            var state = path.serviceState(services);
            if (state.isPresent()) {
                return "ServiceState(" + quoted(state.get()) + ")";
            }
            PathCost.check(path.toString(), offer);
            var nodes = path.select(offer);
            if (nodes.size() != 1) {
                throw new IllegalArgumentException("it leads to " + nodes.size() + " nodes of the offer, not to one");
            }
            var text = nodes.get(0).getTextContent().strip();
            if (text.length() > LONGEST) {
                throw new IllegalArgumentException(
                        "its value has " + text.length() + " characters; at most " + LONGEST + " are allowed");
            }
            if (NUMBER.matcher(text).matches() || text.equals("true") || text.equals("false")) {
                return "(" + text + ")";
            }
            return quoted(text.replaceAll("\\s", " "));
        } catch (XPathExpressionException | IllegalArgumentException e) {
            throw new InvalidOfferException("Variable " + name + ": its Location ("
                    + place.getTextContent().strip() + "): " + e.getMessage() + ".");
        }
    }

    /** A text as a literal of an expression. */
    static String quoted(String value) {
        return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
