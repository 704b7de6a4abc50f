package org.metasched.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.Sha256Digest;

/**
 * An answer of the API.
 *
 * @param type media type
 * @param body bytes that must not be changed; none for an answer without a body
 */
record ApiAnswer(int status, String type, byte[] body, Map<String, String> headers) {

    /** The heartbeat of a waiting request, which is dispatched again. */
    static final ApiAnswer LATER = text(EventRoutes.STREAM, EventRoutes.NOTHING_NEW);

    /** A new object of JSON. */
    static ObjectNode object() {
        return ApiServlet.MAPPER.createObjectNode();
    }

    static ApiAnswer json(JsonNode body) {
        return json(200, body);
    }

    static ApiAnswer json(int status, JsonNode body) {
        return new ApiAnswer(status, "application/json", bytes(body), Map.of());
    }

    static ApiAnswer text(String type, String body) {
        return new ApiAnswer(200, type, body.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    static ApiAnswer empty(int status) {
        return new ApiAnswer(status, "application/json", new byte[0], Map.of());
    }

    /** A problem by RFC 9457. */
    static ApiAnswer problem(ProblemException problem, String instance) {
        ObjectNode body = object();
        body.put("type", "urn:metasched:error:1:" + problem.code);
        body.put("title", problem.code.replace('_', ' '));
        body.put("status", problem.status);
        body.put("detail", String.valueOf(problem.getMessage()));
        // A URI reference, in which an underscore stands for each character that would need an escape.
        body.put("instance", instance.replaceAll("[^A-Za-z0-9/._~-]", "_"));
        body.put("code", problem.code);
        problem.reasons.forEach(body.putArray("reasons")::add);
        problem.suggestions.forEach(body.putArray("suggestions")::add);
        return new ApiAnswer(problem.status, "application/problem+json", bytes(body), problem.headers);
    }

    /** The answer with another header. */
    ApiAnswer with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new ApiAnswer(status, type, body, more);
    }

    /** The answer with the ETag that a GET would give. */
    ApiAnswer tagged() {
        return with("ETag", tag());
    }

    /** The entity tag of the body. */
    String tag() {
        return '"' + HexFormat.of().formatHex(Sha256Digest.of(body), 0, 16) + '"';
    }

    void write(HttpServletRequest request, HttpServletResponse response) throws IOException {
        headers.forEach((name, value) ->
                response.setHeader(name, name.endsWith("Location") ? request.getContextPath() + value : value));
        response.setHeader("X-Content-Type-Options", "nosniff");
        boolean isRead =
                request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        boolean isCacheable = isRead && status == 200 && !type.equals(EventRoutes.STREAM);
        response.setHeader("Cache-Control", isCacheable ? "private, no-cache" : "no-store");
        if (isCacheable) {
            response.setHeader("ETag", tag());
            if (hasTag(request.getHeader("If-None-Match"), tag())) {
                response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
                return;
            }
        }
        response.setStatus(status);
        if (body.length > 0) {
            response.setContentType(type);
            // A heartbeat leaves the response open: the request is dispatched again and writes more.
            if (this != LATER) {
                response.setContentLength(body.length);
            }
        }
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
        if (this == LATER) {
            response.flushBuffer();
        }
    }

    /** Whether a list of entity tags in a header, weak ones too, names this one or all ({@code *}). */
    static boolean hasTag(@Nullable String header, String tag) {
        return header != null
                && Arrays.stream(header.split(",", -1))
                        .map(entry -> entry.strip().replaceFirst("^W/", ""))
                        .anyMatch(entry -> entry.equals(tag) || entry.equals("*"));
    }

    private static byte[] bytes(JsonNode body) {
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }
}
