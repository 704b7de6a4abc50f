package org.metasched.trust;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Credentials that a listener asks of its callers.
 *
 * @param tls certificate and key of the listener, if it speaks TLS
 * @param chains judges client certificates, if any are taken
 * @param tokens judges bearer tokens, if any are taken
 * @param messages judges security headers of messages, if any are taken
 * @param isRequired whether a caller without a proof gets the health page and service descriptions only
 * @param guard authorizes each operation before anything is looked up
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

    /** Names with passwords, if they are taken. */
    public Optional<PasswordFile> passwords() {
        return messages.flatMap(MessageVerifier::passwords);
    }

    /**
     * A certificate with its chain and a key. Read again when they have changed.
     *
     * @param certificate in PEM, the own one first; or a PKCS#12 store, by its ending {@code .p12} or {@code .pfx}
     * @param key in PEM; of a store a file with its password
     */
    public record Tls(Path certificate, Path key) {}
}
