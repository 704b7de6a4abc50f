package org.metasched.simulation.scenario;

import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.metasched.adapter.Settings;

/**
 * A random amount: one of several equally likely values, or log-uniform between two ends (uniform if the lower end is 0), as sizes and
 * lengths of parallel jobs nearly are. Written {@code 8}, {@code [8, 16, 32]} or {@code 8..32}.
 *
 * @param values the choices, or both ends
 * @param isRange whether the values are the ends of a range
 */
public record RandomAmount(List<Double> values, boolean isRange) {

    public RandomAmount {
        values = List.copyOf(values);
        if (values.isEmpty() || (isRange && (values.size() != 2 || values.get(0) > values.get(1)))) {
            throw new IllegalArgumentException(
                    "A random amount needs one value or more, or two ends in order, not " + values + ".");
        }
    }

    public static RandomAmount of(double value) {
        return new RandomAmount(List.of(value), false);
    }

    /** Draws an amount, the same on every machine: by {@link StrictMath} and one number of the generator. */
    public double draw(Random random) {
        double chance = random.nextDouble();
        if (!isRange) {
            return values.get((int) (chance * values.size()));
        }
        double low = values.get(0);
        double high = values.get(1);
        if (low <= 0) {
            return low + chance * (high - low);
        }
        double ratio = StrictMath.log(high / low);
        return Math.min(high, low * StrictMath.exp(chance * ratio));
    }

    /**
     * Reads a setting.
     *
     * @param expected words for one value, for the message of an error
     * @param unit reads one value; throws {@link IllegalArgumentException} when it cannot
     */
    static RandomAmount read(Settings settings, String key, String expected, ToDoubleFunction<String> unit) {
        var texts = settings.texts(key);
        if (texts.isEmpty()) {
            // Refuses a missing setting.
            settings.requiredText(key);
        }
        boolean isRange = texts.size() == 1 && texts.get(0).contains("..");
        var parts = isRange ? List.of(texts.get(0).split("\\.\\.", 2)) : texts;
        try {
            return new RandomAmount(
                    parts.stream().map(text -> unit.applyAsDouble(text.strip())).toList(), isRange);
        } catch (IllegalArgumentException e) {
            throw settings.invalid(
                    key, "expected " + expected + ", a list of them, or a range such as A..B, not " + texts);
        }
    }
}
