package org.metasched.adapter.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import org.metasched.adapter.DisplayText;

/**
 * Reads the JSON that schedulers print. Lenient where they are known to be sloppy inside a value (leading zeros, odd
 * backslashes, raw control characters, not-a-number), strict where it matters: the whole output is one document, it is not
 * cut short, and no key comes twice.
 */
public final class JsonOutput {

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(60)
                            .maxNumberLength(200)
                            .maxStringLength(4 << 20)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(JsonReadFeature.ALLOW_LEADING_ZEROS_FOR_NUMBERS)
                    .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
                    .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private JsonOutput() {}

    /** The same leniency and strictness token by token, for output that is too long to hold in memory. The stream stays open. */
    public static JsonParser parser(InputStream output) throws IOException {
        return MAPPER.createParser(output).disable(JsonParser.Feature.AUTO_CLOSE_SOURCE);
    }

    /** The exception for an error of {@link #parser}, as {@link #parse} throws it. */
    public static OutputFormatException refusal(JsonProcessingException e) {
        var place = e.getLocation();
        String where = place == null ? "" : "line " + place.getLineNr() + ", column " + place.getColumnNr() + ": ";
        return new OutputFormatException(where + "this is not JSON: " + DisplayText.of(e.getOriginalMessage(), 200), e);
    }

    /**
     * Reads one JSON document.
     *
     * @throws OutputFormatException when the output is not one whole JSON object or array
     */
    public static JsonNode parse(String output) {
        try {
            JsonNode node = MAPPER.readTree(output);
            if (node == null || !node.isContainerNode()) {
                throw new OutputFormatException("expected a JSON document, not (" + DisplayText.of(output) + ")");
            }
            return node;
        } catch (JsonProcessingException e) {
            throw refusal(e);
        }
    }
}
