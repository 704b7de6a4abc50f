package org.metasched.adapter.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.metasched.adapter.ConnectionFailure;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LoopbackHost;
import org.metasched.adapter.Settings;

/**
 * Access to a scheduler over HTTP by the settings {@code url}, {@code token-file} and {@code timeout}: answers are bounded in
 * size and time, redirects are not followed, the token file is read for each call, as the token may be renewed. Thread-safe.
 */
public final class RestAccess {

    private static final int LONGEST_TOKEN = 16 << 10;
    /** One client for all sites, as each client has a thread of its own. */
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI url;
    private final Optional<Path> tokenFile;
    private final Duration timeout;
    private final int longest;

    /** @param longest the longest accepted answer, in bytes */
    public RestAccess(Settings settings, int longest) {
        this.url = url(settings);
        this.tokenFile = settings.secretFile("token-file");
        settings.refuseIf(
                tokenFile.isPresent() && url.getScheme().equals("http") && !LoopbackHost.is(url.getHost()),
                "url",
                "expected https for another machine, as the token is not sent over plain HTTP, not (%s)",
                url);
        this.timeout = settings.positiveDuration("timeout", Duration.ofSeconds(30));
        this.longest = longest;
        try {
            var unused = token();
        } catch (IOException e) {
            throw settings.invalid("token-file", String.valueOf(e.getMessage()));
        }
    }

    /**
     * An address below {@code url}.
     *
     * @param path path relative to it
     */
    public URI url(String path) {
        return url.resolve(path);
    }

    /** The token of the file as it is now. */
    public Optional<String> token() throws IOException {
        if (tokenFile.isEmpty()) {
            return Optional.empty();
        }
        String token;
        try {
            token = Files.size(tokenFile.get()) > LONGEST_TOKEN
                    ? ""
                    : Files.readString(tokenFile.get()).strip();
        } catch (IOException e) {
            throw new IOException("the file (" + tokenFile.get() + ") cannot be read", e);
        }
        // The HTTP client refuses other characters in a header by a message that shows the token.
        if (!token.matches("[!-~]+")) {
            throw new IOException("the file (" + tokenFile.get() + ") holds no token");
        }
        return Optional.of(token);
    }

    private static URI url(Settings settings) {
        String text = settings.requiredText("url");
        try {
            URI url = URI.create(text.endsWith("/") ? text : text + "/");
            if (Set.of("http", "https").contains(String.valueOf(url.getScheme()))
                    && url.getHost() != null
                    && url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            throw settings.invalid("url", "expected an address, " + e.getMessage());
        }
        throw settings.invalid("url", "expected http://HOST[:PORT]/PATH or https, not (" + text + ")");
    }

    /** Status and body of an answer. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Answer(int status, byte[] body) {}

    /**
     * Sends a request. The timeout is for the whole answer, not for its head only.
     *
     * @param repeatable whether the request may be sent once more after a broken connection: the site may have closed an idle one just now
     */
    public Answer send(HttpRequest.Builder request, boolean repeatable) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var answer = HTTP.sendAsync(
                request.timeout(timeout).build(),
                BodyHandlers.ofByteArrayConsumer(part -> part.ifPresent(more -> {
                    if (bytes.size() + more.length > longest) {
                        throw new IllegalStateException("the answer is longer than " + longest + " bytes");
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
            if (repeatable
                    && e.getCause() instanceof IOException broken
                    && !(broken instanceof ConnectException)
                    && !(broken instanceof HttpTimeoutException)) {
                return send(request, false);
            }
            throw new IOException(ConnectionFailure.of(e).reason(), e);
        } catch (TimeoutException e) {
            throw new IOException("none came within " + timeout, e);
        } finally {
            answer.cancel(true);
        }
    }

    /** The message of an exception, fit for a message to the user. */
    public static String words(Exception e) {
        String message = e instanceof JsonProcessingException json ? json.getOriginalMessage() : e.getMessage();
        return DisplayText.of(message == null ? e.getClass().getSimpleName() : message, 300);
    }
}
