package org.metasched.api;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * A method at a path of the API.
 *
 * @param path path below {@value ApiServlet#BASE}, with at most one variable such as {@code {id}}
 * @param operation name of the operation in policies, by which the authorizer decides; empty for reads, which the listener has decided
 * @param produces the media type of its answer
 */
public record ApiRoute(String method, String path, String operation, String produces, Handler handler) {

    private static final String JSON = "application/json";

    /** The patterns of all paths, each compiled once. */
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    /** Makes the answer; empty where the resource is missing, or hidden from the caller. */
    @FunctionalInterface
    interface Handler {
        Optional<ApiAnswer> answer(ApiRequest request) throws IOException, InterruptedException;
    }

    static ApiRoute get(String path, Handler handler) {
        return get(path, JSON, handler);
    }

    static ApiRoute get(String path, String produces, Handler handler) {
        return new ApiRoute("GET", path, "", produces, handler);
    }

    static ApiRoute of(String method, String path, String operation, Handler handler) {
        return new ApiRoute(method, path, operation, JSON, handler);
    }

    boolean matches(String requestPath) {
        return pattern().matcher(requestPath).matches();
    }

    /** The value of the variable in the path; empty without one. */
    String id(String requestPath) {
        var matcher = pattern().matcher(requestPath);
        return matcher.matches() && matcher.groupCount() > 0 ? matcher.group(1) : "";
    }

    boolean readsBody() {
        return method.equals("POST") || method.equals("PATCH");
    }

    private Pattern pattern() {
        return PATTERNS.computeIfAbsent(path, p -> Pattern.compile(p.replaceAll("\\{[a-z]+}", "([^/]+)")));
    }
}
