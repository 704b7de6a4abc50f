package org.metasched.trust;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.metasched.adapter.LoopbackHost;
import org.metasched.trust.Authentication.Tls;

/**
 * Credentials of this process for its calls, and the authorities that it trusts for the other side. Files are read again when they
 * have changed. Thread-safe.
 */
public final class ClientCredentials {

    /** No credential, and the authorities of the Java installation. */
    public static final ClientCredentials ANONYMOUS =
            new ClientCredentials(Optional.empty(), Optional.empty(), Optional.empty());

    private static final int LONGEST_TOKEN = 16 * 1024;
    private static final int LONGEST_SESSION_SECONDS = 5;

    private final Optional<Path> token;
    private final Optional<SSLContext> tls;

    /**
     * @param certificate certificate that is presented over TLS
     * @param authorities a PEM file of certificates or an IGTF directory, from which the other side must have a certificate for its name
     * @param token file of a bearer token, read before each call because agents renew it
     * @throws IllegalArgumentException when a file cannot be used, or both a certificate and a token are given
     */
    public ClientCredentials(Optional<Tls> certificate, Optional<Path> authorities, Optional<Path> token) {
        if (certificate.isPresent() && token.isPresent()) {
            throw new IllegalArgumentException(
                    "A caller proves itself by a certificate or by a token: with both it is refused.");
        }
        this.token = token;
        tls = certificate.isEmpty() && authorities.isEmpty()
                ? Optional.empty()
                : Optional.of(context(
                        certificate.map(KeyMaterial::of).map(ReloadedKeys::new),
                        authorities.map(TrustAnchors::of).map(ReloadedTrust::new)));
        token.ifPresent(ClientCredentials::read);
    }

    private static SSLContext context(Optional<ReloadedKeys> key, Optional<ReloadedTrust> trust) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(
                    key.map(k -> new KeyManager[] {k}).orElse(null),
                    trust.map(t -> new TrustManager[] {t}).orElse(null),
                    null);
            // A resumed session checks no certificate, so that one revoked or renewed since is noticed only at its end.
            context.getClientSessionContext().setSessionTimeout(LONGEST_SESSION_SECONDS);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java installation has no TLS: " + e.getMessage(), e);
        }
    }

    /** TLS context for calls; empty for the default of the Java installation. The same for the life of this object. */
    public Optional<SSLContext> tls() {
        return tls;
    }

    /**
     * The value of the header {@code Authorization} for a call.
     *
     * @throws IllegalArgumentException when the token cannot be read, or would travel over plain HTTP to another machine
     */
    public Optional<String> authorization(URI target) {
        if (token.isPresent() && !"https".equals(target.getScheme()) && !isLocal(target)) {
            throw new IllegalArgumentException("The token is not sent to " + target + ": that is not https.");
        }
        return token.map(file -> "Bearer " + read(file));
    }

    static boolean isLocal(URI target) {
        return LoopbackHost.is(String.valueOf(target.getHost()));
    }

    private static String read(Path file) {
        try {
            String text = Files.size(file) > LONGEST_TOKEN
                    ? ""
                    : Files.readString(file, StandardCharsets.US_ASCII).strip();
            if (!text.matches("[A-Za-z0-9._~+/=-]+")) {
                throw new IllegalArgumentException("The file (" + file + ") must hold one bearer token.");
            }
            return text;
        } catch (IOException e) {
            throw new IllegalArgumentException("The token (" + file + ") cannot be read: " + e.getMessage(), e);
        }
    }
}
