package org.metasched.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;

/** Answers GET with one JSON document. */
class JsonServlet extends HttpServlet {

    static final ObjectMapper MAPPER = new ObjectMapper();

    /** @param status status code of HTTP */
    record Answer(int status, JsonNode body) {}

    private final transient Supplier<Answer> answer;

    JsonServlet(Supplier<Answer> answer) {
        this.answer = answer;
    }

    /** The servlet of liveness, which asks no other component: a server that is alive and not ready must not be restarted. */
    static JsonServlet liveness() {
        return new JsonServlet(() -> new Answer(200, MAPPER.createObjectNode().put("status", "alive")));
    }

    @Override
    protected final void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        write(answer.get(), response);
    }

    static void write(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        MAPPER.writeValue(response.getOutputStream(), answer.body());
    }
}
