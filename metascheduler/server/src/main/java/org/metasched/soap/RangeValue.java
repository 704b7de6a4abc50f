package org.metasched.soap;

import jakarta.xml.bind.DatatypeConverter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.metasched.adapter.Need;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/**
 * A {@code jsdl:RangeValue}: a number matches when it satisfies any of its parts. The smallest whole number that matches is promised, as no more
 * was asked for.
 */
record RangeValue(Element element) {

    /** The value of that name in {@code jsdl:Resources}, if it is there. */
    static Optional<RangeValue> in(Element resources, String name) {
        return XmlTrees.child(resources, XmlNames.JSDL, name).map(RangeValue::new);
    }

    /** @throws InvalidOfferException when no whole number from 1 to {@value Need#MOST} matches */
    int smallestWhole() {
        return XmlTrees.children(element).stream()
                .flatMapToInt(values -> whole(values).stream())
                .min()
                .orElseThrow(() -> new InvalidOfferException("The " + element.getLocalName() + " ("
                        + element.getTextContent().strip().replaceAll("\\s+", " ")
                        + ") must allow a whole number from 1 to "
                        + Need.MOST + "."));
    }

    /** The smallest exact value or lower bound in units of a million, rounded up: bit/s to Mbit/s. */
    int smallestMillions() {
        return Stream.of(
                        XmlTrees.children(element, XmlNames.JSDL, "Exact"),
                        XmlTrees.children(element, XmlNames.JSDL, "LowerBoundedRange"),
                        XmlTrees.children(element, XmlNames.JSDL, "Range")
                                .flatMap(r -> XmlTrees.children(r, XmlNames.JSDL, "LowerBound")))
                .flatMap(s -> s)
                .mapToDouble(RangeValue::number)
                .map(v -> Math.ceil(v / 1e6))
                .filter(v -> v >= 1 && v <= Need.MOST)
                .mapToInt(v -> (int) v)
                .min()
                .orElseThrow(() -> new InvalidOfferException(
                        "The " + element.getLocalName() + " must name at least one value from 1 Mbit/s up, in bit/s."));
    }

    /** The smallest whole number that a part of the value allows. */
    private static OptionalInt whole(Element values) {
        return switch (values.getLocalName()) {
            case "Exact" -> exact(values);
            case "Range" -> whole(from(bound(values, "LowerBound")), upTo(bound(values, "UpperBound")));
            case "LowerBoundedRange" -> whole(from(values), Need.MOST);
            case "UpperBoundedRange" -> whole(1, upTo(values));
            default -> OptionalInt.empty();
        };
    }

    private static OptionalInt exact(Element exact) {
        String epsilon = exact.getAttribute("epsilon").strip();
        double tolerance = epsilon.isEmpty() ? 0 : DatatypeConverter.parseDouble(epsilon);
        double value = number(exact);
        return value == Math.rint(value) ? whole(value, value) : whole(value - tolerance, value + tolerance);
    }

    private static Element bound(Element range, String name) {
        return XmlTrees.child(range, XmlNames.JSDL, name).orElseThrow();
    }

    /** The smallest whole number from 1 in a closed interval. */
    private static OptionalInt whole(double least, double most) {
        double smallest = Math.max(1, Math.ceil(least));
        return smallest <= most && smallest <= Need.MOST ? OptionalInt.of((int) smallest) : OptionalInt.empty();
    }

    /** The smallest whole number that a lower bound allows. */
    private static double from(Element bound) {
        double value = number(bound);
        return excludes(bound) ? Math.floor(value) + 1 : Math.ceil(value);
    }

    private static double upTo(Element bound) {
        double value = number(bound);
        return excludes(bound) ? Math.ceil(value) - 1 : Math.floor(value);
    }

    private static boolean excludes(Element bound) {
        return bound.hasAttribute("exclusiveBound")
                && DatatypeConverter.parseBoolean(bound.getAttribute("exclusiveBound"));
    }

    static double number(Element element) {
        return DatatypeConverter.parseDouble(element.getTextContent());
    }
}
