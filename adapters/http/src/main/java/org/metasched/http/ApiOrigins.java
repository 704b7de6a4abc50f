package org.metasched.http;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.CrossOriginHandler;
import org.eclipse.jetty.util.Callback;

/** Cross-origin resource sharing of the API alone. A preflight request has no credential, so it is answered before authentication. */
final class ApiOrigins extends CrossOriginHandler {

    private final Handler next;

    /** @param origins origins whose pages may call the API */
    ApiOrigins(Set<String> origins, Handler next) {
        this.next = next;
        setHandler(next);
        setAllowedOriginPatterns(origins.stream().map(Pattern::quote).collect(Collectors.toSet()));
        setAllowedMethods(Set.of("GET", "HEAD", "POST", "PATCH", "DELETE"));
        setAllowedHeaders(
                Set.of("Authorization Content-Type Accept Idempotency-Key If-Match If-None-Match Last-Event-ID Prefer"
                        .split(" ")));
        setExposedHeaders(Set.of("ETag", "Location", "Content-Location", "Link", "Retry-After", "Preference-Applied"));
        setAllowCredentials(false);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        return Request.getPathInContext(request).startsWith("/api/")
                ? super.handle(request, response, callback)
                : next.handle(request, response, callback);
    }
}
