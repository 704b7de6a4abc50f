package org.metasched.soap;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.agreement.Compensation;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/** Reads guarantee terms (WS-Agreement 1.0, section 4.2.7); what their expressions mean is for the service to judge. */
final class GuaranteeReader {

    /** The promise that needs no expression: that the reserved resources are there during the slot, whole. */
    static final String KEPT = "ReservationKept";

    private static final int LONGEST_EXPRESSION = 4_096;

    private GuaranteeReader() {}

    /** @param terms a valid {@code wsag:Terms} element */
    static List<GuaranteeTerm> read(Element terms) {
        var variables = new OfferVariables(terms);
        return XmlTrees.descendants(terms, XmlNames.WSAG, "GuaranteeTerm")
                .map(term -> guarantee(term, variables))
                .toList();
    }

    private static GuaranteeTerm guarantee(Element term, OfferVariables variables) {
        var name = term.getAttributeNS(XmlNames.WSAG, "Name");
        var scope = checkedScope(name, term);
        var values = XmlTrees.child(term, XmlNames.WSAG, "BusinessValueList").orElseThrow();
        if (XmlTrees.child(values, XmlNames.WSAG, "CustomBusinessValue").isPresent()) {
            throw new InvalidOfferException(
                    "Guarantee term " + name + ": a CustomBusinessValue has no meaning here; Penalty and Reward have.");
        }
        var compensations = new ArrayList<Compensation>();
        XmlTrees.children(values, XmlNames.WSAG, "Penalty")
                .forEach(e -> compensations.add(compensation(name, Compensation.Kind.PENALTY, e, variables)));
        XmlTrees.children(values, XmlNames.WSAG, "Reward")
                .forEach(e -> compensations.add(compensation(name, Compensation.Kind.REWARD, e, variables)));
        return new GuaranteeTerm(
                name,
                scope,
                XmlTrees.child(term, XmlNames.WSAG, "QualifyingCondition").map(c -> expression(name, c, variables)),
                objective(
                        name,
                        XmlTrees.child(term, XmlNames.WSAG, "ServiceLevelObjective")
                                .orElseThrow(),
                        variables),
                compensations);
    }

    /** Names of the services in the scope of a guarantee term; none means all. */
    static List<String> scope(Element term) {
        return XmlTrees.children(term, XmlNames.WSAG, "ServiceScope")
                .map(s -> s.getAttributeNS(XmlNames.WSAG, "ServiceName"))
                .toList();
    }

    private static List<String> checkedScope(String name, Element term) {
        var services = ServiceReferences.services(term.getOwnerDocument().getDocumentElement());
        var scope = scope(term);
        for (var service : scope) {
            if (!services.contains(service)) {
                throw new InvalidOfferException("Guarantee term " + name + ": the ServiceScope (" + service
                        + ") names no service of the offer; it has " + services + ".");
            }
        }
        if (XmlTrees.children(term, XmlNames.WSAG, "ServiceScope")
                .anyMatch(s -> !XmlTrees.children(s).isEmpty())) {
            throw new InvalidOfferException("Guarantee term " + name
                    + ": the content of a ServiceScope has no meaning here; a promise covers whole services.");
        }
        return scope;
    }

    private static Optional<String> objective(String name, Element objective, OfferVariables variables) {
        var target = XmlTrees.child(objective, XmlNames.WSAG, "KPITarget");
        if (target.flatMap(t -> XmlTrees.childText(t, XmlNames.WSAG, "KPIName")).equals(Optional.of(KEPT))) {
            return Optional.empty();
        }
        return Optional.of(expression(
                name,
                XmlTrees.child(target.orElse(objective), XmlNames.WSAG, "CustomServiceLevel")
                        .orElseThrow(),
                variables));
    }

    private static Compensation compensation(
            String name, Compensation.Kind kind, Element element, OfferVariables variables) {
        var interval =
                XmlTrees.child(element, XmlNames.WSAG, "AssessmentInterval").orElseThrow();
        return new Compensation(
                kind,
                XmlTrees.childText(interval, XmlNames.WSAG, "TimeInterval").map(t -> duration(name, t)),
                XmlTrees.childText(interval, XmlNames.WSAG, "Count")
                        .map(c -> count(name, c))
                        .orElse(0),
                XmlTrees.childText(element, XmlNames.WSAG, "ValueUnit").orElse(""),
                expression(
                        name,
                        XmlTrees.child(element, XmlNames.WSAG, "ValueExpression")
                                .orElseThrow(),
                        variables));
    }

    private static Duration duration(String name, String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeException e) {
            throw new InvalidOfferException("Guarantee term " + name + ": the TimeInterval (" + text
                    + ") must be in days, hours, minutes and seconds, such as PT5M.");
        }
    }

    private static int count(String name, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new InvalidOfferException(
                    "Guarantee term " + name + ": the Count (" + text + ") must be at most " + Integer.MAX_VALUE + ".");
        }
    }

    private static String expression(String name, Element element, OfferVariables variables) {
        var text = element.getTextContent().strip();
        if (!XmlTrees.children(element).isEmpty() || text.isEmpty() || text.length() > LONGEST_EXPRESSION) {
            throw new InvalidOfferException("Guarantee term " + name + ": " + element.getLocalName()
                    + " must hold a ClassAd expression of 1 to " + LONGEST_EXPRESSION + " characters, as text.");
        }
        return variables.in(text);
    }
}
