package org.metasched.client;

import java.net.URI;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/**
 * Credentials of a client, and the authorities that it trusts for the service.
 *
 * @param tls context with the client's certificate and its trusted authorities; empty for those of the Java installation
 * @param authorization the value of the header {@code Authorization} for a call of an address, asked before each call
 */
public record Credentials(Optional<SSLContext> tls, Function<URI, Optional<String>> authorization) {

    /** Credentials that prove nothing. */
    public static final Credentials NONE = new Credentials(Optional.empty(), target -> Optional.empty());
}
