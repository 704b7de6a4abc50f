package org.metasched.submit;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Numbers and truth values as a submit description may write them. */
final class SubmitNumbers {

    private static final Pattern BYTES =
            Pattern.compile("\\s*([-+]?\\d*)(?:\\.(\\d{0,3})\\d*)?\\s*([a-zA-Z]?)([bB]?)\\s*");

    private SubmitNumbers() {}

    /** A whole number: its digits, or an expression with such a value. */
    static Optional<Long> integer(String text) {
        try {
            return Optional.of(Long.parseLong(text.strip()));
        } catch (NumberFormatException e) {
            return SubmitExpressions.number(text).map(Double::longValue);
        }
    }

    static Optional<Double> real(String text) {
        try {
            return Optional.of(Double.parseDouble(text.strip()));
        } catch (NumberFormatException e) {
            return SubmitExpressions.number(text);
        }
    }

    /** true, yes, t, 1, or false, no, f, 0, ignoring case. */
    static Optional<Boolean> truth(String text) {
        return switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "t", "1" -> Optional.of(true);
            case "false", "no", "f", "0" -> Optional.of(false);
            default ->
                SubmitExpressions.value(text)
                        .filter(value -> value.equals("true") || value.equals("false"))
                        .map(Boolean::parseBoolean);
        };
    }

    /**
     * An amount of bytes like {@code 2.5G}, rounded up to units of {@code base} bytes. Without a letter the number is in such units.
     * A fraction counts to three places.
     */
    static Optional<Long> bytes(String text, long base) {
        Matcher amount = BYTES.matcher(text);
        if (!amount.matches()
                || (amount.group(1).isEmpty()
                        && (amount.group(2) == null || amount.group(2).isEmpty()))) {
            return Optional.empty();
        }
        int power = " KMGTP".indexOf(amount.group(3).toUpperCase(Locale.ROOT));
        boolean bare = amount.group(3).isEmpty();
        if (!bare && power < 1) {
            // A lone B means bytes.
            if (!amount.group(3).equalsIgnoreCase("b") || !amount.group(4).isEmpty()) {
                return Optional.empty();
            }
            power = 0;
        }
        double unit = bare ? (amount.group(4).isEmpty() ? base : 1) : Math.pow(1024, power);
        String digits = amount.group(1).matches("[-+]?") ? "0" : amount.group(1);
        String places = amount.group(2) == null ? "" : amount.group(2);
        double number = Double.parseDouble(digits + "." + places);
        return Optional.of((long) ((number * unit + base - 1) / base));
    }
}
