package org.metasched.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;

/** Readers of the fields of a JSON body. They throw {@link IllegalArgumentException} with the key, its value and what was expected. */
final class JsonFields {

    private static final int MOST_TEXTS = 1000;
    private static final Pattern FIT_FOR_XML =
            Pattern.compile("[\\x{9}\\x{A}\\x{D}\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]*");

    private JsonFields() {}

    static Optional<String> text(JsonNode json, String key) {
        return json.has(key) ? Optional.of(valueText(json.get(key), key)) : Optional.empty();
    }

    static Optional<Instant> time(JsonNode json, String key) {
        return text(json, key).map(time -> WireValues.time(time, key));
    }

    static Optional<Duration> duration(JsonNode json, String key) {
        return text(json, key).map(span -> WireValues.duration(span, key));
    }

    static Optional<Integer> number(JsonNode json, String key) {
        var value = json.path(key);
        if (json.has(key) && !(value.canConvertToExactIntegral() && value.canConvertToInt())) {
            throw invalid(key, value, "a whole number of 32 bits");
        }
        return json.has(key) ? Optional.of(value.intValue()) : Optional.empty();
    }

    /** Whether a value is true; false where it is missing. */
    static boolean isTrue(JsonNode json, String key) {
        var value = json.path(key);
        if (json.has(key) && !value.isBoolean()) {
            throw invalid(key, value, "true or false");
        }
        return value.asBoolean();
    }

    private static String valueText(JsonNode value, String key) {
        if (!value.isTextual() || !FIT_FOR_XML.matcher(value.textValue()).matches()) {
            throw invalid(key, value, value.isTextual() ? "a text without control characters" : "a text in quotes");
        }
        return value.textValue();
    }

    private static IllegalArgumentException invalid(String key, JsonNode value, String expected) {
        return new IllegalArgumentException(
                "The " + key + " (" + DisplayText.of(value.toString()) + ") must be " + expected + ".");
    }

    static List<String> texts(JsonNode json, String key) {
        return list(json, key, MOST_TEXTS).stream()
                .map(value -> valueText(value, key))
                .toList();
    }

    /** The elements of a list; none where it is missing. */
    static List<JsonNode> list(JsonNode json, String key, int most) {
        var list = json.path(key);
        if (json.has(key) && (!list.isArray() || list.size() > most)) {
            throw new IllegalArgumentException("The " + key + " must be a list of at most " + most + " elements.");
        }
        List<JsonNode> all = new ArrayList<>();
        list.forEach(all::add);
        return all;
    }

    /** The same JSON, checked to be an object with no other keys. */
    static JsonNode object(JsonNode json, Set<String> keys, String what) {
        if (!json.isObject()) {
            throw invalid(what, json, "an object");
        }
        return checkKeys(json, keys, what);
    }

    /** The same object, checked to have no other keys. */
    static JsonNode checkKeys(JsonNode json, Set<String> keys, String what) {
        json.fieldNames().forEachRemaining(key -> {
            if (!keys.contains(key)) {
                throw unknown("key of a " + what, key, String.join(", ", new TreeSet<>(keys)));
            }
        });
        return json;
    }

    static IllegalArgumentException unknown(String what, String value, String expected) {
        return new IllegalArgumentException(
                "The " + what + " (" + DisplayText.of(value) + ") is not known; expected " + expected + ".");
    }
}
