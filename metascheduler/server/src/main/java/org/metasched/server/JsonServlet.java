package org.metasched.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers GET with one JSON document. */
abstract class JsonServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    static final ObjectMapper MAPPER = new ObjectMapper();

    /** @param status of HTTP */
    record Answer(int status, JsonNode body) {}

    abstract Answer answer();

    @Override
    protected final void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        write(answer(), response);
    }

    static void write(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        response.setContentType("application/json");
        response.setHeader("Cache-Control", "no-store");
        MAPPER.writeValue(response.getOutputStream(), answer.body());
    }
}
