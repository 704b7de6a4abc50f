package org.metasched.soap;

import jakarta.xml.bind.DatatypeConverter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
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
        return smallest(1, "");
    }

    /** Like {@link #smallestWhole} in Mbit/s, of a value in bit/s; an exact value is rounded up. */
    int smallestMillions() {
        return smallest(1e6, "of Mbit/s ");
    }

    private int smallest(double unit, String words) {
        return XmlTrees.children(element).stream()
                .flatMapToInt(values -> whole(values, unit).stream())
                .min()
                .orElseThrow(() -> new InvalidOfferException("The " + element.getLocalName() + " ("
                        + XmlTrees.descendants(element, "*", "*")
                                .filter(part -> XmlTrees.children(part).isEmpty())
                                .map(XmlTrees::text)
                                .collect(Collectors.joining(" "))
                        + ") must allow a whole number " + words + "from 1 to " + Need.MOST + "."));
    }

    /** The smallest whole number of units that a part of the value allows. */
    private static OptionalInt whole(Element values, double unit) {
        return switch (values.getLocalName()) {
            case "Exact" -> unit == 1 ? exact(values) : whole(number(values) / unit, Need.MOST);
            case "Range" -> whole(from(bound(values, "LowerBound"), unit), upTo(bound(values, "UpperBound"), unit));
            case "LowerBoundedRange" -> whole(from(values, unit), Need.MOST);
            case "UpperBoundedRange" -> whole(1, upTo(values, unit));
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
    private static double from(Element bound, double unit) {
        double value = number(bound) / unit;
        return excludes(bound) ? Math.floor(value) + 1 : Math.ceil(value);
    }

    private static double upTo(Element bound, double unit) {
        double value = number(bound) / unit;
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
