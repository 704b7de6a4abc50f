package org.metasched.adapter.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.LocalSchedulerException.Unreadable;
import org.metasched.adapter.SiteId;

/**
 * Calls of a REST scheduler: one POST of JSON for each operation, answers of bounded size, no redirects, errors mapped by status.
 * Thread-safe.
 */
final class RestCalls {

    private static final int LONGEST_ANSWER = 4 << 20;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    final SiteId site;
    private final URI url;
    private final Optional<String> token;
    private final Duration timeout;
    private final HttpClient http;

    RestCalls(SiteId site, URI url, Optional<String> token, Duration timeout) {
        this.site = site;
        this.url = url;
        this.token = token;
        this.timeout = timeout;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
    }

    static ObjectNode message() {
        return JSON.createObjectNode();
    }

    /** Makes a value of an answer. */
    interface AnswerReader<T> {
        T read(JsonNode answer);
    }

    /** @throws Unreachable also when the reader finds the answer to be another than the operation's */
    <T> T call(String operation, ObjectNode message, AnswerReader<T> reader) throws LocalSchedulerException {
        String what = "Site " + site + ", " + operation + " at " + url;
        try {
            var request = HttpRequest.newBuilder(url.resolve(operation))
                    .timeout(timeout)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(message.toString()));
            token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
            var answer = received(request.build(), true);
            JsonNode body = JSON.readTree(answer.body());
            if (answer.status() / 100 == 2 && body != null && body.isObject()) {
                return reader.read(body);
            }
            throw failure(what, answer.status(), body == null ? message() : body);
        } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
            throw new Unreadable(what + " answered in a form that cannot be understood: " + said(e), e);
        } catch (IOException e) {
            throw new Unreachable(what + " gave no answer: " + said(e), e);
        }
    }

    private static String said(Exception e) {
        String message = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        return DisplayText.of(message == null ? e.getClass().getSimpleName() : message, 300);
    }

    private record Answer(int status, byte[] body) {}

    /**
     * The time limit is that of the whole answer, not of its head only. A kept connection that the site closes at this moment breaks: each
     * operation may be repeated, and is once.
     */
    private Answer received(HttpRequest request, boolean again) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var answer = http.sendAsync(
                request,
                BodyHandlers.ofByteArrayConsumer(part -> part.ifPresent(more -> {
                    if (bytes.size() + more.length > LONGEST_ANSWER) {
                        throw new IllegalStateException("the answer is longer than " + LONGEST_ANSWER + " bytes");
                    }
                    bytes.writeBytes(more);
                })));
        try {
            int status = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS).statusCode();
            return new Answer(status, bytes.toByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("it was interrupted", e);
        } catch (ExecutionException e) {
            if (again
                    && e.getCause() instanceof IOException broken
                    && !(broken instanceof ConnectException)
                    && !(broken instanceof HttpTimeoutException)) {
                return received(request, false);
            }
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("none came within " + timeout, e);
        } finally {
            answer.cancel(true);
        }
    }

    /** An error that the site does not name may have happened. */
    private LocalSchedulerException failure(String what, int status, JsonNode body) {
        String message =
                "Site " + site + ": " + DisplayText.of(body.path("message").asText("no reason was given"), 1000);
        return switch (body.path("error").asText()) {
            case "refused" -> new Refused(message, instant(body.path("possibleStart")));
            case "unknown-reservation" -> new UnknownReservation(message);
            case "misconfigured" -> new Misconfigured(message);
            default -> new Unreachable(what + " answered with status " + status + ".");
        };
    }

    /** Nothing where it is missing or null. */
    static Optional<Instant> instant(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? Optional.empty() : Optional.of(Instant.parse(value.asText()));
    }
}
