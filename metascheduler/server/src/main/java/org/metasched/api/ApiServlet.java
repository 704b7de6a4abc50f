package org.metasched.api;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.agreement.OfferDocument;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;

/**
 * {@code /api/v1/...}: the REST API. Finds the route of a request, asks the authorizer about its operation, reads the body as strict JSON,
 * and writes the answer with an entity tag, or a problem. The listener has asked it about reads already. The contract is
 * {@code openapi.json}, which is served too. Thread-safe.
 */
public final class ApiServlet extends HttpServlet {

    static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);
    /** Path at which the servlet is mounted. */
    static final String BASE = "/api/v1";

    private static final Set<String> READS = Set.of("GET", "HEAD");

    /** All routes, which the contract names. */
    final transient List<ApiRoute> routes;

    private final transient Authorizer guard;

    /** @param guard authorizer of all requests but reads, about which the listener has asked it already */
    public ApiServlet(Authorizer guard, Collection<List<ApiRoute>> routes) {
        this.guard = guard;
        this.routes = Stream.concat(
                        Stream.of(ApiRoute.get("/openapi.json", request -> Optional.of(ApiAnswer.json(contract())))),
                        routes.stream().flatMap(List::stream))
                .toList();
    }

    /** Answers as {@link #service} does. The listener looks for this method to tell whether a servlet answers reads. */
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        service(request, response);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = Optional.ofNullable(request.getPathInfo()).orElse("/sites");
        ApiAnswer answer;
        try {
            answer = ApiProblems.guarded(
                    caller(request), BASE + path, READS.contains(request.getMethod()), () -> answer(request, path));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer = ApiAnswer.problem(new ProblemException(503, "BUSY", "The server is shutting down."), BASE + path);
        }
        answer.write(request, response);
    }

    private ApiAnswer answer(HttpServletRequest request, String path) throws IOException, InterruptedException {
        String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
        var atPath = routes.stream().filter(route -> route.matches(path)).toList();
        var allowed = atPath.stream().map(ApiRoute::method).collect(Collectors.toCollection(TreeSet::new));
        if (allowed.contains("GET")) {
            allowed.add("HEAD");
        }
        allowed.add("OPTIONS");
        if (atPath.isEmpty()) {
            throw new ProblemException(404, "NOT_FOUND", "There is nothing at " + path + ".");
        }
        if (method.equals("OPTIONS")) {
            return ApiAnswer.empty(204).with("Allow", String.join(", ", allowed));
        }
        var route = atPath.stream()
                .filter(candidate -> candidate.method().equals(method))
                .findFirst()
                .orElseThrow(() -> new ProblemException(
                                405,
                                "METHOD_NOT_ALLOWED",
                                "The method (" + method + ") is not for " + path + "; expected one of " + allowed + ".")
                        .with("Allow", String.join(", ", allowed)));
        checkAccepted(request, route);
        var call = new Authorizer.Call(
                caller(request), route.operation(), request.getRemoteAddr() + ":" + request.getRemotePort());
        if (!route.operation().isEmpty()) {
            guard.enter(call);
        }
        var apiRequest =
                new ApiRequest(request, route.id(path), route.readsBody() ? body(request) : MAPPER.nullNode(), call);
        return route.handler()
                .answer(apiRequest)
                .orElseThrow(() -> new ProblemException(404, "NOT_FOUND", "There is nothing at " + path + "."));
    }

    /** Checks that the caller accepts what the route produces. A problem is sent whatever the caller accepts. */
    private static void checkAccepted(HttpServletRequest request, ApiRoute route) {
        String accepted =
                Optional.ofNullable(request.getHeader("Accept")).orElse("*/*").toLowerCase(Locale.ROOT);
        String family = route.produces().replaceFirst("/.*", "/*");
        boolean fits = Stream.of(accepted.split(",", -1))
                .map(range -> range.replaceFirst(";.*", "").strip())
                .anyMatch(range -> range.isEmpty()
                        || Set.of("*/*", family, route.produces()).contains(range));
        if (!fits) {
            throw new ProblemException(
                    406, "NOT_ACCEPTABLE", "The answer is " + route.produces() + ", which Accept does not name.");
        }
    }

    private static JsonNode body(HttpServletRequest request) throws IOException {
        String type = String.valueOf(request.getContentType())
                .replaceFirst(";.*", "")
                .strip()
                .toLowerCase(Locale.ROOT);
        boolean isJson = type.equals("application/json")
                || type.equals("application/merge-patch+json")
                        && request.getMethod().equals("PATCH");
        if (!isJson) {
            throw new ProblemException(
                    415, "UNSUPPORTED_MEDIA_TYPE", "The body (" + DisplayText.of(type) + ") must be application/json.");
        }
        byte[] text = request.getInputStream().readNBytes(OfferDocument.LONGEST + 1);
        if (text.length > OfferDocument.LONGEST) {
            throw new ProblemException(
                    413, "TOO_LARGE", "The body must not be longer than " + OfferDocument.LONGEST + " bytes.");
        }
        try {
            var json = MAPPER.readTree(text);
            if (json != null && json.isObject()) {
                return json;
            }
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage())
                    .replaceFirst(" for `ObjectNode`: not allowed when [^\\n]*", " in one object")
                    .replaceFirst("(?s)\\n.*line: (\\d+), column: (\\d+).*", " (line $1, column $2)");
            throw new ProblemException(400, "NOT_JSON", "The body is no JSON: " + DisplayText.of(why, 120));
        }
        throw new ProblemException(400, "NOT_JSON", "The body must be a JSON object.");
    }

    /** The subject that the listener has recognised. */
    static Subject caller(HttpServletRequest request) {
        return request.getAttribute(Subject.ATTRIBUTE) instanceof Subject subject ? subject : Subject.ANONYMOUS;
    }

    /** The OpenAPI document. */
    public static JsonNode contract() {
        try (InputStream in = Objects.requireNonNull(ApiServlet.class.getResourceAsStream("openapi.json"))) {
            return MAPPER.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
