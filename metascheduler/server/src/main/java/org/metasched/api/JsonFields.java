package org.metasched.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Fields of a body in JSON, each checked; errors name the key, its value and what was expected. */
final class JsonFields {

    private static final int MOST_WORDS = 1000;

    private JsonFields() {}

    static Optional<String> text(JsonNode json, String key) {
        return json.has(key) ? Optional.of(WireValues.text(json.get(key), key)) : Optional.empty();
    }

    static Optional<Integer> number(JsonNode json, String key) {
        return json.has(key) ? Optional.of(WireValues.number(json.get(key), key)) : Optional.empty();
    }

    static List<String> texts(JsonNode json, String key) {
        return list(json, key, MOST_WORDS).stream()
                .map(text -> WireValues.text(text, key))
                .toList();
    }

    static List<JsonNode> list(JsonNode json, String key, int most) {
        var list = json.path(key);
        if (json.has(key) && (!list.isArray() || list.size() > most)) {
            throw new IllegalArgumentException("The " + key + " must be a list of at most " + most + ".");
        }
        List<JsonNode> all = new ArrayList<>();
        list.forEach(all::add);
        return all;
    }

    static JsonNode object(JsonNode json, Set<String> keys, String what) {
        if (!json.isObject()) {
            throw new IllegalArgumentException(
                    "The " + what + " (" + WireValues.shown(json.toString()) + ") must be an object.");
        }
        return only(json, keys, what);
    }

    static JsonNode only(JsonNode json, Set<String> keys, String what) {
        json.fieldNames().forEachRemaining(key -> {
            if (!keys.contains(key)) {
                throw unknown("key of a " + what, key, String.join(", ", new TreeSet<>(keys)));
            }
        });
        return json;
    }

    static IllegalArgumentException unknown(String what, String value, String expected) {
        return new IllegalArgumentException(
                "The " + what + " (" + WireValues.shown(value) + ") is not known; expected " + expected + ".");
    }
}
