package org.metasched.soap;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.agreement.Compensation;
import org.metasched.agreement.Compensation.Kind;
import org.metasched.agreement.GuaranteeTerm;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * Reader of a guarantee term (WS-Agreement 1.0, section 4.2.7). Its expressions are checked when the agreement is made.
 *
 * @param name name of the term
 */
record GuaranteeReader(String name, OfferVariables variables) {

    /** Name of the objective that needs no expression: all reserved resources are there during the whole slot. */
    static final String KEPT = "ReservationKept";

    private static final int LONGEST_EXPRESSION = 4_096;

    /** @param terms a valid {@code wsag:Terms} element */
    static List<GuaranteeTerm> read(Element terms) {
        var variables = new OfferVariables(terms);
        return XmlTrees.descendants(terms, XmlNames.WSAG, "GuaranteeTerm")
                .map(term -> new GuaranteeReader(term.getAttributeNS(XmlNames.WSAG, "Name"), variables).guarantee(term))
                .toList();
    }

    private GuaranteeTerm guarantee(Element term) {
        var scope = checkedScope(term);
        var values = XmlTrees.child(term, XmlNames.WSAG, "BusinessValueList").orElseThrow();
        if (XmlTrees.child(values, XmlNames.WSAG, "CustomBusinessValue").isPresent()) {
            throw invalid("a CustomBusinessValue has no meaning here; Penalty and Reward have.");
        }
        var condition =
                XmlTrees.child(term, XmlNames.WSAG, "QualifyingCondition").map(this::expression);
        var objective = objective(
                XmlTrees.child(term, XmlNames.WSAG, "ServiceLevelObjective").orElseThrow());
        var penalties = XmlTrees.children(values, XmlNames.WSAG, "Penalty").map(e -> compensation(Kind.PENALTY, e));
        var rewards = XmlTrees.children(values, XmlNames.WSAG, "Reward").map(e -> compensation(Kind.REWARD, e));
        var compensations = Stream.concat(penalties, rewards).toList();
        return new GuaranteeTerm(name, scope, condition, objective, compensations);
    }

    /** Names of the services in the scope of a guarantee term; none means all. */
    static List<String> scope(Element term) {
        return XmlTrees.children(term, XmlNames.WSAG, "ServiceScope")
                .map(s -> s.getAttributeNS(XmlNames.WSAG, "ServiceName"))
                .toList();
    }

    private List<String> checkedScope(Element term) {
        var services = ServiceReferences.services(term.getOwnerDocument().getDocumentElement());
        var scope = scope(term);
        for (var service : scope) {
            if (!services.contains(service)) {
                throw invalid(
                        "the ServiceScope (" + service + ") names no service of the offer; it has " + services + ".");
            }
        }
        if (XmlTrees.children(term, XmlNames.WSAG, "ServiceScope")
                .anyMatch(s -> !XmlTrees.children(s).isEmpty())) {
            throw invalid("the content of a ServiceScope has no meaning here; a promise covers whole services.");
        }
        return scope;
    }

    /** The expression of an objective; empty for {@link #KEPT}, which needs none. */
    private Optional<String> objective(Element objective) {
        var target = XmlTrees.child(objective, XmlNames.WSAG, "KPITarget");
        return target.flatMap(t -> XmlTrees.childText(t, XmlNames.WSAG, "KPIName"))
                        .equals(Optional.of(KEPT))
                ? Optional.empty()
                : Optional.of(expression(target.orElse(objective), "CustomServiceLevel"));
    }

    private Compensation compensation(Kind kind, Element element) {
        var interval =
                XmlTrees.child(element, XmlNames.WSAG, "AssessmentInterval").orElseThrow();
        var time = XmlTrees.childText(interval, XmlNames.WSAG, "TimeInterval");
        var count = XmlTrees.childText(interval, XmlNames.WSAG, "Count");
        var unit = XmlTrees.childText(element, XmlNames.WSAG, "ValueUnit").orElse("");
        var value = expression(element, "ValueExpression");
        try {
            return new Compensation(
                    kind,
                    time.map(Duration::parse),
                    count.map(Integer::parseInt).orElse(0),
                    unit,
                    value);
        } catch (DateTimeException | IllegalArgumentException e) {
            throw invalid("the AssessmentInterval (" + time.or(() -> count).orElse("")
                    + ") must be a TimeInterval of at least a second, in days, hours, minutes and seconds such as PT5M,"
                    + " or a Count from 1 to " + Integer.MAX_VALUE + ".");
        }
    }

    private String expression(Element parent, String child) {
        return expression(XmlTrees.child(parent, XmlNames.WSAG, child).orElseThrow());
    }

    private String expression(Element element) {
        var text = element.getTextContent().strip();
        if (!XmlTrees.children(element).isEmpty() || text.isEmpty() || text.length() > LONGEST_EXPRESSION) {
            throw invalid(element.getLocalName() + " must hold a ClassAd expression of 1 to " + LONGEST_EXPRESSION
                    + " characters, as text.");
        }
        return variables.substituted(text);
    }

    private InvalidOfferException invalid(String why) {
        return new InvalidOfferException("Guarantee term " + name + ": " + why);
    }
}
