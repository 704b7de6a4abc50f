package org.metasched.adapter.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.LocalSchedulerException.Unreadable;
import org.metasched.adapter.SiteId;

/**
 * Calls of a REST scheduler: one POST of JSON for each operation. A call is sent once more after a broken connection, as any operation may be
 * repeated. Answers have a maximum size, redirects are not followed, and the name of an error selects an exception. Thread-safe.
 */
record RestCalls(SiteId site, RestAccess access) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    static ObjectNode newMessage() {
        return JSON.createObjectNode();
    }

    /**
     * Calls an operation.
     *
     * @throws Unreadable when the answer is malformed or the reader refuses it
     */
    <T> T call(String operation, ObjectNode message, Function<JsonNode, T> reader) throws LocalSchedulerException {
        String what = "Site " + site + ", " + operation + " at " + access.url("");
        try {
            var request = HttpRequest.newBuilder(access.url(operation))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(message.toString()));
            access.token().ifPresent(text -> request.header("Authorization", "Bearer " + text));
            var answer = access.send(request, true);
            boolean isOk = answer.status() / 100 == 2;
            JsonNode body = isOk ? JSON.readTree(answer.body()) : error(answer.body());
            if (!isOk) {
                throw failure(what, answer.status(), body);
            }
            if (!body.isObject()) {
                throw new IllegalArgumentException(
                        "expected a JSON object, not (" + DisplayText.of(body.toString()) + ")");
            }
            return reader.apply(body);
        } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
            throw new Unreadable(what + " answered in a form that cannot be understood: " + RestAccess.words(e), e);
        } catch (IOException e) {
            throw new Unreachable(what + " gave no answer: " + RestAccess.words(e), e);
        }
    }

    /** The JSON of an error; a missing node if the body is not JSON, as from a proxy. */
    private static JsonNode error(byte[] body) throws IOException {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException notJson) {
            return JSON.missingNode();
        }
    }

    /** The exception for the name of an error; {@link Unreachable} for an unknown name, as the operation may have had its effect. */
    private LocalSchedulerException failure(String what, int status, JsonNode body) {
        String reason = DisplayText.of(body.path("message").asText("no reason was given"), 1000);
        String message = "Site " + site + ": " + reason;
        return switch (body.path("error").asText()) {
            case "refused" -> new Refused(message, instant(body.path("possibleStart")));
            case "unknown-reservation" -> new UnknownReservation(message);
            case "misconfigured" -> new Misconfigured(message);
            default -> new Unreachable(what + " answered with status " + status + ": " + reason);
        };
    }

    /** An instant; empty if missing or null. */
    static Optional<Instant> instant(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? Optional.empty() : Optional.of(Instant.parse(value.asText()));
    }
}
