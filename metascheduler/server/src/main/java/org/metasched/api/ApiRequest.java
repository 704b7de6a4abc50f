package org.metasched.api;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;

/**
 * A request to a route.
 *
 * @param id id in its path; empty if there is none
 * @param body JSON object; the null node for a method without a body
 * @param call the caller, with the operation of the route
 */
record ApiRequest(HttpServletRequest http, String id, JsonNode body, Authorizer.Call call) {

    QueryParameters query() {
        return new QueryParameters(http::getParameter);
    }

    /** Whether the caller is shown an agreement. */
    boolean isShown(Authorizer guard, ProtectedResource agreement) {
        return guard.shows(call.during("Agreement/GetResourceProperty"), agreement);
    }

    Optional<String> header(String name) {
        return Optional.ofNullable(http.getHeader(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** The address of the same request with another value of a parameter. */
    String addressWith(String name, String value) {
        var parameters = new TreeMap<>(http.getParameterMap());
        parameters.put(name, new String[] {value});
        return http.getContextPath() + ApiServlet.BASE + http.getPathInfo() + "?"
                + parameters.entrySet().stream()
                        .map(p -> encoded(p.getKey()) + "=" + encoded(p.getValue()[0]))
                        .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Whether the request has {@code Prefer: respond-async} of RFC 7240. */
    boolean prefersAsync() {
        return header("Prefer")
                .filter(text -> text.matches("(?i)(.*,)?\\s*respond-async\\s*([,;].*)?"))
                .isPresent();
    }
}
