package org.metasched.http;

import java.security.KeyStore;
import java.security.cert.CRL;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;
import org.metasched.trust.Authentication;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.KeyMaterial;
import org.metasched.trust.ReloadedKeys;

/** TLS 1.3 and 1.2 with a certificate that may change while the server runs, and client certificates if authorities are configured. */
final class TlsContext extends SslContextFactory.Server {

    /** Longest TLS session, in seconds: a resumed session keeps the certificate with which it began. */
    private static final int LONGEST_SESSION = 600;

    private final Supplier<KeyMaterial> material;
    private final Optional<ChainVerifier> chains;

    private TlsContext(Supplier<KeyMaterial> material, Optional<ChainVerifier> chains) {
        this.material = material;
        this.chains = chains;
        setKeyStore(material.get().store());
        setKeyStorePassword(material.get().password());
        setIncludeProtocols("TLSv1.3", "TLSv1.2");
        setWantClientAuth(chains.isPresent());
        setEndpointIdentificationAlgorithm(null);
        setSslSessionTimeout(LONGEST_SESSION);
    }

    static Optional<TlsContext> of(Authentication authentication) {
        return authentication.tls().map(tls -> new TlsContext(KeyMaterial.of(tls), authentication.chains()));
    }

    @Override
    protected KeyManager[] getKeyManagers(@Nullable KeyStore keyStore) {
        return new KeyManager[] {new ReloadedKeys(material)};
    }

    @Override
    protected TrustManager @Nullable [] getTrustManagers(
            @Nullable KeyStore trustStore, @Nullable Collection<? extends CRL> lists) throws Exception {
        return chains.isPresent()
                ? new TrustManager[] {chains.get().trustManager()}
                : super.getTrustManagers(trustStore, lists);
    }
}
