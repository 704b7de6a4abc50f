package org.metasched.api;

import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A method at a path of the API.
 *
 * @param path below the base, with at most one {@code {id}}
 * @param operation that the guard is asked for, as policies name it; empty for reads, which the listener has decided
 * @param produces the media type of its answer
 */
public record ApiRoute(String method, String path, String operation, String produces, Handler handler) {

    private static final String JSON = "application/json";

    /** Makes the answer; nothing where there is nothing, or nothing for the caller. */
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

    boolean matches(String asked) {
        return pattern().matcher(asked).matches();
    }

    /** The value in the place of {@code {id}}; empty without one. */
    String id(String asked) {
        var found = pattern().matcher(asked);
        return found.matches() && found.groupCount() > 0 ? found.group(1) : "";
    }

    boolean readsBody() {
        return method.equals("POST") || method.equals("PATCH");
    }

    private Pattern pattern() {
        return Pattern.compile(path.replaceAll("\\{[a-z]+}", "([^/]+)"));
    }
}
