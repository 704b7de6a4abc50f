package org.metasched.simulation.scenario;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.metasched.adapter.Settings;

/** Numbers as people write them into a scenario. Each reader throws {@link NumberFormatException} for any other text. */
final class ScenarioNumbers {

    private static final Pattern LENGTH = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)\\s*([smhd])");
    /** Seconds by the letter of their unit. */
    private static final Map<String, Integer> UNITS = Map.of("s", 1, "m", 60, "h", 3600, "d", 86_400);

    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

    private ScenarioNumbers() {}

    /** Seconds of a length such as {@code 90s}, {@code 2h} or {@code PT2H}. */
    static double seconds(String text) {
        var length = LENGTH.matcher(text);
        if (length.matches()) {
            return Double.parseDouble(length.group(1)) * UNITS.getOrDefault(length.group(2), 1);
        }
        try {
            return Duration.parse(text).toSeconds();
        } catch (DateTimeParseException e) {
            throw new NumberFormatException(text);
        }
    }

    /** A decimal number from 0, without an exponent. */
    static double number(String text) {
        if (!NUMBER.matcher(text).matches()) {
            throw new NumberFormatException(text);
        }
        return Double.parseDouble(text);
    }

    /**
     * The number of a setting; empty if the setting is missing.
     *
     * @param least smallest number allowed
     * @param most greatest number allowed
     */
    static Optional<Double> number(Settings settings, String key, double least, double most) {
        var text = settings.text(key);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            double value = number(text.get());
            if (value >= least && value <= most) {
                return Optional.of(value);
            }
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw settings.invalid(
                key, "expected a number from " + shown(least) + " to " + shown(most) + ", not (" + text.get() + ")");
    }

    private static String shown(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }
}
