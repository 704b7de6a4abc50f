package org.metasched.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.metasched.trust.Subject;

/**
 * {@code GET /api/v1/...}: one JSON document for each address, in pages that go on after the last element of the page before, with an
 * entity tag. The contract is {@code openapi.json}, which is served too. Asks all sites for each look at them. Thread-safe.
 */
public final class ReadApi extends HttpServlet {

    private static final long serialVersionUID = 1L;
    static final ObjectMapper MAPPER = new ObjectMapper();

    private final transient ApiResources resources;

    public ReadApi(ApiResources resources) {
        this.resources = resources;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = Optional.ofNullable(request.getPathInfo()).orElse("/sites");
        try {
            Optional<? extends JsonNode> body = path.equals("/openapi.json")
                    ? Optional.of(contract())
                    : resources.read(path, new QueryParameters(request::getParameter, speaker(request)));
            if (body.isPresent()) {
                answer(request, response, body.get());
            } else {
                refuse(response, HttpServletResponse.SC_NOT_FOUND, "There is nothing at " + path + ".");
            }
        } catch (IllegalArgumentException e) {
            refuse(response, HttpServletResponse.SC_BAD_REQUEST, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, "The server is shutting down.");
        }
    }

    static Subject speaker(HttpServletRequest request) {
        return request.getAttribute(Subject.ATTRIBUTE) instanceof Subject subject ? subject : Subject.ANONYMOUS;
    }

    private static JsonNode contract() throws IOException {
        try (InputStream in = Objects.requireNonNull(ReadApi.class.getResourceAsStream("openapi.json"))) {
            return MAPPER.readTree(in);
        }
    }

    private static void answer(HttpServletRequest request, HttpServletResponse response, JsonNode body)
            throws IOException {
        byte[] text = MAPPER.writeValueAsBytes(body);
        String tag = '"' + digest(text) + '"';
        response.setHeader("ETag", tag);
        response.setHeader("Cache-Control", "private, no-cache");
        if (tag.equals(request.getHeader("If-None-Match"))) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
        } else {
            write(response, text);
        }
    }

    private static void refuse(HttpServletResponse response, int status, String why) throws IOException {
        ObjectNode body = MAPPER.createObjectNode().put("error", why);
        response.setStatus(status);
        response.setHeader("Cache-Control", "no-store");
        write(response, MAPPER.writeValueAsBytes(body));
    }

    private static void write(HttpServletResponse response, byte[] text) throws IOException {
        response.setContentType("application/json");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.getOutputStream().write(text);
    }

    private static String digest(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
