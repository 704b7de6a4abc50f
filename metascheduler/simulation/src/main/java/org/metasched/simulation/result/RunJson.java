package org.metasched.simulation.result;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;

/** JSON as runs write and read it: numbers with at most six decimals, which look the same on every JDK. */
public final class RunJson {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private RunJson() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Puts a number with at most six decimals; null if it is not finite, as the mean of nothing. */
    public static void put(ObjectNode target, String key, double value) {
        if (Double.isFinite(value)) {
            target.put(key, decimal(value));
        } else {
            target.putNull(key);
        }
    }

    /** Puts the mean under the key, and half the width of its 95 % confidence interval under the key with {@code Ci} appended. */
    static void put(ObjectNode target, String key, ConfidenceEstimate estimate) {
        put(target, key, estimate.mean());
        put(target, key + "Ci", estimate.halfWidth());
    }

    /** A finite number with at most six decimals. */
    static BigDecimal decimal(double value) {
        var rounded = new BigDecimal(value).setScale(6, RoundingMode.HALF_EVEN).stripTrailingZeros();
        return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
    }

    public static String text(JsonNode node) {
        try {
            return MAPPER.writeValueAsString(node) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The result cannot be written as JSON.", e);
        }
    }

    /**
     * Reads a file.
     *
     * @throws IOException when the file cannot be read or is not JSON; the message names it
     */
    public static JsonNode read(Path file) throws IOException {
        try {
            return MAPPER.readTree(Files.readString(file));
        } catch (JsonProcessingException e) {
            throw new IOException(file + ":" + e.getLocation().getLineNr() + ":"
                    + e.getLocation().getColumnNr() + ": this is not JSON: " + e.getOriginalMessage());
        }
    }
}
