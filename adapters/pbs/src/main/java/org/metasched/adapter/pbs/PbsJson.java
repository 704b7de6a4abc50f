package org.metasched.adapter.pbs;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.metasched.adapter.command.JsonOutput;
import org.metasched.adapter.command.NamedFields;
import org.metasched.adapter.command.OutputFormatException;
import org.metasched.adapter.command.RecordStream;

/** Reads the JSON of {@code pbsnodes} and {@code qstat} object by object, so that memory holds only the values that are kept. */
final class PbsJson {

    private PbsJson() {}

    /**
     * The objects under one key, nested keys joined by dots and arrays by commas, as the text form has them.
     *
     * @param wanted names to read; the name of a nested object ends with a dot
     */
    static <T> List<T> read(RecordStream stream, String key, Predicate<String> wanted, Function<NamedFields, T> reader)
            throws IOException {
        var all = new ArrayList<T>();
        boolean hasTimestamp = false;
        try (JsonParser json = JsonOutput.parser(stream)) {
            expect(json.nextToken() == JsonToken.START_OBJECT, key);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                hasTimestamp |= name.equals("timestamp");
                if (name.equals(key)) {
                    expect(value == JsonToken.START_OBJECT, key);
                    while (json.nextToken() == JsonToken.FIELD_NAME) {
                        Map<String, String> values = new LinkedHashMap<>(Map.of("id", json.currentName()));
                        expect(json.nextToken() == JsonToken.START_OBJECT, key);
                        flatten("", json, wanted, values);
                        all.add(reader.apply(new NamedFields(values, all.size() + 1)));
                        stream.nextRecord();
                    }
                } else {
                    json.skipChildren();
                }
            }
            expect(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null && hasTimestamp, key);
            return all;
        } catch (JsonProcessingException e) {
            throw JsonOutput.refusal(e);
        }
    }

    private static void flatten(String prefix, JsonParser json, Predicate<String> wanted, Map<String, String> values)
            throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = prefix + json.currentName();
            JsonToken value = json.nextToken();
            if (value == JsonToken.START_OBJECT && wanted.test(name + ".")) {
                flatten(name + ".", json, wanted, values);
            } else if (value == JsonToken.START_ARRAY && wanted.test(name)) {
                values.putIfAbsent(name, items(json));
            } else if (value.isScalarValue() && wanted.test(name)) {
                values.putIfAbsent(name, json.getText());
            } else {
                json.skipChildren();
            }
        }
    }

    private static String items(JsonParser json) throws IOException {
        var items = new ArrayList<String>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            items.add(json.getText());
            json.skipChildren();
        }
        return String.join(", ", items);
    }

    private static void expect(boolean asExpected, String key) {
        OutputFormatException.throwIf(!asExpected, "expected one whole object with a timestamp and %s", key);
    }
}
