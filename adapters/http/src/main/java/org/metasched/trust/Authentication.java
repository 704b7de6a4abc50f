package org.metasched.trust;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Credentials that a listener asks of its callers.
 *
 * @param tls certificate and key of the listener, if it speaks TLS
 * @param chains verifier of client certificates, if they are accepted
 * @param tokens verifier of bearer tokens, if they are accepted
 * @param messages verifier of security headers of messages, if they are accepted
 * @param isRequired whether a caller without a credential is refused, except at pages that are open to all, such as health
 * @param guard access control of each operation
 */
public record Authentication(
        Optional<Tls> tls,
        Optional<ChainVerifier> chains,
        Optional<TokenVerifier> tokens,
        Optional<MessageVerifier> messages,
        boolean isRequired,
        Authorizer guard) {

    /** Plain HTTP, open to all. */
    public static final Authentication NONE = open(Optional.empty());

    /** Open to all, over TLS or not. */
    public static Authentication open(Optional<Tls> tls) {
        return new Authentication(tls, Optional.empty(), Optional.empty(), Optional.empty(), false, Authorizer.OPEN);
    }

    /** Names with passwords, if they are accepted. */
    public Optional<PasswordFile> passwords() {
        return messages.flatMap(MessageVerifier::passwords);
    }

    /**
     * A certificate with its chain and a key. Both are read again when they have changed.
     *
     * @param certificate file of the chain in PEM, the own certificate first; or a PKCS#12 store that ends in {@code .p12} or {@code .pfx}
     * @param key file of the key in PEM; for a store a file with its password
     */
    public record Tls(Path certificate, Path key) {}
}
