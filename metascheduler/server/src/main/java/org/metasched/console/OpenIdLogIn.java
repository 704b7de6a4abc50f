package org.metasched.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.metasched.adapter.Sha256Digest;
import org.metasched.client.BoundedBody;
import org.metasched.trust.TokenVerifier;
import org.metasched.trust.UntrustedException;

/**
 * The authorization code flow of OpenID Connect with PKCE (RFC 7636). The identity token must be issued to us for this log-in; the access
 * token, which becomes the session, must be of the same subject and be taken by the listener. State, nonce and verifier travel in a
 * cookie for the log-in alone.
 */
public final class OpenIdLogIn {

    /**
     * Registration of this server at a provider.
     *
     * @param secret file with the secret of a confidential client
     * @param authorize the authorization endpoint, where the person logs in
     * @param token the token endpoint, where the code is exchanged
     * @param scope words with spaces between them
     */
    public record Client(String id, Optional<Path> secret, URI authorize, URI token, String scope) {}

    private static final String COOKIE = "metasched-openid";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int LARGEST_ANSWER_BYTES = 64 * 1024;
    private static final int RANDOM_BYTES = 32;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Client client;
    private final TokenVerifier tokens;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();

    public OpenIdLogIn(Client client, TokenVerifier tokens) {
        this.client = client;
        this.tokens = tokens;
    }

    /** Host of the provider. */
    String name() {
        return String.valueOf(client.authorize().getHost());
    }

    /** Sends the person to the provider. */
    void sendToProvider(HttpServletRequest request, HttpServletResponse response) {
        String state = CsrfToken.random(RANDOM_BYTES);
        String nonce = CsrfToken.random(RANDOM_BYTES);
        String verifier = CsrfToken.random(RANDOM_BYTES);
        CsrfToken.setCookie(request, response, COOKIE, state + "." + nonce + "." + verifier, "Lax");
        PageReply.goTo(
                response,
                client.authorize() + "?"
                        + PageLabels.query(Map.of(
                                "response_type",
                                "code",
                                "client_id",
                                client.id(),
                                "redirect_uri",
                                request.getRequestURL().toString(),
                                "scope",
                                client.scope(),
                                "state",
                                state,
                                "nonce",
                                nonce,
                                "code_challenge",
                                digest(verifier),
                                "code_challenge_method",
                                "S256")));
    }

    /**
     * Ends the log-in of a person whom the provider sent back.
     *
     * @return the access token
     * @throws UntrustedException with the reason, which is for the log only
     */
    String accessToken(HttpServletRequest request, HttpServletResponse response)
            throws UntrustedException, IOException, InterruptedException {
        // State, nonce and verifier, as sendToProvider() left them.
        var kept = CsrfToken.cookie(request, COOKIE).orElse("").split("[.]", -1);
        CsrfToken.setCookie(request, response, COOKIE, "", "Lax");
        String state = Optional.ofNullable(request.getParameter("state")).orElse("");
        String code = Optional.ofNullable(request.getParameter("code")).orElse("");
        UntrustedException.throwIf(
                kept.length != 3 || !MessageDigest.isEqual(kept[0].getBytes(), state.getBytes()) || code.isEmpty(),
                "an answer without a code, or to no log-in that this browser began");
        JsonNode answer = exchange(code, kept[2], request.getRequestURL().toString());
        String access = answer.path("access_token").asText();
        String identity = tokens.verifyIdentity(answer.path("id_token").asText(), client.id(), kept[1]);
        UntrustedException.throwIf(!tokens.verify(access).name().equals(identity), "two tokens of different subjects");
        return access;
    }

    private JsonNode exchange(String code, String verifier, String address)
            throws UntrustedException, IOException, InterruptedException {
        var request = HttpRequest.newBuilder(client.token())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofString(PageLabels.query(Map.of(
                        "grant_type", "authorization_code",
                        "code", code,
                        "redirect_uri", address,
                        "client_id", client.id(),
                        "code_verifier", verifier))));
        if (client.secret().isPresent()) {
            String pair = encoded(client.id()) + ":"
                    + encoded(Files.readString(client.secret().get()).strip());
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
        var sent = http.sendAsync(request.build(), answer -> new BoundedBody(LARGEST_ANSWER_BYTES));
        try {
            return JSON.readTree(
                    sent.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).body());
        } catch (IOException | ExecutionException | TimeoutException e) {
            throw new UntrustedException("the provider does not answer, or not in JSON: " + e.getMessage());
        } finally {
            sent.cancel(true);
        }
    }

    private static String digest(String verifier) {
        byte[] digest = Sha256Digest.of(verifier.getBytes(StandardCharsets.US_ASCII));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
