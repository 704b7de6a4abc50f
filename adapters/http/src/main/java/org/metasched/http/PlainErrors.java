package org.metasched.http;

import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.TemporaryFailure;

/** Errors that come from no servlet, and exceptions of servlets, as one sentence of plain text, or as a problem of the API. */
final class PlainErrors extends ErrorHandler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        var away = temporary(request.getAttribute(ERROR_EXCEPTION));
        away.ifPresent(failure -> response.setStatus(HttpStatus.SERVICE_UNAVAILABLE_503));
        int status = response.getStatus();
        String text = away.map(TemporaryFailure::publicMessage).orElseGet(() -> textOf(status));
        if (Request.getPathInContext(request).startsWith("/api/")) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
            Content.Sink.write(response, true, problem(status, text), callback);
            return true;
        }
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        Content.Sink.write(response, true, text + "\n", callback);
        return true;
    }

    private static Optional<TemporaryFailure> temporary(@Nullable Object problem) {
        return problem instanceof TemporaryFailure away ? Optional.of(away) : Optional.empty();
    }

    private static String textOf(int status) {
        return switch (status) {
            case HttpStatus.PAYLOAD_TOO_LARGE_413 -> "The message is larger than this service takes.";
            case HttpStatus.NOT_FOUND_404 -> "There is nothing here.";
            case HttpStatus.UNSUPPORTED_MEDIA_TYPE_415 -> "The charset of the message is not known here; use UTF-8.";
            case HttpStatus.UNAUTHORIZED_401 ->
                "Who are you? This service wants a certificate or a token that it trusts.";
            case HttpStatus.FORBIDDEN_403 -> "This is not for you.";
            case HttpStatus.REQUEST_TIMEOUT_408 -> "The message comes too slowly.";
            case HttpStatus.MISDIRECTED_REQUEST_421 -> "This server is not known by that name.";
            case HttpStatus.SERVICE_UNAVAILABLE_503 -> "The service has too much to do now; come again later.";
            default -> HttpStatus.getMessage(status) + ".";
        };
    }

    /**
     * The JSON of a problem (RFC 9457); the texts above need no escapes. One situation has one code, here and in the API; its former code
     * is its alias.
     */
    private static String problem(int status, String text) {
        String title = HttpStatus.getMessage(status);
        String name = title.toUpperCase(Locale.ROOT).replace(' ', '_');
        String code = switch (status) {
            case HttpStatus.UNAUTHORIZED_401, HttpStatus.FORBIDDEN_403 -> "NOT_ALLOWED";
            case HttpStatus.TOO_MANY_REQUESTS_429, HttpStatus.SERVICE_UNAVAILABLE_503 -> "BUSY";
            case HttpStatus.PAYLOAD_TOO_LARGE_413 -> "TOO_LARGE";
            case HttpStatus.INTERNAL_SERVER_ERROR_500 -> "SERVICE_FAILED";
            default -> name;
        };
        String alias = code.equals(name) ? "" : "\",\"alias\":\"" + name;
        return "{\"type\":\"urn:metasched:error:1:" + code + "\",\"title\":\"" + title + "\",\"status\":" + status
                + ",\"detail\":\"" + text + "\",\"code\":\"" + code + alias + "\"}";
    }
}
