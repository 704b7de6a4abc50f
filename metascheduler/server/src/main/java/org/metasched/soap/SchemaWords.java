package org.metasched.soap;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.text.NearestKey;

/**
 * Messages of the schema processor in words for people: the value in brackets and the expected form. Each of its messages begins with the name of
 * a rule of XML Schema, such as {@code cvc-pattern-valid}. A message about a rule that is not known here only loses that name.
 */
final class SchemaWords {

    /** The most values of an enumeration that are shown. */
    private static final int MOST_SHOWN = 20;

    static final Pattern GENERAL = Pattern.compile("cvc-(type\\.3\\.1\\.3|attribute\\.3|complex-type\\.2\\.2):");

    private static final List<Rule> RULES = List.of(
            rule(
                    "enumeration-valid: Value '(.*)' is not .* enumeration '\\[(.*)\\]'.*",
                    m -> oneOf(m.group(1), List.of(m.group(2).split(", ", -1)))),
            rule("pattern-valid: Value '(.*)' is not .* pattern '(.*?)'.*", m -> matching(m.group(1), m.group(2))),
            bound("minInclusive", "at least"),
            bound("maxInclusive", "at most"),
            bound("minExclusive", "greater than"),
            bound("maxExclusive", "less than"),
            rule(
                    "datatype-valid[.0-9]*: '(.*)' is not a valid value for '(.*)'.*",
                    m -> value(m.group(1)) + " must be of the type " + m.group(2) + "."),
            rule(
                    "complex-type.2.4.[adeh]: .*starting with element '(.*?)'\\. One of '\\{(.*)\\}' is expected.*",
                    m -> "the element " + local(m.group(1)) + " is not allowed here; expected is one of "
                            + locals(m.group(2)) + "."),
            rule(
                    "complex-type.2.4.d: .*starting with element '(.*?)'\\. No child.*",
                    m -> "the element " + local(m.group(1)) + " is not allowed here; nothing more is expected."),
            rule(
                    "complex-type.2.4.b: .* One of '\\{(.*)\\}' is expected.*",
                    m -> "it is not complete; missing is one of " + locals(m.group(1)) + "."),
            rule(
                    "complex-type.2.4.c: .*for element '(.*)'.*",
                    m -> "the element " + m.group(1) + " is not known here."),
            rule(
                    "complex-type.3.2.2: Attribute '(.*)' is not allowed.*",
                    m -> "the attribute " + m.group(1) + " is not allowed here."
                            + (m.group(1).contains(":")
                                    ? ""
                                    : "\nMaybe its prefix is missing: attributes of WS-Agreement are written wsag:"
                                            + m.group(1) + ".")),
            rule("complex-type.4: Attribute '(.*)' must appear.*", m -> "the attribute " + m.group(1) + " is missing."),
            rule(
                    "elt.1(?:.a)?: Cannot find the declaration of element '(.*)'.*",
                    m -> "the element " + m.group(1) + " is not known here."));

    private SchemaWords() {}

    /** A form of messages of the processor, and the words for it. */
    private record Rule(Pattern pattern, Function<MatchResult, String> words) {}

    /** A message of the processor in words for people. */
    static String of(String message) {
        for (var rule : RULES) {
            var matcher = rule.pattern.matcher(message);
            if (matcher.matches()) {
                return rule.words.apply(matcher.toMatchResult());
            }
        }
        return message.replaceFirst("^(cvc|src|cos)[-.\\w]*: ", "");
    }

    /** The processor writes names as {@code "namespace":local}. */
    private static String local(String name) {
        return name.replaceAll("^\\{?\".*\":", "").replace("}", "");
    }

    private static List<String> locals(String names) {
        return Arrays.stream(names.split(", ", -1))
                .map(SchemaWords::local)
                .distinct()
                .limit(MOST_SHOWN)
                .toList();
    }

    private static Rule rule(String message, Function<MatchResult, String> words) {
        return new Rule(Pattern.compile("cvc-" + message, Pattern.DOTALL), words);
    }

    private static Rule bound(String facet, String words) {
        return rule(
                facet + "-valid: Value '(.*)' is not .* " + facet + " '(.*?)'.*",
                m -> value(m.group(1)) + " must be " + words + " " + plainly(m.group(2)) + ".");
    }

    private static String oneOf(String value, List<String> allowed) {
        String rest = allowed.size() > MOST_SHOWN ? " or " + (allowed.size() - MOST_SHOWN) + " others" : "";
        String meant = NearestKey.of(value, allowed)
                .map(nearest -> "\nMaybe '" + nearest + "' was meant.")
                .orElse("");
        return value(value) + " must be one of "
                + allowed.stream().limit(MOST_SHOWN).toList() + rest + "." + meant;
    }

    private static String matching(String value, String pattern) {
        return value(value) + " must match " + pattern + "."
                + (isWithoutZone(value) ? "\nMaybe its time zone is missing; " + value + "Z is UTC." : "");
    }

    private static boolean isWithoutZone(String value) {
        try {
            LocalDateTime.parse(value);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static String value(String value) {
        return "the value (" + DisplayText.of(value) + ")";
    }

    /** The processor writes the bound of a double as 1.0E7. */
    private static String plainly(String bound) {
        try {
            var number = new BigDecimal(bound);
            return Math.abs(number.scale()) > 20
                    ? bound
                    : number.stripTrailingZeros().toPlainString();
        } catch (NumberFormatException e) {
            return bound;
        }
    }
}
